package experiments

import (
	"fmt"
	"io"
	"sync/atomic"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"foretoken/results"
)

// Progress hears how a run goes.
type Progress interface {
	Note(text string)      // before Start
	Start(total, done int) // rows of the run, and those of it that were there
	Row(results.Row)
	Stop()
}

// NewProgress is a bar with the time left on a terminal, else plain lines, the
// first at once and then one every few seconds.
func NewProgress(w io.Writer, terminal bool) Progress {
	if terminal {
		return &bar{w: w}
	}
	return &lines{w: w, every: 5 * time.Second}
}

type silent struct{}

func (silent) Note(string)     {}
func (silent) Start(int, int)  {}
func (silent) Row(results.Row) {}
func (silent) Stop()           {}

type bar struct {
	w    io.Writer
	all  *mpb.Progress
	bar  *mpb.Bar
	what atomic.Pointer[string] // read by the bar's own goroutine
}

func (b *bar) Note(text string) { fmt.Fprintln(b.w, text) }

func (b *bar) Start(total, done int) {
	b.all = mpb.New(mpb.WithOutput(b.w), mpb.WithWidth(40))
	b.bar = b.all.AddBar(int64(total), mpb.PrependDecorators(decor.CountersNoUnit("%d/%d ")),
		mpb.AppendDecorators(decor.AverageETA(decor.ET_STYLE_GO), decor.Name(" left  "), decor.Any(b.label)))
	b.bar.SetRefill(int64(done))
	b.bar.IncrBy(done)
	b.bar.DecoratorAverageAdjust(time.Now())
}

func (b *bar) label(decor.Statistics) string {
	if what := b.what.Load(); what != nil {
		return *what
	}
	return ""
}

func (b *bar) Row(r results.Row) {
	what := r.Arm + " " + r.Prompt
	b.what.Store(&what)
	b.bar.Increment()
}

func (b *bar) Stop() {
	b.bar.Abort(false) // does nothing to a bar that is full
	b.all.Wait()
}

// lines are for logs.
type lines struct {
	w           io.Writer
	every       time.Duration
	total, done int
	were        int // rows there before
	begun, last time.Time
}

func (l *lines) Note(text string) { fmt.Fprintln(l.w, text) }

func (l *lines) Start(total, done int) {
	l.total, l.done, l.were, l.begun = total, done, done, time.Now()
}

func (l *lines) Row(r results.Row) {
	l.done++
	now := time.Now()
	if l.done < l.total && now.Sub(l.last) < l.every {
		return
	}
	l.last = now
	left := now.Sub(l.begun) / time.Duration(l.done-l.were) * time.Duration(l.total-l.done)
	fmt.Fprintf(l.w, "%d/%d rows, %v left (%s, %s: %d tokens)\n", l.done, l.total, left.Round(time.Second), r.Arm, r.Prompt, len(r.Tokens))
}

func (l *lines) Stop() {}
