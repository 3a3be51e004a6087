package experiments

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"foretoken/results"
	"foretoken/sampler"
	"foretoken/verify"
)

// validate reports the first thing that makes no sense.
func (d *decoder) validate(c *Config) error {
	for _, check := range []func(*Config) error{d.checkModels, d.checkDrafters, d.checkArms, d.checkSampler, d.checkPrompts, d.checkNumbers, d.checkConstraints} {
		if err := check(c); err != nil {
			return err
		}
	}
	return nil
}

func (d *decoder) checkModels(c *Config) error {
	if c.Target == "" {
		return d.fail("target", "is missing, want a model: a folder, a GGUF file, or a name")
	}
	if strings.ContainsAny(c.Name, `/\`) || strings.ContainsFunc(c.Name, unicode.IsControl) || c.Name == "." || c.Name == ".." {
		return d.fail("name", fmt.Sprintf("%q, want a name that can be a folder's", c.Name))
	}
	return nil
}

func (d *decoder) checkArms(c *Config) error {
	switch {
	case slices.ContainsFunc(c.Drafters, func(one Drafter) bool { return len(one.lengths(*c)) == 0 }):
		return d.fail("k", "is missing, want the draft lengths, such as [1, 2, 4]")
	case len(c.Drafters) == 0 && len(c.K) > 0:
		return d.fail("k", "is of no use without drafters")
	case len(c.Verifiers) == 0:
		return d.fail("verifiers", "is empty, want some of "+strings.Join(verify.Names(), ", "))
	}
	if err := d.checkLengths("k", c.K); err != nil {
		return err
	}
	for i, one := range c.Drafters {
		if err := d.checkLengths(fmt.Sprintf("drafters[%d].k", i), one.K); err != nil {
			return err
		}
	}
	for i, v := range c.Verifiers {
		if !slices.Contains(verify.Names(), v) {
			return d.fail(fmt.Sprintf("verifiers[%d]", i), unknownName(v, verify.Names()))
		}
	}
	for _, err := range []error{distinct(d, "verifiers", c.Verifiers),
		distinct(d, "temperatures", c.Temperatures), distinct(d, "seeds", c.Seeds)} {
		if err != nil {
			return err
		}
	}
	return nil
}

func (d *decoder) checkLengths(path string, ks []int) error {
	for i, k := range ks {
		if k < 1 {
			return d.fail(fmt.Sprintf("%s[%d]", path, i), fmt.Sprintf("%d, want at least 1; plain decoding (0) is always run", k))
		}
		if k > results.MaxK {
			return d.fail(fmt.Sprintf("%s[%d]", path, i), fmt.Sprintf("%d, want at most %d", k, results.MaxK))
		}
	}
	return distinct(d, path, ks)
}

func (d *decoder) checkSampler(c *Config) error {
	if d.has("temperatures") && d.has("sampler.temperature") && !slices.Contains(c.Temperatures, widen(c.Sampler.Temperature)) {
		return d.fail("temperatures", fmt.Sprintf("lack sampler.temperature, %v; say them in one place", c.Sampler.Temperature))
	}
	for i, t := range c.Temperatures {
		path := "sampler.temperature"
		if d.has("temperatures") {
			path = fmt.Sprintf("temperatures[%d]", i)
		}
		if math.IsNaN(t) || math.IsInf(t, 0) || t < 0 {
			return d.fail(path, fmt.Sprintf("%v, want a number of at least 0", t))
		}
		if t > 0 && len(c.Drafters) > 0 && !c.Stochastic {
			return d.fail(path, fmt.Sprintf("%v with drafters needs stochastic: true; greedy speculation (temperature 0) is the default", t))
		}
		at := c.Sampler
		at.Temperature = float32(t)
		if err := at.Validate(); err != nil {
			return d.fail("sampler", strings.TrimPrefix(err.Error(), "sampler: "))
		}
	}
	return nil
}

func (d *decoder) checkPrompts(c *Config) error {
	if len(c.Prompts) == 0 {
		return d.fail("prompts", "is missing, want at least one file")
	}
	for i, p := range c.Prompts {
		path := fmt.Sprintf("prompts[%d]", i)
		switch {
		case p.File == "":
			return d.fail(path, "file is missing, want a JSONL file of prompts")
		case p.Limit < 0:
			return d.fail(path+".limit", fmt.Sprintf("%d, want at least 1; leave it out for all", p.Limit))
		}
		for j := range i {
			if filepath.Clean(c.Prompts[j].File) == filepath.Clean(p.File) {
				return d.fail(path+".file", fmt.Sprintf("%s is prompts[%d] already", p.File, j))
			}
		}
		if err := distinct(d, path+".domains", p.Domains); err != nil {
			return err
		}
	}
	return nil
}

// most is how often a config may have a request run: the whole run is laid out
// in memory.
const most = 10000

func (d *decoder) checkNumbers(c *Config) error {
	switch {
	case len(c.Seeds) == 0:
		return d.fail("seeds", "is empty, want at least one")
	case len(c.Seeds) > 1 && !slices.ContainsFunc(c.Temperatures, func(t float64) bool { return t > 0 }):
		return d.fail("seeds", "draw nothing at temperature 0, where one run says all; want repeats for more times")
	case c.Repeats < 1 || c.Repeats > most:
		return d.fail("repeats", fmt.Sprintf("%d, want 1 to %d", c.Repeats, most))
	case c.MaxTokens == 0 || c.MaxTokens < -1:
		return d.fail("max_tokens", fmt.Sprintf("%d, want at least 1, or -1 for as many as the context holds", c.MaxTokens))
	case c.WarmUp < 0 || c.WarmUp > most:
		return d.fail("warm_up", fmt.Sprintf("%d, want 0 to %d", c.WarmUp, most))
	}
	for i, s := range c.Stop {
		if s == "" {
			return d.fail(fmt.Sprintf("stop[%d]", i), "is empty, want text")
		}
	}
	if c.IgnoreEOS && len(c.EOS) > 0 {
		return d.fail("eos", "is of no use with ignore_eos: true; want one of the two")
	}
	return errors.Join(distinct(d, "eos", c.EOS), distinct(d, "stop", c.Stop))
}

func (d *decoder) fail(path, reason string) error { return d.source.fail(d.at[path], path, reason) }

func (d *decoder) has(path string) bool { return d.at[path] != nil }

func distinct[T comparable](d *decoder, path string, values []T) error {
	for i, v := range values {
		if j := slices.Index(values, v); j >= 0 && j < i {
			return d.fail(fmt.Sprintf("%s[%d]", path, i), fmt.Sprintf("%v is there already", v))
		}
	}
	return nil
}

func unknownName(name string, names []string) string {
	if best, ok := nearest(name, names); ok {
		return fmt.Sprintf("no %q, did you mean %q?", name, best)
	}
	return fmt.Sprintf("no %q, want one of %s", name, strings.Join(names, ", "))
}

// at is the sampler of one temperature.
func (c Config) at(temperature float64) sampler.Config {
	s := c.Sampler
	s.Temperature = float32(temperature)
	return s
}

// widen keeps the decimal that was written: 0.8 stays 0.8.
func widen(x float32) float64 {
	y, err := strconv.ParseFloat(strconv.FormatFloat(float64(x), 'g', -1, 32), 64)
	if err != nil {
		return float64(x) // NaN and infinities
	}
	return y
}

func baseName(ref string) string {
	return strings.TrimSuffix(filepath.Base(ref), filepath.Ext(ref))
}
