//go:build models

package tokenizer

import (
	"encoding/json"
	"path/filepath"
	"testing"
)

// A conversation is what Jinja2 was given, in its words.
type conversation struct {
	Messages []struct {
		Role, Content string
		Reasoning     string `json:"reasoning_content"`
		ToolCallID    string `json:"tool_call_id"`
		ToolCalls     []struct {
			ID       string
			Function struct {
				Name      string
				Arguments json.RawMessage
			}
		} `json:"tool_calls"`
	}
	Tools      []json.RawMessage
	Generation bool  `json:"add_generation_prompt"`
	Thinking   *bool `json:"enable_thinking"`
}

func (c conversation) render(tok *Tokenizer) (string, error) {
	var messages []Message
	for _, m := range c.Messages {
		turn := Message{Role: m.Role, Content: m.Content, ReasoningContent: m.Reasoning, ToolCallID: m.ToolCallID}
		for _, call := range m.ToolCalls {
			turn.ToolCalls = append(turn.ToolCalls, ToolCall{ID: call.ID, Name: call.Function.Name, Arguments: call.Function.Arguments})
		}
		messages = append(messages, turn)
	}
	return tok.Chat(messages, ChatOptions{Tools: c.Tools, EnableThinking: c.Thinking, AddGenerationPrompt: c.Generation})
}

// TestChat compares the templates of real models with Jinja2; null is a refusal.
func TestChat(t *testing.T) {
	var conversations []conversation
	readJSON(t, filepath.Join("testdata", "conversations.json"), &conversations)
	var want map[string]json.RawMessage
	readJSON(t, filepath.Join("testdata", "chat.json"), &want)
	for name, tok := range map[string]*Tokenizer{
		"smollm2": openGGUF(t), "qwen3": open(t, "qwen3"), "llama3": open(t, "llama3"),
	} {
		var texts []*string
		if err := json.Unmarshal(want[name], &texts); err != nil || len(texts) != len(conversations) {
			t.Fatalf("%s: %d golden texts for %d conversations: %v", name, len(texts), len(conversations), err)
		}
		for i, c := range conversations {
			got, err := c.render(tok)
			switch {
			case texts[i] == nil && err == nil:
				t.Errorf("%s, conversation %d: got %q, want a refusal", name, i, got)
			case texts[i] != nil && err != nil:
				t.Errorf("%s, conversation %d: %v", name, i, err)
			case texts[i] != nil && got != *texts[i]:
				t.Errorf("%s, conversation %d:\n got %q\nwant %q", name, i, got, *texts[i])
			}
		}
	}
}
