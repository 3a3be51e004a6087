// Package jsonmask holds the constraint engines of JSON output: any object, or
// what a JSON schema allows. Masks are exact over bytes: a token is allowed iff
// some valid text goes on with it.
//
// A schema is compiled to a grammar whose scalars are automata over bytes and
// whose objects and arrays are a stack. The states that a text can be in are
// numbered as they are met, with their transitions and masks, and a mask is made
// by walking a trie of the vocabulary: a step is never the whole vocabulary, byte
// by byte, and a state met before is a copy.
//
// The text is compact but for short runs of white space around the punctuation and
// before the value, as long as Options say. Strings are well-formed UTF-8
// without raw control characters or lone surrogates.
//
// Patterns are those of ECMA-262 with the flag u, found anywhere in a string: what it
// has and no automaton follows, back references, is refused, and so are assertions of
// what follows within those of what came before, and automata too large.
package jsonmask
