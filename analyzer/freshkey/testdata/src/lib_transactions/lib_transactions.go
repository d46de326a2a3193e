// Package lib_transactions has ids that are made within a transaction.
package lib_transactions

import (
	"context"
	"database/sql"
	"net/http"

	"github.com/google/uuid"
	"github.com/retrykit/retrykit/otelretry"
	"github.com/retrykit/retrykit/otelretry/otelretrysql"
)

// What an attempt that failed had inserted is undone with its transaction.
func undone(ctx context.Context, op *otelretry.Operation, db *sql.DB) error {
	return otelretrysql.Transact(ctx, op, db, nil, func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "INSERT INTO payments (id) VALUES ($1)", uuid.NewString())
		return err
	})
}

// A request that is sent from there is not.
func sent(ctx context.Context, op *otelretry.Operation, db *sql.DB) error {
	return otelretrysql.Transact(ctx, op, db, nil, func(ctx context.Context, tx *sql.Tx) error {
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://payments", nil)
		if err != nil {
			return err
		}
		req.Header.Set("Idempotency-Key", uuid.NewString()) // want `makes a new Idempotency-Key with uuid.NewString for each attempt`
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			return err
		}
		return resp.Body.Close()
	})
}

// Nor is an insertion that is its own transaction.
func inserted(ctx context.Context, op *otelretry.Operation, db *sql.DB) error {
	return op.Run(ctx, func(ctx context.Context) error {
		_, err := db.ExecContext(ctx, "INSERT INTO payments (id) VALUES ($1)", uuid.NewString()) // want `makes a new id for the INSERT with uuid.NewString for each attempt`
		return err
	})
}
