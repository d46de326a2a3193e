package otelretrysql_test

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/retrykit/retrykit/otelretry"
	"github.com/retrykit/retrykit/otelretry/otelretrysql"
	"github.com/retrykit/retrykit/otelretry/otelretrytest"
)

func TestMain(m *testing.M) {
	slog.SetDefault(slog.New(slog.DiscardHandler))
	goleak.VerifyTestMain(m)
}

type stateError string

func (s stateError) Error() string    { return "SQLSTATE " + string(s) }
func (s stateError) SQLState() string { return string(s) }

// script is a database whose begins and commits fail in turn.
type script struct {
	mu                       sync.Mutex
	begin, commit            []error
	begun, committed, undone int
}

func (s *script) Connect(context.Context) (driver.Conn, error) { return conn{s}, nil }
func (s *script) Driver() driver.Driver                        { return nil }

func (s *script) counts() (begun, committed, undone int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.begun, s.committed, s.undone
}

type conn struct{ s *script }

func (c conn) Prepare(string) (driver.Stmt, error) { return nil, errors.ErrUnsupported }
func (c conn) Close() error                        { return nil }
func (c conn) Begin() (driver.Tx, error)           { return c.BeginTx(context.Background(), driver.TxOptions{}) }

func (c conn) BeginTx(context.Context, driver.TxOptions) (driver.Tx, error) {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	c.s.begun++
	if err := nth(c.s.begin, c.s.begun); err != nil {
		return nil, err
	}
	return tx{c.s, nth(c.s.commit, c.s.begun)}, nil
}

func nth(errs []error, n int) error {
	if n > len(errs) {
		return nil
	}
	return errs[n-1]
}

type tx struct {
	s      *script
	commit error
}

func (t tx) Commit() error {
	t.s.mu.Lock()
	defer t.s.mu.Unlock()
	if t.commit == nil {
		t.s.committed++
	}
	return t.commit
}

func (t tx) Rollback() error {
	t.s.mu.Lock()
	defer t.s.mu.Unlock()
	t.s.undone++
	return nil
}

func operation(t *testing.T, options ...otelretry.OperationOption) *otelretry.Operation {
	t.Helper()
	policy, err := otelretry.New("db", otelretry.WithClock(otelretrytest.NewClock(1)), otelretry.WithoutTelemetry(), otelretry.WithoutDeadline())
	require.NoError(t, err)
	return policy.Operation("transfer", options...)
}

// errUnknown stands for any CommitError.
var errUnknown = errors.New("the outcome of the commit is not known")

func TestTransact(t *testing.T) {
	t.Parallel()
	errOwn := errors.New("not enough money")
	tests := []struct {
		name                     string
		begin, body, commit      []error
		options                  []otelretry.OperationOption
		wantErr                  error
		begun, committed, undone int
	}{
		{name: "at once", begun: 1, committed: 1},
		{name: "serialization failure in the body", body: []error{stateError("40001")}, begun: 2, committed: 1, undone: 1},
		{name: "wrapped deadlock", body: []error{fmt.Errorf("update: %w", stateError("40P01"))}, begun: 2, committed: 1, undone: 1},
		{name: "serialization failure at the commit", commit: []error{stateError("40001")}, begun: 2, committed: 1},
		{name: "unique violation", body: []error{stateError("23505")}, wantErr: otelretry.ErrNotRetryable, begun: 1, undone: 1},
		{name: "own error", body: []error{errOwn}, wantErr: errOwn, begun: 1, undone: 1},
		{name: "connection lost in the body", body: []error{io.ErrUnexpectedEOF}, begun: 2, committed: 1, undone: 1},
		{name: "session ended in the body", body: []error{stateError("57P01")}, begun: 2, committed: 1, undone: 1},
		{name: "session ended at the commit", commit: []error{stateError("08006")}, wantErr: otelretry.ErrNotRetryable, begun: 1},
		{name: "connection lost at the beginning", begin: []error{io.ErrUnexpectedEOF}, begun: 2, committed: 1},
		{name: "connection lost at the commit", commit: []error{io.ErrUnexpectedEOF}, wantErr: io.ErrUnexpectedEOF, begun: 1},
		{name: "the same of an idempotent operation", commit: []error{io.ErrUnexpectedEOF}, options: []otelretry.OperationOption{otelretry.Idempotent()}, begun: 2, committed: 1},
		{name: "a commit that the driver can't tell about", commit: []error{stateError("40003")}, wantErr: errUnknown, begun: 1},
		{name: "a commit whose context ended in the driver", commit: []error{fmt.Errorf("timeout: %w", context.Canceled)}, wantErr: errUnknown, begun: 1},
		{name: "a bad connection in the body", body: []error{driver.ErrBadConn}, begun: 2, committed: 1, undone: 1},
		{name: "a bad connection at the commit", commit: []error{driver.ErrBadConn}, wantErr: errUnknown, begun: 1},
		{name: "never", body: []error{stateError("40001"), stateError("40001"), stateError("40001"), stateError("40001")}, wantErr: otelretry.ErrExhausted, begun: 4, undone: 4},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := &script{begin: tt.begin, commit: tt.commit}
			db := sql.OpenDB(s)
			defer db.Close()
			runs := 0
			err := otelretrysql.Transact(t.Context(), operation(t, tt.options...), db, nil, func(_ context.Context, tx *sql.Tx) error {
				require.NotNil(t, tx)
				runs++
				return nth(tt.body, runs)
			})
			if tt.wantErr == nil {
				require.NoError(t, err)
			} else {
				if tt.wantErr == errUnknown {
					var unknown *otelretrysql.CommitError
					require.ErrorAs(t, err, &unknown)
				} else {
					require.ErrorIs(t, err, tt.wantErr)
				}
				var gaveUp *otelretry.Error
				require.ErrorAs(t, err, &gaveUp)
			}
			begun, committed, undone := s.counts()
			assert.Equal(t, []int{tt.begun, tt.committed, tt.undone}, []int{begun, committed, undone}, "begun, committed, rolled back")
		})
	}
}

func TestCommitErrorSaysThatTheOutcomeIsUnknown(t *testing.T) {
	t.Parallel()
	db := sql.OpenDB(&script{commit: []error{io.ErrUnexpectedEOF}})
	defer db.Close()
	err := otelretrysql.Transact(t.Context(), operation(t), db, nil, func(context.Context, *sql.Tx) error { return nil })
	var unknown *otelretrysql.CommitError
	require.ErrorAs(t, err, &unknown)
	require.ErrorContains(t, err, "outcome is not known")
}

// An attempt whose time is up before its commit left nothing behind, however
// the driver puts it: it is run again as a whole.
func TestAnAttemptCutShortIsRunAgain(t *testing.T) {
	t.Parallel()
	for name, cut := range map[string]error{
		"by database/sql": sql.ErrTxDone, "by the server": stateError("57014"),
		"by the driver": fmt.Errorf("query: %w", context.DeadlineExceeded),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, clock := &script{}, otelretrytest.NewClock(1)
			db := sql.OpenDB(s)
			defer db.Close()
			policy, err := otelretry.New("db", otelretry.WithClock(clock), otelretry.WithoutTelemetry(),
				otelretry.WithAttemptTimeout(time.Second))
			require.NoError(t, err)
			err = otelretrysql.Transact(t.Context(), policy.Operation("transfer"), db, nil, func(ctx context.Context, _ *sql.Tx) error {
				if otelretry.AttemptNumber(ctx) == 1 {
					_ = clock.Work(ctx, 2*time.Second)
					return cut
				}
				return nil
			})
			require.NoError(t, err)
			begun, committed, _ := s.counts()
			assert.Equal(t, []int{2, 1}, []int{begun, committed})
		})
	}
}

// A violation stays one, also when the time is up as it is found.
func TestTheDatabasesWordOutweighsTheTimeLimit(t *testing.T) {
	t.Parallel()
	clock := otelretrytest.NewClock(1)
	db := sql.OpenDB(&script{})
	defer db.Close()
	policy, err := otelretry.New("db", otelretry.WithClock(clock), otelretry.WithoutTelemetry(), otelretry.WithAttemptTimeout(time.Second))
	require.NoError(t, err)
	err = otelretrysql.Transact(t.Context(), policy.Operation("transfer"), db, nil, func(ctx context.Context, _ *sql.Tx) error {
		_ = clock.Work(ctx, 2*time.Second)
		return stateError("23505")
	})
	require.ErrorIs(t, err, otelretry.ErrNotRetryable)
}

func TestNothingIsCommittedAfterTheCallerHasGone(t *testing.T) {
	t.Parallel()
	s := &script{}
	db := sql.OpenDB(s)
	defer db.Close()
	ctx, cancel := context.WithCancel(t.Context())
	err := otelretrysql.Transact(ctx, operation(t), db, nil, func(context.Context, *sql.Tx) error {
		cancel()
		return nil
	})
	require.ErrorIs(t, err, otelretry.ErrCanceled)
	var unknown *otelretrysql.CommitError
	assert.NotErrorAs(t, err, &unknown, "it was never sent")
	_, committed, _ := s.counts()
	assert.Zero(t, committed)
}

func TestAFunctionThatCommitsByItselfIsNotRunAgain(t *testing.T) {
	t.Parallel()
	s := &script{}
	db := sql.OpenDB(s)
	defer db.Close()
	err := otelretrysql.Transact(t.Context(), operation(t, otelretry.Idempotent()), db, nil, func(_ context.Context, tx *sql.Tx) error { return tx.Commit() })
	require.ErrorIs(t, err, sql.ErrTxDone)
	begun, committed, _ := s.counts()
	assert.Equal(t, []int{1, 1}, []int{begun, committed})
}

func TestPanicRollsBack(t *testing.T) {
	t.Parallel()
	s := &script{}
	db := sql.OpenDB(s)
	defer db.Close()
	assert.PanicsWithValue(t, "no", func() {
		_ = otelretrysql.Transact(t.Context(), operation(t), db, nil, func(context.Context, *sql.Tx) error { panic("no") })
	})
	_, committed, undone := s.counts()
	assert.Equal(t, []int{0, 1}, []int{committed, undone})
}

func TestTransactNamesWhatIsNil(t *testing.T) {
	accounts, err := otelretry.New("accounts-db")
	require.NoError(t, err)
	op := accounts.Operation("transfer")
	db := sql.OpenDB(&script{})
	defer db.Close()
	assert.PanicsWithValue(t, "otelretrysql: Transact: the database or the function is nil", func() {
		_ = otelretrysql.Transact(t.Context(), op, nil, nil, func(context.Context, *sql.Tx) error { return nil })
	})
	assert.PanicsWithValue(t, "otelretrysql: Transact: the database or the function is nil", func() {
		_ = otelretrysql.Transact(t.Context(), op, db, nil, nil)
	})
	assert.PanicsWithValue(t, "otelretry: Run: the operation is nil", func() {
		_ = otelretrysql.Transact(t.Context(), nil, db, nil, func(context.Context, *sql.Tx) error { return nil })
	})
}

func ExampleTransact() {
	db := sql.OpenDB(&script{commit: []error{stateError("40001")}}) // a database that gives up the first transaction
	defer db.Close()
	accounts, err := otelretry.New("accounts-db", otelretry.WithMaxAttempts(5),
		otelretry.WithBackoff(otelretry.FullJitter(time.Millisecond, 10*time.Millisecond)))
	if err != nil {
		panic(err)
	}
	transfer := accounts.Operation("transfer")
	err = otelretrysql.Transact(context.Background(), transfer, db, &sql.TxOptions{},
		func(ctx context.Context, tx *sql.Tx) error {
			fmt.Println("attempt", otelretry.AttemptNumber(ctx))
			return nil
		})
	fmt.Println(err)
	// Output:
	// attempt 1
	// attempt 2
	// <nil>
}

func ExampleCommitError() {
	err := error(&otelretrysql.CommitError{Err: io.ErrUnexpectedEOF})
	fmt.Println(err)
	fmt.Println(errors.Is(err, io.ErrUnexpectedEOF))
	// Output:
	// commit, whose outcome is not known: unexpected EOF
	// true
}

func ExampleCommitError_Error() {
	fmt.Println((&otelretrysql.CommitError{Err: io.ErrUnexpectedEOF}).Error())
	// Output: commit, whose outcome is not known: unexpected EOF
}

func ExampleCommitError_Unwrap() {
	fmt.Println(errors.Unwrap(&otelretrysql.CommitError{Err: io.ErrUnexpectedEOF}))
	// Output: unexpected EOF
}

// All attempts on one connection, for a session's settings.
func ExampleBeginner() {
	db := sql.OpenDB(&script{})
	defer db.Close()
	session, err := db.Conn(context.Background())
	if err != nil {
		panic(err)
	}
	defer session.Close()
	accounts, err := otelretry.New("accounts-db")
	if err != nil {
		panic(err)
	}
	var on otelretrysql.Beginner = session
	fmt.Println(otelretrysql.Transact(context.Background(), accounts.Operation("transfer"), on, nil,
		func(context.Context, *sql.Tx) error { return nil }))
	// Output: <nil>
}
