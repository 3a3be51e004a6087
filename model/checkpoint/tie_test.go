package checkpoint_test

import (
	"testing"

	"foretoken/model/checkpoint"
	"foretoken/model/checkpoint/checkpointtest"
)

// TestHead has the four cases of a head: there or not, tied or not said.
func TestHead(t *testing.T) {
	for _, test := range []struct {
		there bool
		say   any // tie_word_embeddings
		tied  bool
		equal bool // to the embedding
		fails error
	}{
		{there: true, say: false, tied: false},
		{there: true, say: true, equal: true, tied: true},
		{there: true, say: true, fails: checkpoint.ErrUnsupported},
		{there: true, say: nil, tied: false},
		{there: false, say: true, tied: true},
		{there: false, say: nil, tied: true},
		{there: false, say: false, fails: checkpoint.ErrMissing},
	} {
		c := checkpointtest.Small("llama")
		c.TiedHead = !test.there
		m := checkpointtest.New(c, 1)
		if test.equal {
			m.Tensor("lm_head.weight").Values = m.Tensor("model.embed_tokens.weight").Values
		}
		config := m.ConfigJSON()
		config["tie_word_embeddings"] = test.say
		m.Files = map[string][]byte{"config.json": jsonOf(t, config)}
		dir := t.TempDir()
		if err := m.WriteFolder(dir, checkpoint.F32, 1); err != nil {
			t.Fatal(err)
		}
		ck, err := checkpoint.Open(dir)
		if test.fails != nil {
			refused(t, err, test.fails, "lm_head.weight", "tie")
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		_, err = ck.Tensor("lm_head.weight")
		if ck.Config.TiedHead != test.tied || (err != nil) != test.tied {
			t.Errorf("%+v: tied %v, head %v", test, ck.Config.TiedHead, err)
		}
		if test.tied {
			refused(t, err, checkpoint.ErrMissing, "lm_head.weight", dir)
		}
		ck.Close()
	}
}
