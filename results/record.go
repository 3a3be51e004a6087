// Package results keeps what an experiment measured, and computes from it what
// people read: acceptance, tokens per round, speed-ups, parity. A run is a folder
// with header.json and rows.jsonl; facts are stored and rates are computed.
package results

import (
	"encoding/json"
	"fmt"
	"time"

	"foretoken/model"
	"foretoken/spec"
)

// Format is the version of the files of a run.
const Format = 1

// MaxK is the longest draft of an arm. It is far beyond use, and bounds the memory
// that a table by draft position can take.
const MaxK = 1024

// A Header says what a run is of.
type Header struct {
	Format      int               `json:"format"`
	Name        string            `json:"name"`
	Started     time.Time         `json:"started"`
	Config      json.RawMessage   `json:"config"`                // resolved: every default written out
	ConfigFile  string            `json:"config_file,omitempty"` // as it was named; "" is the program's own
	Arms        []Arm             `json:"arms"`                  // the controls among them
	Rows        int               `json:"rows"`                  // how many a whole run has
	Prompts     []PromptSet       `json:"prompts"`
	Models      []ModelInfo       `json:"models"`         // the target first
	Ends        []End             `json:"ends,omitempty"` // of the texts; none where they are ignored
	Revision    string            `json:"revision"`       // of this program; "" where unknown
	Versions    map[string]string `json:"versions"`       // go and modules
	Host        Host              `json:"host"`
	CommandLine []string          `json:"command_line,omitempty"`
	Schemas     map[string]string `json:"schemas,omitempty"` // sha256 of the JSON schemas, by their name in the arms
}

// An Arm is one way of decoding.
type Arm struct {
	ID          string  `json:"id"`
	Drafter     string  `json:"drafter"` // the label; "none" for a control
	K           int     `json:"k"`       // draft length; 0 for a control
	Verifier    string  `json:"verifier"`
	Temperature float64 `json:"temperature"`
	Constraint  string  `json:"constraint,omitempty"` // what texts are held to: "json", or a schema's file; "" is nothing
}

// Control reports whether a is plain decoding, what the others are held against.
func (a Arm) Control() bool { return a.K == 0 }

// Exact reports whether a emits the control's tokens, and not only its law: at
// temperature 0, and wherever the match rule decides.
func (a Arm) Exact() bool { return a.Temperature <= 0 || a.Verifier == "match" || a.Control() }

// A PromptSet is a file of prompts, as far as it was used.
type PromptSet struct {
	File    string         `json:"file"`
	SHA256  string         `json:"sha256"` // of the whole file
	Domains map[string]int `json:"domains"`
}

// ModelInfo is a model that took part.
type ModelInfo struct {
	Ref  string     `json:"ref"`
	Role string     `json:"role"` // "target", or the drafter's label
	Info model.Info `json:"info"`
	// Files are the sha256 of its files, weights, tokenizer and template among them, by
	// name; nil in runs of before they were kept.
	Files map[string]string `json:"files,omitempty"`
}

// An End is a token that ends a text.
type End struct {
	ID   model.Token `json:"id"`
	Text string      `json:"text"`
	From []string    `json:"from"` // who says so: the checkpoint, the tokenizer, its text, or the request
}

// Host is the machine.
type Host struct {
	OS     string `json:"os"`
	Arch   string `json:"arch"`
	CPU    string `json:"cpu"`    // "" where unknown
	Cores  int    `json:"cores"`  // that the program used
	Memory int64  `json:"memory"` // bytes; 0 where unknown
}

// A Row is one request on one arm. Durations are nanoseconds in the file.
type Row struct {
	Arm          string        `json:"arm"`
	Prompt       string        `json:"prompt"`
	Domain       string        `json:"domain"`
	Seed         uint64        `json:"seed"`
	Repeat       int           `json:"repeat"`
	PromptTokens int           `json:"prompt_tokens"`
	Tokens       []model.Token `json:"tokens"` // emitted
	Text         string        `json:"text"`
	Finish       spec.Finish   `json:"finish"`
	Drafted      int           `json:"drafted"` // totals over the rounds
	Judged       int           `json:"judged"`
	Accepted     int           `json:"accepted"`
	Next         int           `json:"next"`
	Killed       int           `json:"killed,omitempty"`     // refused because the constraint forbade them
	Reasoning    int           `json:"reasoning,omitempty"`  // tokens inside a thinking block
	Unanswered   bool          `json:"unanswered,omitempty"` // it ended inside that block
	Logprobs     Logprobs      `json:"logprobs,omitzero"`    // where asked for
	Rounds       Rounds        `json:"rounds"`
	Facts        Facts         `json:"facts"`
}

// Facts are spec.Facts under stable names.
type Facts struct {
	Setup         time.Duration `json:"setup_ns"`
	PrefillTarget time.Duration `json:"prefill_target_ns"`
	PrefillDraft  time.Duration `json:"prefill_draft_ns"`
	FirstToken    time.Duration `json:"first_token_ns"`
	GapP50        time.Duration `json:"gap_p50_ns"`
	GapP95        time.Duration `json:"gap_p95_ns"`
	Wall          time.Duration `json:"wall_ns"`
	PeakMemory    int64         `json:"peak_memory_bytes"` // of the process up to here
	TargetLaw     string        `json:"target_law"`
	DraftLaw      string        `json:"draft_law"`
}

// A Key names a row within a run.
type Key struct {
	Arm, Prompt string
	Seed        uint64
	Repeat      int
}

// String implements fmt.Stringer.
func (k Key) String() string {
	return fmt.Sprintf("arm %s, prompt %s, seed %d, repeat %d", k.Arm, k.Prompt, k.Seed, k.Repeat)
}

// Key returns the name of r.
func (r Row) Key() Key { return Key{r.Arm, r.Prompt, r.Seed, r.Repeat} }

// Fill takes over what came of a request.
func (r *Row) Fill(res spec.Result) {
	r.Tokens, r.Text, r.Finish, r.Rounds = res.Tokens, res.Text, res.Finish, res.Rounds
	t := r.Rounds.totals()
	r.Drafted, r.Judged, r.Accepted, r.Next, r.Killed = t.Drafted, t.Judged, t.Accepted, t.Next, t.Killed
	r.Logprobs = res.Logprobs
	f := res.Facts
	r.Facts = Facts{Setup: f.Setup, PrefillTarget: f.PrefillTarget, PrefillDraft: f.PrefillDraft,
		FirstToken: f.FirstToken, GapP50: f.GapP50, GapP95: f.GapP95, Wall: f.Wall,
		PeakMemory: f.PeakMemory, TargetLaw: f.TargetLaw, DraftLaw: f.DraftLaw}
}

// Decode is the time of the rounds: what speculation can shorten.
func (r Row) Decode() time.Duration {
	t := r.Rounds.totals()
	return t.Draft + t.Verify + t.Accept + t.Rest
}
