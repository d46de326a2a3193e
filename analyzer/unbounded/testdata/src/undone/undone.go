package undone

import (
	"context"
	"errors"
	"time"
)

var errStalled = errors.New("stalled")

func takesBack(ctx context.Context, fetch func(context.Context) error) (err error) {
	for try := 0; try < 5; try++ {
		err = fetch(ctx)
		switch {
		case errors.Is(err, context.Canceled):
			return err
		case errors.Is(err, errStalled):
			try-- // want `takes the counter of attempts back, so that failures of fetch which come this way are retried for ever`
			continue
		case err != nil:
			time.Sleep(time.Second)
			continue
		}
		return nil
	}
	return err
}

func countsAll(ctx context.Context, fetch func(context.Context) error) (err error) {
	for try := 5; try > 0; try-- {
		err = fetch(ctx)
		if err == nil || errors.Is(err, context.Canceled) {
			return err
		}
		time.Sleep(time.Second)
	}
	return err
}
