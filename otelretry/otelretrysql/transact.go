package otelretrysql

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"strings"

	"github.com/retrykit/retrykit/otelretry"
)

// Beginner begins transactions: a *sql.DB, or a *sql.Conn to stay on one
// connection.
type Beginner interface {
	BeginTx(ctx context.Context, opts *sql.TxOptions) (*sql.Tx, error)
}

// CommitError is the failure of a commit without the database's own word on
// it: whether the transaction took place is not known.
type CommitError struct {
	// Err is what the driver returned.
	Err error
}

// Error says that the outcome is not known, and why.
func (e *CommitError) Error() string {
	return "commit, whose outcome is not known: " + e.Err.Error()
}

// Unwrap gives Err.
func (e *CommitError) Unwrap() error { return e.Err }

// Transact runs fn in a transaction and commits it; again, from its beginning,
// where the policy of op allows it (see the package's documentation). opts may
// be nil for the driver's defaults. An error is an *otelretry.Error around the
// last failure. A panic of fn goes on after the transaction was rolled back.
// Transact is safe for concurrent use if db is, as *sql.DB is. It panics when
// ctx, op, db or fn is nil.
func Transact(ctx context.Context, op *otelretry.Operation, db Beginner, opts *sql.TxOptions, fn func(context.Context, *sql.Tx) error) error {
	if db == nil || fn == nil {
		panic("otelretrysql: Transact: the database or the function is nil")
	}
	return op.Run(ctx, func(ctx context.Context) error {
		return once(ctx, db, opts, fn)
	})
}

// once is one attempt.
func once(ctx context.Context, db Beginner, opts *sql.TxOptions, fn func(context.Context, *sql.Tx) error) error {
	tx, err := db.BeginTx(ctx, opts)
	if err != nil {
		return notCommitted(fmt.Errorf("begin: %w", err))
	}
	finished := false
	defer func() {
		if !finished { // fn panicked, or ended its goroutine
			_ = tx.Rollback()
		}
	}()
	err = fn(ctx, tx)
	finished = true
	if err != nil {
		cut := ctx.Err() != nil && cutShort(err)
		if failed := tx.Rollback(); failed != nil && !errors.Is(failed, sql.ErrTxDone) && !lost(failed) {
			err = fmt.Errorf("%w (and rolling back: %w)", err, failed)
		}
		if cut {
			return otelretry.Retryable(err)
		}
		return notCommitted(err)
	}
	if err := ctx.Err(); err != nil {
		_ = tx.Rollback() // nothing was committed, so that there is no doubt about it
		return notCommitted(err)
	}
	if err := tx.Commit(); err != nil {
		return commitFailure(err)
	}
	return nil
}

// notCommitted is the failure of a transaction that the database has not
// committed: a lost connection does no harm then.
func notCommitted(err error) error {
	if lost(err) {
		return otelretry.Retryable(err)
	}
	return err
}

// cutShort reports whether an error is how the end of a context shows in a
// transaction: database/sql rolled it back, or the server was told to stop.
func cutShort(err error) bool {
	return errors.Is(err, sql.ErrTxDone) || stateOf(err) == queryCanceled
}

// commitFailure is the failure of a commit.
func commitFailure(err error) error {
	state := stateOf(err)
	switch {
	case state != "" && state != completionUnknown && !connectionState(state): // the database's own word
		return err
	case errors.Is(err, sql.ErrTxDone):
		return err // not sent: the transaction was over before
	}
	return otelretry.Ambiguous(&CommitError{Err: err})
}

// lost reports whether the connection failed, or the server ended it.
func lost(err error) bool {
	if errors.Is(err, driver.ErrBadConn) || errors.Is(err, sql.ErrConnDone) {
		return true
	}
	if state := stateOf(err); state != "" {
		return connectionState(state)
	}
	class := otelretry.ClassifyNetwork(err)
	return class == otelretry.ClassTransient || class == otelretry.ClassAmbiguous
}

// stateOf gives the SQLSTATE of an error, "" when it has none.
func stateOf(err error) string {
	var e interface{ SQLState() string }
	if errors.As(err, &e) {
		return e.SQLState()
	}
	return ""
}

// SQLSTATEs with a meaning of their own here (PostgreSQL documentation,
// appendix A). CockroachDB tells by 40003 that a commit's outcome is not known.
const (
	completionUnknown = "40003"
	queryCanceled     = "57014"
)

// connectionState reports whether an SQLSTATE tells that the connection is
// gone: class 08, and PostgreSQL's admin_shutdown, crash_shutdown and
// cannot_connect_now (PostgreSQL documentation, appendix A).
func connectionState(state string) bool {
	switch state {
	case "57P01", "57P02", "57P03":
		return true
	}
	return strings.HasPrefix(state, "08")
}
