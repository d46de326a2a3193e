package requeued

import (
	"context"

	"github.com/google/uuid"
)

type task struct {
	id       string
	attempts int
}

type request struct {
	ID        string
	RequestID string
}

type service interface {
	Reset(ctx context.Context, req *request) error
}

func process(ctx context.Context, t task, run func(id string) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return run(t.id)
}

// A task that failed goes back on the channel, and gets another id next time.
func work(ctx context.Context, s service, tasks chan task, errs chan error) {
	for {
		select {
		case <-ctx.Done():
			return
		case t := <-tasks:
			err := process(ctx, t, func(id string) error {
				return s.Reset(ctx, &request{ID: id, RequestID: uuid.NewString()}) // want `makes a new RequestID with uuid.NewString for each attempt`
			})
			if err != nil {
				if t.attempts > 5 {
					errs <- err
				} else {
					t.attempts++
					tasks <- t
				}
			}
		}
	}
}

// Nothing comes back.
func once(ctx context.Context, s service, tasks chan task, errs chan error) {
	for t := range tasks {
		err := process(ctx, t, func(id string) error {
			return s.Reset(ctx, &request{ID: id, RequestID: uuid.NewString()})
		})
		if err != nil {
			errs <- err
		}
	}
}
