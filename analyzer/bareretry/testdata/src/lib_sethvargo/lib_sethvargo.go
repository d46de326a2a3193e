package lib_sethvargo

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/sethvargo/go-retry"
)

func everything(ctx context.Context, db *sql.DB) error {
	b := retry.WithMaxRetries(3, retry.NewExponential(time.Second))
	return retry.Do(ctx, b, func(ctx context.Context) error { // want `retries every error from db\.PingContext, so one that is permanent .* is sent 4 times`
		if err := db.PingContext(ctx); err != nil {
			return retry.RetryableError(err)
		}
		return nil
	})
}

// Silent: only some failures are marked.

func some(ctx context.Context, db *sql.DB) error {
	return retry.Do(ctx, retry.NewExponential(time.Second), func(ctx context.Context) error {
		err := db.PingContext(ctx)
		if errors.Is(err, sql.ErrConnDone) {
			return retry.RetryableError(err)
		}
		return err
	})
}

func byOperation(ctx context.Context, db *sql.DB) error {
	return retry.Do(ctx, retry.NewExponential(time.Second), func(ctx context.Context) error {
		tx, err := db.BeginTx(ctx, nil)
		if err != nil {
			return retry.RetryableError(err)
		}
		return tx.Commit()
	})
}

// Silent: nothing is marked, so it runs once.

func none(ctx context.Context, db *sql.DB) error {
	return retry.Do(ctx, retry.NewExponential(time.Second), func(ctx context.Context) error { return db.PingContext(ctx) })
}
