package results

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// Title is one line on what the run was.
func (s Summary) Title() string {
	h := s.Header
	parts := []string{h.Name, h.Started.Format(time.DateTime)}
	if len(h.Models) > 0 {
		parts = append(parts, "target "+h.Models[0].Ref)
	}
	parts = append(parts, fmt.Sprintf("%d of %d rows", s.Rows, h.Rows))
	if h.Host.CPU != "" {
		parts = append(parts, fmt.Sprintf("%s (%d cores)", h.Host.CPU, h.Host.Cores))
	}
	if s.Names.Common != "" {
		parts = append(parts, s.Names.Common)
	}
	return strings.Join(parts, ", ")
}

// Measured is a line on what was measured: the target, its engine, the machine, and how
// long texts may be.
func (s Summary) Measured() string {
	h := s.Header
	var parts []string
	if len(h.Models) > 0 {
		engine, target, ok := strings.Cut(h.Models[0].Ref, ":")
		if !ok || strings.ContainsAny(engine, `/\.`) {
			engine, target = "ref", h.Models[0].Ref
		}
		parts = append(parts, fmt.Sprintf("target %s on %s", target, engine))
	}
	if h.Host.CPU != "" {
		parts = append(parts, fmt.Sprintf("%d cores of %s", h.Host.Cores, h.Host.CPU))
	}
	var config struct {
		MaxTokens int `json:"max_tokens"`
	}
	switch err := json.Unmarshal(h.Config, &config); {
	case err == nil && config.MaxTokens > 0:
		parts = append(parts, fmt.Sprintf("at most %d tokens per text", config.MaxTokens))
	case err == nil && config.MaxTokens < 0:
		parts = append(parts, "texts as long as the context allows")
	}
	return strings.Join(parts, "; ")
}
