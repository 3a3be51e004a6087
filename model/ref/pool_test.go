package ref

import (
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// Every item is run once and before run returns, also where workers sleep so long
// over one that run stops spinning, where run is so late with a job that they park,
// and where pools share the cores.
func TestPool(t *testing.T) {
	var all sync.WaitGroup
	for i := range 3 {
		all.Go(func() {
			p, r := newPool(4), rand.New(rand.NewPCG(uint64(i), 1))
			for range 200 {
				items := 1 + r.IntN(50)
				slow := r.IntN(4 * items)
				done := make([]atomic.Int32, items)
				p.run(items, func(worker, item int) {
					if item == slow {
						time.Sleep(2 * time.Millisecond)
					}
					done[item].Add(1)
				})
				for item := range done {
					if n := done[item].Load(); n != 1 {
						t.Errorf("item %d of %d was run %d times", item, items, n)
						return
					}
				}
				if r.IntN(20) == 0 {
					time.Sleep(2 * time.Millisecond)
				}
			}
		})
	}
	all.Wait()
}
