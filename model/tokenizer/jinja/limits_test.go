package jinja

import (
	"strings"
	"testing"
	"time"
)

// TestLimits: what would not end, or would end too large, is an error that says so.
func TestLimits(t *testing.T) {
	twice := strings.Repeat("{% set a = a + a %}", 40)
	deep := "{% set a = [] %}" + strings.Repeat("{% set a = [a, a] %}", 60)
	for _, c := range []struct{ template, want string }{
		{"{% macro a() %}{{ a() }}{% endmacro %}{{ a() }}", "more than 100 calls"},
		{"{% macro a() %}{{ b() }}{% endmacro %}{% macro b() %}{{ a() }}{% endmacro %}{{ b() }}", "more than 100 calls"},
		{"{% for m in [1] recursive %}{{ loop([1]) }}{% endfor %}", "more than 100 calls"},
		{"{% for i in range(1000000000) %}x{% endfor %}", "more than 100000 numbers"},
		{"{% for i in range(99999) %}{% for j in range(99999) %}x{% endfor %}{% endfor %}", "more than"},
		{"{{ " + strings.Repeat("(", 1<<16) + "1", "within each other"},
		{"{{ " + strings.Repeat("not ", 1<<16) + "1", "within each other"},
		{"{{ " + strings.Repeat("-", 1<<16) + "1 }}", "within each other"},
		{strings.Repeat("{% if 1 %}", 1<<14), "within each other"},
		{strings.Repeat("x", 1<<21), "bytes, want at most"},
		{"\xff", "UTF-8"},
		{"{{ 'ab' * 1000000000 * 1000000000 }}", "more than"},
		{"{{ [1] * 1000000000 }}", "more than"},
		{"{% set a = 'ab' %}" + twice, "more than"},
		{"{% set a = [1] %}" + twice, "more than"},
		{"{% set a = (1,) %}" + twice, "more than"},
		{deep + "{{ a }}", "more than"},
		{deep + "{{ a | tojson }}", "more than"},
		{deep + "{{ a == a + [] }}", "more than"},
		{deep + "{{ a < a + [1] }}", "more than"},
		{"{{ 'x'.center(1000000000) }}", "more than"},
		{"{{ '%1000000000d' % 1 }}", "more than"},
		{"{{ '%.1000000000f' % 1 }}", "precision"},
		{"{{ '{:>1000000000}'.format(1) }}", "more than"},
		{"{{ '{:01000000000,}'.format(1) }}", "a width of"},
		{"{{ ('a' * 1000000).replace('', 'b' * 1000000) }}", "more than"},
		{"{{ range(100000) | map('string') | join('x' * 10000) }}", "more than"},
		{"{{ [1] | tojson(indent=1000000000) }}", "more than"},
		{"{{ ('a\n' * 100000) | indent(100000) }}", "more than"},
		{"{{ [1] | batch(1000000000, 0) | list }}", "more than"},
		{"{{ [1] | slice(1000000000, 0) | list }}", "more than"},
		{"{{ 10 ** 30 }}", "64 bits"},
		{"{{ 2 ** 9223372036854775807 }}", "64 bits"},
		{"{{ 9223372036854775807 + 1 }}", "64 bits"},
		{"{{ 9223372036854775808 }}", "64 bits"},
		{"{{ -9223372036854775807 - 2 }}", "64 bits"},
	} {
		began := time.Now()
		text, err := render(c.template, nil)
		if err == nil || text != "" || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.60s: got %.60q, %v; want an error with %q", c.template, text, err, c.want)
		}
		if took := time.Since(began); took > time.Minute {
			t.Errorf("%.60s took %s", c.template, took)
		}
	}
}

// TestRefused: an error says the line and what is wrong there.
func TestRefused(t *testing.T) {
	for _, c := range []struct{ template, want string }{
		{"a\n{% for m in %}", "line 2: got %}, want an expression"},
		{"{{ 1", "got end of the template, want }}"},
		{"{% if 1 %}", "the template ends before elif"},
		{"{% endif %}", `no tag "endif" here`},
		{"{% include 'x' %}", `no tag "include" here`},
		{"{% do x %}", `no tag "do" here`},
		{"{% block a %}{% endblock %}", `no tag "block" here`},
		{"{{ x | nofilter }}", `no filter named "nofilter"`},
		{"{{ x is notest }}", `no test named "notest"`},
		{"{% set loop = 1 %}{% for a in b %}{% set loop = 2 %}{% endfor %}", "loop cannot be assigned to"},
		{"{% break %}", "outside a loop"},
		{"{# ", "a comment without its end"},
		{"{% raw %}", "raw without endraw"},
		{"{{ (1] }}", `unexpected "]"`},
		{"{{ 'a }}", `unexpected '\''`},
		{"{% set none = 1 %}", "cannot be assigned to"},
		{"{{ raise_exception('roles must alternate') }}", "roles must alternate"},
		{"{{ messages.x }}", "'messages' is undefined"},
		{"{{ {}.x.y }}", "'dict object' has no attribute 'x'"},
		{"{% autoescape true %}{% endautoescape %}", "autoescape is not supported"},
	} {
		if text, err := render(c.template, nil); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %q, %v; want an error with %q", c.template, text, err, c.want)
		}
	}
}
