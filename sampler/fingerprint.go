package sampler

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

// PointFingerprint is what the distribution of a deterministic choice carries.
const PointFingerprint = "point"

// Fingerprint names the rules that decide a distribution over ids [0, real): the
// order, the temperature, the filters, the penalties with their window rule, the
// logit bias and the ids. Rules that are off are left out, so that two ways of
// saying the same have one name. A mask is not in it: grammar state is an
// argument. Greedy is PointFingerprint, as a point's q is exact by whatever
// rules it was chosen.
func (c Config) Fingerprint(real int) string {
	if c.Greedy() {
		return PointFingerprint
	}
	order := c.Order
	if order == "" {
		order = TemperatureFirst
	}
	var s strings.Builder
	fmt.Fprintf(&s, "%s t=%v", order, c.Temperature)
	if c.TopP > 0 && c.TopP < 1 {
		fmt.Fprintf(&s, " top_p=%v", c.TopP)
	}
	if c.MinP > 0 {
		fmt.Fprintf(&s, " min_p=%v", c.MinP)
	}
	if c.TopK > 0 && c.TopK < real {
		fmt.Fprintf(&s, " top_k=%d", c.TopK)
	}
	if p := c.Penalties; p.Active() {
		fmt.Fprintf(&s, " repetition=%v presence=%v frequency=%v window=%s/%d",
			p.Repetition, p.Presence, p.Frequency, order.windowRule(), p.Window)
	}
	if n, sum := c.biasDigest(real); n > 0 {
		fmt.Fprintf(&s, " bias=%d:%x", n, sum)
	}
	fmt.Fprintf(&s, " ids=%d", real)
	return s.String()
}

// biasDigest counts and hashes the biases of ids [0, real).
func (c Config) biasDigest(real int) (int, []byte) {
	h, n := sha256.New(), 0
	for _, t := range slices.Sorted(maps.Keys(c.LogitBias)) {
		if v := c.LogitBias[t]; t >= 0 && int(t) < real && v != 0 {
			binary.Write(h, binary.LittleEndian, [2]uint32{uint32(t), math.Float32bits(v)})
			n++
		}
	}
	return n, h.Sum(nil)[:6]
}
