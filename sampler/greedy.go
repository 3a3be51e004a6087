package sampler

import "foretoken/model"

// gate picks the best token where the logits live, so that one id leaves the
// device. It is false where this step needs the row: penalties or biases are
// active, the best id is padding, or the device knows no masks.
func (b *Builder) gate(l model.Logits, row int, at Position) (model.Token, bool, error) {
	if b.cfg.edits() {
		return 0, false, nil
	}
	if at.masked() {
		return b.maskedGate(l, row, at)
	}
	ids, err := l.Argmaxes()
	if err != nil || ids[row] < 0 || int(ids[row]) >= b.real {
		return 0, false, err
	}
	return ids[row], true, nil
}

func (b *Builder) maskedGate(l model.Logits, row int, at Position) (model.Token, bool, error) {
	device, ok := model.As[model.MaskedArgmax](l)
	if !ok {
		return 0, false, nil
	}
	mask, err := b.maskAt(at)
	if err != nil {
		return 0, false, err
	}
	t, err := device.MaskedArgmax(row, mask)
	if err == nil && t < 0 {
		err = b.none(row, at)
	}
	return t, err == nil, err
}
