package experiments

import (
	"reflect"
	"strings"
	"testing"

	"foretoken/model"
	"foretoken/results"
)

// Ends are the model's own, or those that are named by text or id; stop strings that are the
// text of a control token are found by its id.
func TestEnds(t *testing.T) {
	o, err := toys("toy")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		names []string
		want  []results.End
	}{
		{nil, o.Ends},
		{[]string{"\x00"}, []results.End{{ID: 0, Text: "\x00", From: []string{"the request"}}}},
		{[]string{"65", "\x00"}, []results.End{{ID: 65, Text: "A", From: []string{"the request"}}, {ID: 0, Text: "\x00", From: []string{"the request"}}}},
	} {
		if got, err := o.EndsOf(c.names); err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%q: %+v %v, want %+v", c.names, got, err, c.want)
		}
	}
	for _, bad := range []string{"A", "128", "-1", "<|im_end|>", ""} {
		if _, err := o.EndsOf([]string{bad}); err == nil || !strings.Contains(err.Error(), "want the text of a control token of toy, or an id from 0 to 127") {
			t.Errorf("%q: %v", bad, err)
		}
	}
	if got := o.StopTokens([]string{"A", "\x00", "a\x00"}); !reflect.DeepEqual(got, []model.Token{0}) {
		t.Errorf("stop tokens %v, want the control token", got)
	}
}

// A run's texts end where its config says, and its header says where that is.
func TestRunEnds(t *testing.T) {
	c, o := toyRun(t, "target: toy\nprompts: [{file: p.jsonl}]\nmax_tokens: 40\n")
	if err := Run(t.Context(), c, o); err != nil {
		t.Fatal(err)
	}
	whole, err := results.Read(o.Dir)
	if err != nil {
		t.Fatal(err)
	}
	end := whole.Rows[0].Tokens[5]
	o.Dir += "-ended"
	c.EOS = []string{string(rune('0'+end/100)) + string(rune('0'+end/10%10)) + string(rune('0'+end%10))}
	c.EOS[0] = strings.TrimLeft(c.EOS[0], "0")
	if err := Run(t.Context(), c, o); err != nil {
		t.Fatal(err)
	}
	run, err := results.Read(o.Dir)
	if err != nil {
		t.Fatal(err)
	}
	if got := run.Rows[0]; len(got.Tokens) > 6 || got.Tokens[len(got.Tokens)-1] != end || got.Finish != "eos" {
		t.Errorf("%v ends by %s, want at the first %d", got.Tokens, got.Finish, end)
	}
	if len(run.Header.Ends) != 1 || run.Header.Ends[0].ID != end || len(whole.Header.Ends) != 1 || whole.Header.Ends[0].ID != 0 {
		t.Errorf("headers say %+v and %+v", run.Header.Ends, whole.Header.Ends)
	}
}
