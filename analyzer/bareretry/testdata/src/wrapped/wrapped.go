package wrapped

import (
	"context"
	"time"

	"payments"
	"wrapped/errors"
)

type scheduler struct {
	client  *payments.Client
	handler func(error) error
}

// Success comes back as well: this reports again and again.
func (s *scheduler) schedule(ctx context.Context, o payments.Order) error {
	for {
		select {
		case <-ctx.Done():
			return errors.Annotate(ctx.Err(), "closed")
		case <-time.After(time.Second):
			if err := errors.Annotate(s.client.Charge(ctx, o), "failed to report"); err != nil {
				if err := errors.Annotate(s.handler(err), "handler"); err != nil {
					return err
				}
			}
		}
	}
}

// Here it leaves.
func (s *scheduler) once(ctx context.Context, o payments.Order) error {
	for { // want `retries every error from client.Charge`
		err := errors.Annotate(s.client.Charge(ctx, o), "failed to charge")
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(time.Second):
		}
	}
}
