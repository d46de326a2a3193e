// Package otelretrysql has the signatures of
// github.com/retrykit/retrykit/otelretry/otelretrysql.
package otelretrysql

import (
	"context"
	"database/sql"

	"github.com/retrykit/retrykit/otelretry"
)

type Beginner interface {
	BeginTx(ctx context.Context, opts *sql.TxOptions) (*sql.Tx, error)
}

func Transact(ctx context.Context, op *otelretry.Operation, db Beginner, opts *sql.TxOptions, fn func(context.Context, *sql.Tx) error) error {
	return nil
}
