package endless

import (
	"context"
	"errors"
	"time"
)

type failure struct {
	code    int
	attempt int
}

type strategy interface {
	Decide(failure) *time.Duration
}

var errFull = errors.New("busy")

func codeOf(err error) int {
	if errors.Is(err, errFull) {
		return 1
	}
	return 0
}

// The strategy knows how many attempts there were.
func told(ctx context.Context, s strategy, call func(context.Context) error) error {
	attempt := 1
	for {
		err := call(ctx)
		if err == nil {
			return nil
		}
		wait := s.Decide(failure{code: codeOf(err), attempt: attempt})
		if wait == nil {
			return err
		}
		time.Sleep(*wait)
		attempt++
	}
}
