package load

import (
	"slices"

	"foretoken/model"
	"foretoken/model/checkpoint"
	"foretoken/model/tokenizer"
)

// An End is a token that ends a sequence, and who says so.
type End struct {
	Token model.Token
	Text  string
	From  []string // "checkpoint", "tokenizer", "its text", in that order
}

// turnEnds are control tokens that end a turn or a text in some family, whatever a file's
// own fields say: a conversion that names one of several as its end of sequence is common.
// The list is that of llama.cpp's vocabulary.
var turnEnds = []string{
	"<|eot_id|>", "<|im_end|>", "<|end|>", "<|return|>", "<|call|>", "<|end_of_text|>", "<|endoftext|>", "<|eom_id|>", "<end_of_turn>",
	"<EOT>", "_<EOT>", "< EOT >", "<|EOT|>", "<end_of_utterance>", "<｜end▁of▁sentence｜>", "</s>",
}

// endsOf collects the ends of a model: those of its configuration (for GGUF the ids of eos,
// eot and eom), its tokenizer's, and the control tokens of turnEnds.
func endsOf(ck *checkpoint.Checkpoint, tok *tokenizer.Tokenizer) []End {
	var ends []End
	add := func(id model.Token, from string) {
		i := slices.IndexFunc(ends, func(e End) bool { return e.Token == id })
		if i < 0 {
			i, ends = len(ends), append(ends, End{Token: id, Text: tok.Piece(id)})
		}
		if !slices.Contains(ends[i].From, from) {
			ends[i].From = append(ends[i].From, from)
		}
	}
	for _, id := range ck.Config.EOS {
		add(id, "checkpoint")
	}
	if tok.EOS != tokenizer.None {
		add(tok.EOS, "tokenizer")
	}
	for _, text := range turnEnds {
		if id, ok := tok.ID(text); ok && tok.Special(id) {
			add(id, "its text")
		}
	}
	return ends
}
