package jsonmask

// A contains is items that have to be counted: from min to max of those that
// schema allows; max below 0 is no bound.
type contains struct {
	schema   source
	min, max int
	silent   bool // it looks at no item, for unevaluatedItems
}

// A leftover holds the items from from on that no contains of unless counts.
type leftover struct {
	schema source
	from   int
	unless []string // where the schemas of those contains stand
}

// maxContains is how many contains one array may have.
const maxContains = 3

// count returns the state after an item that a set of contains counts, and false
// where they may not.
func (f flat) count(s countedState, set int) (countedState, bool) {
	to := countedState{n: s.n + 1, counts: s.counts}
	if f.maxItems >= 0 && to.n > f.maxItems {
		return to, false
	}
	if f.maxItems < 0 {
		to.n = min(to.n, f.countItems())
	}
	for r, rule := range f.contains {
		if set>>r&1 == 0 {
			continue
		}
		if to.counts[r]++; rule.max >= 0 && to.counts[r] > rule.max {
			return to, false
		}
		if rule.max < 0 && to.counts[r] > rule.min {
			if !f.matters(rule) {
				return to, false // counting it makes no difference
			}
			to.counts[r] = rule.min
		}
	}
	return to, true
}

// countItems is how many items are told apart where there is no end to them.
func (f flat) countItems() int {
	n := max(f.minItems, len(f.prefix))
	for _, l := range f.leftovers {
		n = max(n, l.from)
	}
	return n
}

// matters reports whether an item that rule counts is held to less.
func (f flat) matters(rule contains) bool {
	for _, l := range f.leftovers {
		for _, at := range l.unless {
			if at == rule.schema.at {
				return true
			}
		}
	}
	return false
}

// countedItem is what item n is held to where a set of contains counts it.
func (f flat) countedItem(n, set int) all {
	item := f.item(n)
	for r, rule := range f.contains {
		switch {
		case set>>r&1 == 1:
			item = join(item, all{rule.schema})
		case rule.max >= 0:
			item = join(item, all{complement(rule.schema)})
		}
	}
	for _, l := range f.leftovers {
		if n >= l.from && !f.counts(l, set) {
			item = join(item, all{l.schema})
		}
	}
	return item
}

// counts reports whether a set of contains counts for l.
func (f flat) counts(l leftover, set int) bool {
	for r, rule := range f.contains {
		for _, at := range l.unless {
			if set>>r&1 == 1 && at == rule.schema.at {
				return true
			}
		}
	}
	return false
}
