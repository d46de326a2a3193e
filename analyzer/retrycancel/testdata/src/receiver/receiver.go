package receiver

import (
	"context"
	"time"
)

type queue interface {
	Receive(ctx context.Context) (string, error)
}

type worker struct {
	ctx context.Context
	q   queue
	out chan string
}

func (w *worker) run() {
	for { // want `goes on calling q.Receive after w.ctx has ended, for ever, since it fails at once from then on; check w.ctx.Err\(\) and return`
		msg, err := w.q.Receive(w.ctx)
		if err != nil {
			time.Sleep(time.Second)
			continue
		}
		w.out <- msg
	}
}

func (w *worker) runUntilDone() {
	for {
		msg, err := w.q.Receive(w.ctx)
		if err != nil {
			if w.ctx.Err() != nil {
				return
			}
			time.Sleep(time.Second)
			continue
		}
		w.out <- msg
	}
}
