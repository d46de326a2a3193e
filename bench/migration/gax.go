package migration

import (
	"context"
	"time"

	"github.com/googleapis/gax-go/v2"
	"google.golang.org/grpc/codes"
)

func gaxBefore(ctx context.Context, s *shop, order Order) (receipt Receipt, err error) {
	client := s.client
	//doc: gax before
	err = gax.Invoke(ctx, func(ctx context.Context, _ gax.CallSettings) (err error) {
		receipt, err = client.Charge(ctx, order)
		return err
	}, gax.WithRetry(func() gax.Retryer {
		return gax.OnCodes([]codes.Code{codes.Unavailable}, gax.Backoff{Initial: 200 * time.Millisecond, Max: 3 * time.Second})
	}))
	//doc:end
	return receipt, err
}

func gaxAfter(ctx context.Context, s *shop, order Order) (receipt Receipt, err error) {
	client, charge := s.client, s.charge
	//doc: gax after
	err = charge.Run(ctx, func(ctx context.Context) (err error) {
		receipt, err = client.Charge(ctx, order) // UNAVAILABLE is on the list; or use package otelretry/otelretrygrpc
		return err
	})
	//doc:end
	return receipt, err
}
