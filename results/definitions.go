package results

import (
	"fmt"
	"math"
	"time"

	"foretoken/stat"
)

// definitions are all figures of a run, in the order of files.
var definitions = []Definition{
	{Name: "prompts", Head: "n", Text: "prompts that have rows", write: whole,
		arm: count(func(a ArmSummary) int { return a.Prompts }), domain: func(d DomainSummary) stat.Interval { return bareOf(d.Prompts) }},
	{Name: "acceptance", Head: "acceptance", Unit: "share", Text: "accepted / judged (a token after a rejection was never judged)", write: stat.Percent.Interval, interval: true,
		arm: func(a ArmSummary) stat.Interval { return a.Acceptance }, domain: func(d DomainSummary) stat.Interval { return d.Acceptance }},
	{Name: "tokens_per_round", Head: "tokens/round", Unit: "tokens", Text: "emitted / rounds, the target's own token counted", write: stat.Plain.Interval, interval: true,
		arm: func(a ArmSummary) stat.Interval { return a.PerRound }, domain: func(d DomainSummary) stat.Interval { return d.PerRound }},
	{Name: "speedup", Head: "speed-up", Unit: "x", write: stat.Speedup.Interval, interval: true,
		Text: "time of the control's rounds for as many tokens / time of the arm's rounds, paired by prompt, its interval symmetric on the log below 20 prompts; ~ where the interval holds 1 or is missing",
		arm:  func(a ArmSummary) stat.Interval { return a.Speedup }, domain: func(d DomainSummary) stat.Interval { return d.Speedup }},
	{Name: "expected_speedup", Head: "expected", Unit: "x", write: stat.Times.Interval,
		Text: "sum of (1 + a1 + ... + a1*...*ad) / sum of (d*c + t(d+1)/t(1)) over the rounds, each of which drafted d tokens; costs as measured; none below 5 prompts",
		arm:  alone(func(a ArmSummary) float64 { return a.Expected })},
	{Name: "leviathan_speedup", Head: "Leviathan's", Unit: "x", write: stat.Times.Interval,
		Text: "(1-a^(K+1)) / ((1-a)(K*c+1)); assumes that a verify costs one step and that every round drafts K tokens",
		arm:  alone(func(a ArmSummary) float64 { return a.Leviathan })},
	{Name: "parity_equal", Head: "equal", Text: "requests whose tokens are the control's", write: whole,
		arm: count(func(a ArmSummary) int { return CountParity(a.Parity, "").Equal }), domain: func(d DomainSummary) stat.Interval { return bareOf(d.Parity.Equal) }},
	{Name: "parity_paired", Head: "paired", Text: "requests that have a control", write: whole,
		arm: count(func(a ArmSummary) int { return CountParity(a.Parity, "").Paired() }), domain: func(d DomainSummary) stat.Interval { return bareOf(d.Parity.Paired()) }},
	{Name: "requests", Head: "requests", Text: "rows of the run", write: whole, arm: count(func(a ArmSummary) int { return a.Requests })},
	{Name: "tokens", Head: "tokens", Text: "tokens emitted", write: whole, arm: count(func(a ArmSummary) int { return a.Tokens })},
	{Name: "rounds", Head: "rounds", Text: "forwards of the target that decided tokens", write: whole, arm: count(func(a ArmSummary) int { return a.Rounds })},
	{Name: "drafted", Head: "drafted", Text: "draft tokens proposed", write: whole, arm: count(func(a ArmSummary) int { return a.Drafted })},
	{Name: "judged", Head: "judged", Text: "draft tokens that the rule came to", write: whole, arm: count(func(a ArmSummary) int { return a.Judged })},
	{Name: "accepted", Head: "accepted", Text: "draft tokens emitted", write: whole, arm: count(func(a ArmSummary) int { return a.Accepted })},
	{Name: "of_drafted", Head: "of drafted", Unit: "share", Text: "accepted / drafted, which counts as lost what was never judged", write: stat.Percent.Interval, interval: true,
		arm: func(a ArmSummary) stat.Interval { return a.OfDrafted }},
	{Name: "drafted_per_round", Head: "drafted/round", Unit: "tokens", Text: "drafted / rounds", write: stat.Plain.Interval,
		arm: alone(func(a ArmSummary) float64 { return float64(a.Drafted) / float64(a.Rounds) })},
	{Name: "tokens_per_second", Head: "tokens/s", Unit: "tokens/s", Text: "tokens / time of the rounds, prefill left out", write: stat.Format{Digits: 1}.Interval,
		arm: alone(func(a ArmSummary) float64 { return a.Rate })},
	{Name: "draft_share", Head: "draft", Unit: "share", Text: shareText, write: stat.Percent.Interval, arm: alone(func(a ArmSummary) float64 { return a.Split.Draft })},
	{Name: "verify_share", Head: "verify", Unit: "share", Text: shareText, write: stat.Percent.Interval, arm: alone(func(a ArmSummary) float64 { return a.Split.Verify })},
	{Name: "accept_share", Head: "accept", Unit: "share", Text: shareText, write: stat.Percent.Interval, arm: alone(func(a ArmSummary) float64 { return a.Split.Accept })},
	{Name: "rest_share", Head: "rest", Unit: "share", Text: shareText, write: stat.Percent.Interval, arm: alone(func(a ArmSummary) float64 { return a.Split.Rest })},
	{Name: "outside_share", Head: "outside", Unit: "share", Text: "set-up and prefill, as a share of the wall time", write: stat.Percent.Interval, arm: alone(func(a ArmSummary) float64 { return a.Split.Outside })},
	{Name: "first_token_seconds", Head: "first token", Unit: "s", Text: requestText, write: span, arm: seconds(func(a ArmSummary) time.Duration { return a.FirstToken })},
	{Name: "gap_p50_seconds", Head: "gap p50", Unit: "s", Text: requestText, write: span, arm: seconds(func(a ArmSummary) time.Duration { return a.GapP50 })},
	{Name: "gap_p95_seconds", Head: "gap p95", Unit: "s", Text: requestText, write: span, arm: seconds(func(a ArmSummary) time.Duration { return a.GapP95 })},
	{Name: "t1_seconds", Head: "t(1)", Unit: "s", Text: "a forward of one row of the control; " + costText, write: span, arm: seconds(func(a ArmSummary) time.Duration { return a.Costs.One })},
	{Name: "c", Head: "c", Unit: "t(1)", Text: "time to draft a token, in t(1); " + costText, write: stat.Format{Digits: 3}.Interval, arm: alone(func(a ArmSummary) float64 { return a.Costs.Draft })},
	{Name: "verify_ratio", Head: "t(K+1)/t(1)", Unit: "t(1)", Text: "a forward of K+1 rows, in t(1); " + costText, write: stat.Plain.Interval, arm: alone(func(a ArmSummary) float64 { return a.Costs.At(a.Arm.K + 1) })},
	{Name: "cyclic_share", Head: "cyclic", Unit: "share", Text: "share of the tokens that stand in a cycle of at most 24 tokens, three times over", write: stat.Percent.Interval, arm: alone(func(a ArmSummary) float64 { return a.Cyclic })},
	{Name: "refused", Head: "refused", Text: "judged drafts that the model refused", write: whole, arm: count(func(a ArmSummary) int { return a.Judged - a.Accepted - a.Constraint.Killed })},
	{Name: "killed", Head: "killed", Text: "judged drafts that the constraint forbade, whatever the model thought", write: whole, arm: count(func(a ArmSummary) int { return a.Constraint.Killed })},
	{Name: "of_allowed", Head: "of allowed", Unit: "share", Text: "accepted / (judged - killed)", write: stat.Percent.Interval, interval: true,
		arm: func(a ArmSummary) stat.Interval { return a.Constraint.OfAllowed }},
	{Name: "whole", Head: "whole", Text: "requests that ended by themselves, of all; the others were cut, or ended while thinking, so their text may be no whole JSON", write: whole,
		arm: count(func(a ArmSummary) int { return a.Constraint.Whole })},
	{Name: "reasoning_tokens", Head: "reasoning", Unit: "tokens", Text: "tokens inside thinking blocks, their tags left out", write: whole, arm: count(func(a ArmSummary) int { return a.Constraint.Reasoning })},

	{Name: "position_accepted", Head: "accepted", Text: "rounds that kept the draft token here", write: whole, position: func(p Position) stat.Interval { return bareOf(p.Accepted) }},
	{Name: "position_judged", Head: "judged", Text: "rounds that came to the draft token here", write: whole, position: func(p Position) stat.Interval { return bareOf(p.Judged) }},
	{Name: "position_acceptance", Head: "acceptance", Unit: "share", Text: "accepted / judged at a position, given that every position before was accepted", write: stat.Percent.Interval, interval: true,
		position: func(p Position) stat.Interval { return p.Estimate }},
}

// What several definitions say.
const (
	shareText   = "share of the rounds' time"
	requestText = "median over requests"
	costText    = "median over rounds after the first"
)

// whole writes a count.
func whole(i stat.Interval) string { return fmt.Sprint(int(i.Value)) }

// span writes seconds.
func span(i stat.Interval) string {
	return stat.Duration(time.Duration(math.Round(i.Value * float64(time.Second))))
}

func bareOf(n int) stat.Interval { return stat.Alone(float64(n), 0) }

func count(of func(ArmSummary) int) func(ArmSummary) stat.Interval {
	return func(a ArmSummary) stat.Interval { return bareOf(of(a)) }
}

func alone(of func(ArmSummary) float64) func(ArmSummary) stat.Interval {
	return func(a ArmSummary) stat.Interval { return stat.Alone(of(a), 0) }
}

func seconds(of func(ArmSummary) time.Duration) func(ArmSummary) stat.Interval {
	return alone(func(a ArmSummary) float64 { return of(a).Seconds() })
}
