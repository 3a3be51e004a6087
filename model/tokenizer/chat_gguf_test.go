//go:build models

package tokenizer

import "testing"

// TestSmolLM2Chat renders the template of the GGUF itself.
func TestSmolLM2Chat(t *testing.T) {
	tok := openGGUF(t)
	text, err := tok.Chat([]Message{{Role: "user", Content: "Hi"}}, ChatOptions{AddGenerationPrompt: true})
	if err != nil {
		t.Fatal(err)
	}
	want := "<|im_start|>system\nYou are a helpful AI assistant named SmolLM, trained by Hugging Face<|im_end|>\n<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n"
	if text != want {
		t.Errorf("got %q\nwant %q", text, want)
	}
	if ids := tok.Prompt(text); ids[0] != 1 || ids[1] == 1 || tok.Decode(ids, false) != text {
		t.Errorf("prompt %v decodes to %q", ids, tok.Decode(ids, false))
	}
}
