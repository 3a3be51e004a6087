package ref

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// A pool runs the items of a job on all cores. Which worker takes which item is
// chance; no result may depend on it. Waking an idle goroutine costs a hundred
// times what a small product does, so a worker spins for a while before it parks.
//
// A job is one word: its number, its count of items and the next item to take.
// Whoever takes an item by compare-and-swap holds the job open until it is done,
// so that what run wrote before the word is still there.
type pool struct {
	workers int
	f       func(worker, item int)
	busy    sync.Mutex // one job at a time

	_      [64]byte
	word   atomic.Uint64 // job<<40 | items<<20 | next
	_      [64]byte
	left   atomic.Int64 // items not done
	_      [64]byte
	parked atomic.Int64
	mu     sync.Mutex
	wake   sync.Cond
}

const (
	maxItems = 1<<20 - 1
	spins    = 20000 // of a few nanoseconds each: longer than what is serial between two jobs
)

// cores is the pool that sessions share unless told otherwise.
var cores = sync.OnceValue(func() *pool { return newPool(runtime.GOMAXPROCS(0)) })

// newPool starts workers-1 goroutines: run's caller is worker 0.
func newPool(workers int) *pool {
	p := &pool{workers: max(workers, 1)}
	p.wake.L = &p.mu
	for w := 1; w < p.workers; w++ {
		go p.work(w)
	}
	return p
}

// run calls f for every item in [0, items) and returns when all are done. When
// the pool is busy with another session's job it runs them here.
func (p *pool) run(items int, f func(worker, item int)) {
	if items == 1 || p.workers == 1 || items > maxItems || !p.busy.TryLock() {
		for i := range items {
			f(0, i)
		}
		return
	}
	defer p.busy.Unlock()
	p.f = f
	p.left.Store(int64(items))
	p.word.Store((p.word.Load()>>40+1)<<40 | uint64(items)<<20)
	if p.parked.Load() > 0 {
		p.mu.Lock()
		p.wake.Broadcast()
		p.mu.Unlock()
	}
	for p.step(0) {
	}
	for n := 1; p.left.Load() > 0; n++ {
		if n%spins == 0 {
			runtime.Gosched()
		}
		if n > 10*spins { // a worker lost its core: to spin on would keep it from one
			time.Sleep(100 * time.Microsecond)
		}
	}
}

// step runs one item, if there is one.
func (p *pool) step(worker int) bool {
	for {
		w := p.word.Load()
		next, items := w&maxItems, w>>20&maxItems
		if next >= items {
			return false
		}
		if p.word.CompareAndSwap(w, w+1) {
			p.f(worker, int(next))
			p.left.Add(-1)
			return true
		}
	}
}

func (p *pool) work(worker int) {
	for idle := 0; ; idle++ {
		switch {
		case p.step(worker):
			idle = 0
		case idle == spins:
			p.park()
			idle = 0
		}
	}
}

// park sleeps until there are items. A job that is set before parked is raised is
// seen here; one that is set after it wakes us.
func (p *pool) park() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.parked.Add(1)
	defer p.parked.Add(-1)
	for w := p.word.Load(); w&maxItems >= w>>20&maxItems; w = p.word.Load() {
		p.wake.Wait()
	}
}
