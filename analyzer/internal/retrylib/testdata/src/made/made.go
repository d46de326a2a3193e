// Package made has policies that come out of functions.
package made

import (
	"context"
	"time"

	"github.com/retrykit/retrykit/otelretry"
)

func op(context.Context) error { return nil }

// What makes the policy is called where it is written.
var charge = func() *otelretry.Operation {
	policy, err := otelretry.New("client", otelretry.WithMaxAttempts(3), otelretry.WithDeadline(time.Second))
	if err != nil {
		panic(err)
	}
	return policy.Operation("charge")
}()

var refund = func(attempts int, deadline time.Duration) *otelretry.Operation {
	policy, _ := otelretry.New("client", otelretry.WithMaxAttempts(attempts), otelretry.WithDeadline(deadline))
	return policy.Operation("refund")
}(5, time.Minute)

func literals(ctx context.Context) {
	_ = charge.Run(ctx, op) // want `attempts=3 deadline=1s`
	_ = refund.Run(ctx, op) // want `attempts=5 deadline=1m0s`
}

// Beside an error, nil is no policy.
func maker() (*otelretry.Operation, error) {
	policy, err := otelretry.New("client", otelretry.WithMaxAttempts(6))
	if err != nil {
		return nil, err
	}
	return policy.Operation("charge"), nil
}

func makers(ctx context.Context) error {
	made, err := maker()
	if err != nil {
		return err
	}
	return made.Run(ctx, op) // want `attempts=6 deadline=30s`
}

// Where one way is as good as another, what they share is known.
func either(slow bool) (*otelretry.Policy, error) {
	if slow {
		return otelretry.New("client", otelretry.WithMaxAttempts(2))
	}
	return otelretry.New("client", otelretry.WithMaxAttempts(4))
}

// Nothing is known of a policy that comes from elsewhere.
func given(from func() *otelretry.Policy) (*otelretry.Policy, error) { return from(), nil }

func nothing() (*otelretry.Policy, error) { return nil, nil }

func unknown(ctx context.Context, f func() *otelretry.Policy) {
	a, _ := either(true)
	_ = a.Operation("a").Run(ctx, op) // want `attempts=unknown deadline=30s`
	b, _ := given(f)
	_ = b.Operation("b").Run(ctx, op) // want `attempts=unknown deadline=unknown`
	c, _ := nothing()
	_ = c.Operation("c").Run(ctx, op) // want `attempts=unknown deadline=unknown`
}
