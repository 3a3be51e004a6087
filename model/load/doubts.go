package load

import (
	"fmt"

	"foretoken/model/checkpoint"
)

// doubts are about what a model costs to run as its file has it.
func doubts(ck *checkpoint.Checkpoint) []error {
	c := ck.Config
	if !c.RopeChanges() {
		return nil
	}
	often := "every token past %d has all before it computed again"
	if c.RopeScaling.Type == "longrope" {
		often = "all before it is computed again where a text passes %d tokens"
	}
	return []error{fmt.Errorf("%s: rope of type %s turns a text by its length: "+often, ck.Path, c.RopeScaling.Type, c.RopeScaling.OriginalContext)}
}
