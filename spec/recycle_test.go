package spec_test

import (
	"testing"

	"foretoken/model/modeltest"
	"foretoken/sampler"
)

// wide has so many ids that a distribution's weights lie in memory that the builder
// takes back at the next round.
var wide = modeltest.Hash{Vocab: 3000, Real: 3000, Layers: 3}

// wideLaws leave most of them.
func wideLaws() map[string]sampler.Config {
	some := config(.9, true)
	some.TopK = 2500
	return map[string]sampler.Config{"all": config(1, false), "penalties": config(1, true), "most": some}
}

// All distributions of a round last until its end: were one overwritten, a drafted
// token would meet another q than it was drawn from, and be refused now and then.
func TestDistributionsLastARound(t *testing.T) {
	perfect := drafters(wide, nil)["eagle"]
	perfect.head = modeltest.Head{Of: wide}
	for settings, cfg := range wideLaws() {
		for name, r := range map[string]rig{"model": drafters(wide, wide)["model"], "eagle": perfect} {
			t.Run(name+"/"+settings, func(t *testing.T) {
				r.cfg = cfg
				for r.seed = range 10 {
					if err := refused(t, r); err != nil {
						t.Fatal(err)
					}
				}
			})
		}
	}
}
