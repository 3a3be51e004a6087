package verify

import (
	"testing"

	"foretoken/draft"
	"foretoken/sampler"
)

func TestAllow(t *testing.T) {
	fingerprint := func(temperature float32) string {
		b, err := sampler.NewBuilder(sampler.NewConfig(temperature), 4, 4)
		if err != nil {
			t.Fatal(err)
		}
		return b.Fingerprint()
	}
	greedy, warm, hot := fingerprint(0), fingerprint(.7), fingerprint(1)
	for _, c := range []struct {
		policy Policy
		target string
		law    draft.Law
		v      Rule
		ok     bool
	}{
		{GreedyOnly, greedy, draft.Law{Fingerprint: "point"}, Leviathan{}, true},
		{GreedyOnly, greedy, draft.Law{Fingerprint: hot}, Leviathan{}, true},
		{GreedyOnly, hot, draft.Law{}, Leviathan{}, true},
		{GreedyOnly, hot, draft.Law{Fingerprint: "point"}, Leviathan{}, false},
		{GreedyOnly, hot, draft.Law{Fingerprint: hot}, Leviathan{}, false},
		{Stochastic, hot, draft.Law{Fingerprint: hot}, Leviathan{}, true},
		{Stochastic, hot, draft.Law{Fingerprint: "point"}, Leviathan{}, true},
		{Stochastic, hot, draft.Law{Fingerprint: warm}, Leviathan{}, false},
		{Stochastic, hot, draft.Law{Fingerprint: hot, Tree: true}, Leviathan{}, false},
		{Stochastic, hot, draft.Law{Fingerprint: hot, Tree: true}, Match{}, true},
	} {
		if err := c.policy.Allow(c.target, c.law, c.v); (err == nil) != c.ok {
			t.Errorf("policy %v, target %q, draft %+v: %v", c.policy, c.target, c.law, err)
		}
	}
}
