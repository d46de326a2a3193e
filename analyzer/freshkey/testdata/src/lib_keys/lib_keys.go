package lib_keys

import (
	"context"
	"net/http"
	"time"

	"github.com/avast/retry-go/v4"
	"github.com/cenkalti/backoff/v5"
	"github.com/google/uuid"
	sethvargo "github.com/sethvargo/go-retry"
)

func send(ctx context.Context, key string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://payments", nil)
	if err != nil {
		return err
	}
	req.Header.Set("Idempotency-Key", key)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

type payment struct{ IdempotencyKey string }

func charge(ctx context.Context, p payment) error { return send(ctx, p.IdempotencyKey) }

func fresh(ctx context.Context) error {
	_, err := backoff.Retry(ctx, func() (int, error) {
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://payments", nil)
		if err != nil {
			return 0, err
		}
		req.Header.Set("Idempotency-Key", uuid.NewString()) // want `makes a new Idempotency-Key with uuid\.NewString for each attempt`
		_, err = http.DefaultClient.Do(req)
		return 0, err
	})
	return err
}

func freshField(ctx context.Context) error {
	return retry.Do(func() error {
		return charge(ctx, payment{IdempotencyKey: uuid.New().String()}) // want `makes a new IdempotencyKey with uuid\.New`
	}, retry.Context(ctx))
}

func freshMarked(ctx context.Context) error {
	return sethvargo.Do(ctx, sethvargo.NewConstant(time.Second), func(ctx context.Context) error {
		idempotencyKey := uuid.NewString() // want `makes a new key with uuid\.NewString`
		return sethvargo.RetryableError(send(ctx, idempotencyKey))
	})
}

func once(ctx context.Context) error {
	key := uuid.NewString()
	return retry.Do(func() error { return send(ctx, key) }, retry.Context(ctx))
}
