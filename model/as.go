package model

// An Unwrapper is a wrapper of a model, a session, logits or a drafter. Capabilities
// that the wrapper does not have itself are looked for in what it wraps.
type Unwrapper interface {
	// Unwrap returns the wrapped value, nil where there is none.
	Unwrap() any
}

// As returns v as the optional capability T: v itself, or the first value below it, by
// Unwrap, that has T. Every optional interface of this project is asked for through As,
// so that a wrapper hides a capability only where it means to.
func As[T any](v any) (T, bool) {
	for v != nil {
		if found, ok := v.(T); ok {
			return found, true
		}
		w, ok := v.(Unwrapper)
		if !ok {
			break
		}
		v = w.Unwrap()
	}
	var none T
	return none, false
}
