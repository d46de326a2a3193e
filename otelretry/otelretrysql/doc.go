// Package otelretrysql runs a database transaction again when the database
// gave it up: after a serialization failure or a deadlock nothing of it has
// happened, and the whole of it may be run once more.
//
//	accounts, err := otelretry.New("accounts-db", otelretry.WithMaxAttempts(5),
//		otelretry.WithBackoff(otelretry.FullJitter(10*time.Millisecond, time.Second)))
//	transfer := accounts.Operation("transfer")
//	err = otelretrysql.Transact(ctx, transfer, db, &sql.TxOptions{Isolation: sql.LevelSerializable},
//		func(ctx context.Context, tx *sql.Tx) error { ... })
//
// # What is run again
//
// Errors of the driver are judged by their SQLSTATE, read from a method
// SQLState() string, as those of pgx and lib/pq have it: 40001 and 40P01 are
// retried, every other state ends the request. A connection that is lost before
// the commit, or a session that the server ended (class 08, 57P01, 57P02,
// 57P03), is retried, since the database rolls such a transaction back; and so
// is an attempt whose time limit ended it before the commit. A connection that
// is lost during the commit is not: whether the transaction took place
// can't be known. It is retried only for an operation that is
// otelretry.Idempotent, or whose request carries an idempotency key that the
// transaction claims, and is reported as a [CommitError]. So is a commit that
// its context ended under way, or that the database itself knows no more of
// (40003).
//
// Drivers whose errors have no SQLState method, such as go-sql-driver/mysql,
// need a classifier of one's own (otelretry.WithClassifiers): there, 1213 is a
// deadlock and 1205 a lock wait that took too long.
//
// # What the function must keep to
//
// It may run more than once: everything it does goes through the transaction it
// is given, and variables that it sets outside are set anew each time. It
// returns the errors of the transaction, wrapped or not; one that it swallows
// can't be seen here. It neither commits nor rolls back.
package otelretrysql
