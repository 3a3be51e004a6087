package jinja

// everyStatement walks statements and those within them.
func everyStatement(list []statement, do func(statement)) {
	for _, st := range list {
		do(st)
		for _, body := range bodies(st) {
			everyStatement(body, do)
		}
	}
}

func bodies(st statement) [][]statement {
	switch st := st.(type) {
	case *ifStmt:
		return append(st.bodies[:len(st.bodies):len(st.bodies)], st.other)
	case *forStmt:
		return [][]statement{st.body, st.other}
	case *setBlock:
		return [][]statement{st.body}
	case *macroStmt:
		return [][]statement{st.body}
	case *callBlock:
		return [][]statement{st.body}
	case *filterBlock:
		return [][]statement{st.body}
	case *withStmt:
		return [][]statement{st.body}
	case *scopeStmt:
		return [][]statement{st.body}
	}
	return nil
}
