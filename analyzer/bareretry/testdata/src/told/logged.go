package told

import (
	"context"
	"time"
)

type session struct{ closed bool }

func (s *session) Closed() bool      { return s.closed }
func (s *session) Log(args ...any)   {}
func (s *session) OnFailure(_ error) {}

// What is only logged decides nothing.
func logged(ctx context.Context, s *session) {
	for !s.Closed() { // want `retries every error from commit`
		err := commit(ctx, "a")
		if err == nil {
			return
		}
		s.Log("commit", err)
		time.Sleep(time.Second)
	}
}

// Silent: what is told of the failure is asked whether to go on.
func told(ctx context.Context, s *session) {
	for !s.Closed() {
		err := commit(ctx, "a")
		if err == nil {
			return
		}
		s.OnFailure(err)
		time.Sleep(time.Second)
	}
}
