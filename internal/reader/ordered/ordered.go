// Package ordered runs a stage of work on several goroutines and hands over
// the results in the order in which the work came in.
package ordered

import (
	"context"
	"slices"
	"sync"
)

// Run reads items with fill, turns each into a result with work, and hands the
// results to consume in the order in which fill gave the items.
//
// The calling goroutine is one of the workers and the only one that consumes;
// it does what the others have made first. A worker fills an item, works on it
// and fills the same one again, so that what it keeps in it stays with one
// processor. fill is called by one worker at a time, and returns false at the
// end of the input; it is not called again after that, or after an error.
// newWorker is called once for each worker, with its number from 0, which is
// the calling goroutine's; the others start when a first item was there. Not
// more than a few results for each worker wait at a time.
//
// The first error of fill, consume or the context ends all; every goroutine
// has ended when Run returns. Results of items that were filled before fill
// failed or the context ended are still consumed.
func Run[T, R any](
	ctx context.Context,
	workers int,
	fill func(*T) (bool, error),
	newWorker func(number int) func(*T) R,
	consume func(R) error,
) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // after a panic the helpers end by themselves
	helpers := max(1, workers) - 1
	r := run[T, R]{
		ctx: ctx, fill: fill, consume: consume, turn: make(chan struct{}, 1),
		tokens: make(chan struct{}, waiting*helpers), queue: make(chan chan R, waiting*helpers),
	}
	var wg sync.WaitGroup
	err := r.lead(newWorker(0), func() {
		for i := range helpers {
			wg.Go(func() { r.help(newWorker(i + 1)) })
		}
	})
	wg.Wait() // not deferred: a panic must not wait for an input that is slow
	return err
}

// waiting is how many results of each helper may wait for being consumed.
const waiting = 2

type run[T, R any] struct {
	ctx     context.Context
	fill    func(*T) (bool, error)
	consume func(R) error
	tokens  chan struct{} // one for each result that is not consumed

	turn  chan struct{} // to fill, and to see or change these
	ended bool
	err   error
	queue chan chan R // of the helpers, in the order of their items

	pending []chan R // taken out of queue, for the calling goroutine alone
}

// next fills an item, and calls filled before another one can be.
func (r *run[T, R]) next(item *T, filled func()) bool {
	r.turn <- struct{}{}
	defer func() { <-r.turn }()
	if !r.ended && r.ctx.Err() != nil {
		r.end(context.Cause(r.ctx))
	}
	if r.ended {
		return false
	}
	if more, err := r.fill(item); err != nil || !more {
		r.end(err)
		return false
	}
	filled()
	return true
}

func (r *run[T, R]) end(err error) { r.ended, r.err = true, err }

func (r *run[T, R]) help(work func(*T) R) {
	var item T
	for {
		select {
		case r.tokens <- struct{}{}:
		case <-r.ctx.Done():
			return
		}
		result := make(chan R, 1)
		if !r.next(&item, func() { r.queue <- result }) {
			<-r.tokens
			return
		}
		result <- work(&item)
	}
}

// lead works and consumes until there is nothing more; start starts the
// helpers.
func (r *run[T, R]) lead(work func(*T) R, start func()) error {
	var item T
	for first := true; ; first = false {
		if err := r.take(false); err != nil {
			return r.stop(err)
		}
		if !r.next(&item, r.collect) { // what is pending now comes before this item
			break
		}
		if first {
			start()
		}
		result := work(&item)
		if err := r.take(true); err != nil {
			return r.stop(err)
		}
		if err := r.consume(result); err != nil {
			return r.stop(err)
		}
	}
	r.collect() // nothing can come into the queue any more
	if err := r.take(true); err != nil {
		return r.stop(err)
	}
	return r.err
}

// collect moves the queue to what is pending.
func (r *run[T, R]) collect() {
	for len(r.queue) > 0 {
		r.pending = append(r.pending, <-r.queue)
	}
}

// take consumes pending results: all of them, or those that are finished and
// next.
func (r *run[T, R]) take(all bool) error {
	if !all {
		r.collect()
	}
	for len(r.pending) > 0 {
		if !all && len(r.pending[0]) == 0 {
			return nil
		}
		result := <-r.pending[0]
		r.pending = slices.Delete(r.pending, 0, 1)
		<-r.tokens
		if err := r.consume(result); err != nil {
			return err
		}
	}
	return nil
}

// stop makes the helpers end, whose further results nobody wants.
func (r *run[T, R]) stop(err error) error {
	r.turn <- struct{}{}
	r.end(err)
	r.collect()
	<-r.turn
	for range r.pending {
		<-r.tokens
	}
	return err
}
