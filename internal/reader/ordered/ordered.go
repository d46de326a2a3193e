// Package ordered runs a stage of work on several goroutines and hands over
// the results in the order in which the work came in.
package ordered

import (
	"context"
	"sync"
)

// Run calls produce, which emits items; work turns each item into a result on
// one of workers goroutines; consume gets the results, on the calling
// goroutine and in the order of emission. At most a few items per worker are
// under way at a time. newWorker is called once per goroutine and returns its
// work function, so that workers can keep state of their own.
//
// The first error of produce, consume or the context ends all; every goroutine
// has ended when Run returns. When the context ends, results already made are
// still consumed.
func Run[T, R any](
	ctx context.Context,
	workers int,
	produce func(emit func(T) error) error,
	newWorker func() func(T) R,
	consume func(R) error,
) error {
	workers = max(1, workers)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()

	type job struct {
		item   T
		result chan R
	}
	jobs := make(chan job)
	queue := make(chan chan R, 2*workers)

	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			work := newWorker()
			for j := range jobs {
				j.result <- work(j.item)
			}
		})
	}

	var produceErr error
	wg.Go(func() {
		defer close(queue)
		defer close(jobs)
		produceErr = produce(func(item T) error {
			if err := ctx.Err(); err != nil {
				return context.Cause(ctx)
			}
			j := job{item, make(chan R, 1)}
			select {
			case queue <- j.result:
			case <-ctx.Done():
				return context.Cause(ctx)
			}
			jobs <- j // workers never stop before jobs is closed
			return nil
		})
	})

	var consumeErr error
	for result := range queue {
		r := <-result
		if consumeErr != nil {
			continue
		}
		if consumeErr = consume(r); consumeErr != nil {
			cancel()
		}
	}
	wg.Wait()
	if consumeErr != nil {
		return consumeErr
	}
	return produceErr
}
