// Package embedded is a small target and a smaller draft for it, which the program
// carries: a folder each, target and draft, of config.json, tokenizer.json,
// tokenizer_config.json and model.safetensors, in groups of int8. It has the form of
// five domains' texts, and needs no download. README.md is its card.
package embedded

import (
	"embed"
	"io/fs"
)

// Names of the models, as a config calls them.
const (
	Target = "embedded"
	Draft  = "embedded-draft"
)

//go:embed target draft
var files embed.FS

// Open returns the folder of the model called name; ok is false where this is no
// model's name.
func Open(name string) (folder fs.FS, ok bool) {
	dir, ok := map[string]string{Target: "target", Draft: "draft"}[name]
	if !ok {
		return nil, false
	}
	folder, err := fs.Sub(files, dir)
	if err != nil {
		panic("embedded: " + err.Error())
	}
	return folder, true
}
