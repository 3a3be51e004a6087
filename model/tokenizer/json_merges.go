package tokenizer

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// A mergeList is merges by rank, each "left right" or a list of the two.
type mergeList [][2]string

func (m *mergeList) UnmarshalJSON(data []byte) error {
	var texts []string
	if json.Unmarshal(data, &texts) == nil {
		*m = make(mergeList, len(texts))
		for i, s := range texts {
			left, right, ok := strings.Cut(s, " ")
			if !ok || strings.Contains(right, " ") {
				return fmt.Errorf("want a merge of two pieces, not %q", s)
			}
			(*m)[i] = [2]string{left, right}
		}
		return nil
	}
	var lists [][]string
	if err := json.Unmarshal(data, &lists); err != nil {
		return errors.New("want merges of two pieces each")
	}
	*m = make(mergeList, len(lists))
	for i, two := range lists {
		if len(two) != 2 {
			return fmt.Errorf("want a merge of two pieces, not %q", two)
		}
		(*m)[i] = [2]string(two)
	}
	return nil
}
