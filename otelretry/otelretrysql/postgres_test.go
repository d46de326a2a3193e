package otelretrysql_test

import (
	"context"
	"database/sql"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/retrykit/retrykit/otelretry"
	"github.com/retrykit/retrykit/otelretry/otelretrysql"
	"github.com/retrykit/retrykit/otelretry/otelretrytest"
)

// postgres starts a PostgreSQL of the test's own and gives a database in it.
func postgres(t *testing.T) *sql.DB {
	t.Helper()
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/postgres")
	require.NoError(t, err)
	if len(found) == 0 {
		if os.Getenv("RETRYKIT_REQUIRE_E2E") == "1" {
			t.Fatal("PostgreSQL is not installed: run make test-deps")
		}
		t.Skip("PostgreSQL is not installed; make test-deps installs it")
	}
	bin := filepath.Dir(found[len(found)-1])
	dir, err := os.MkdirTemp("", "postgres")
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	as := &syscall.SysProcAttr{}
	if os.Getuid() == 0 { // which PostgreSQL refuses to run as
		account, err := user.Lookup("postgres")
		require.NoError(t, err)
		uid, err := strconv.ParseUint(account.Uid, 10, 32)
		require.NoError(t, err)
		gid, err := strconv.ParseUint(account.Gid, 10, 32)
		require.NoError(t, err)
		require.NoError(t, os.Chown(dir, int(uid), int(gid)))
		as.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	}
	data := filepath.Join(dir, "data")
	initdb := exec.Command(filepath.Join(bin, "initdb"), "-D", data, "-U", "test", "--auth=trust", "--no-sync", "--encoding=UTF8", "--locale=C")
	initdb.SysProcAttr, initdb.Dir = as, dir
	output, err := initdb.CombinedOutput()
	require.NoError(t, err, string(output))

	free, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	port := free.Addr().(*net.TCPAddr).Port
	require.NoError(t, free.Close())
	server := exec.Command(found[len(found)-1], "-D", data, "-p", strconv.Itoa(port), "-k", dir,
		"-c", "listen_addresses=127.0.0.1", "-c", "fsync=off", "-c", "deadlock_timeout=50ms")
	server.SysProcAttr, server.Dir = as, dir
	log, err := os.Create(filepath.Join(dir, "log"))
	require.NoError(t, err)
	server.Stdout, server.Stderr = log, log
	require.NoError(t, server.Start())
	t.Cleanup(func() {
		_ = server.Process.Signal(syscall.SIGQUIT)
		_ = server.Wait()
		_ = log.Close()
	})
	db, err := sql.Open("pgx", fmt.Sprintf("postgres://test@127.0.0.1:%d/postgres?sslmode=disable", port))
	require.NoError(t, err)
	t.Cleanup(func() { _ = db.Close() })
	require.Eventually(t, func() bool { return db.Ping() == nil }, time.Minute, 50*time.Millisecond)
	return db
}

func TestPostgreSQL(t *testing.T) {
	db := postgres(t)
	exec := func(t *testing.T, query string) {
		t.Helper()
		_, err := db.Exec(query)
		require.NoError(t, err)
	}
	fresh := func(t *testing.T) (*otelretry.Operation, *otelretrytest.Recorder) {
		t.Helper()
		exec(t, `DROP TABLE IF EXISTS account`)
		exec(t, `CREATE TABLE account (id int PRIMARY KEY, balance int NOT NULL CHECK (balance >= 0))`)
		exec(t, `INSERT INTO account VALUES (1, 100), (2, 100)`)
		recorder := otelretrytest.NewRecorder(t)
		policy, err := otelretry.New("postgresql", append(recorder.Options(), otelretry.WithMaxAttempts(20),
			otelretry.WithBackoff(otelretry.FullJitter(5*time.Millisecond, 100*time.Millisecond)))...)
		require.NoError(t, err)
		return policy.Operation("transfer"), recorder
	}
	balance := func(t *testing.T, id int) (n int) {
		t.Helper()
		require.NoError(t, db.QueryRow(`SELECT balance FROM account WHERE id = $1`, id).Scan(&n))
		return n
	}

	t.Run("serialization failures", func(t *testing.T) {
		op, recorder := fresh(t)
		const clients, each = 4, 10
		var wg sync.WaitGroup
		for range clients {
			wg.Go(func() {
				for range each {
					err := otelretrysql.Transact(t.Context(), op, db, &sql.TxOptions{Isolation: sql.LevelSerializable},
						func(ctx context.Context, tx *sql.Tx) error {
							var n int
							if err := tx.QueryRowContext(ctx, `SELECT balance FROM account WHERE id = 1`).Scan(&n); err != nil {
								return err
							}
							_, err := tx.ExecContext(ctx, `UPDATE account SET balance = $1 WHERE id = 1`, n+1)
							return err
						})
					assert.NoError(t, err)
				}
			})
		}
		wg.Wait()
		assert.Equal(t, 100+clients*each, balance(t, 1), "every increment took place once")
		assert.Positive(t, recorder.Count("otelretry.retries"), "the clients were in each other's way")
		recorder.AssertConsistent()
	})

	t.Run("deadlock", func(t *testing.T) {
		op, recorder := fresh(t)
		var meet sync.WaitGroup // both hold their first row before either asks for its second
		meet.Add(2)
		var wg sync.WaitGroup
		for first, second := range map[int]int{1: 2, 2: 1} {
			wg.Go(func() {
				err := otelretrysql.Transact(t.Context(), op, db, nil, func(ctx context.Context, tx *sql.Tx) error {
					if _, err := tx.ExecContext(ctx, `UPDATE account SET balance = balance - 10 WHERE id = $1`, first); err != nil {
						return err
					}
					if otelretry.AttemptNumber(ctx) == 1 {
						meet.Done()
						meet.Wait()
					}
					_, err := tx.ExecContext(ctx, `UPDATE account SET balance = balance + 10 WHERE id = $1`, second)
					return err
				})
				assert.NoError(t, err)
			})
		}
		wg.Wait()
		assert.Equal(t, 100, balance(t, 1))
		assert.Equal(t, 100, balance(t, 2))
		recorder.AssertOutcomes("transfer", map[otelretry.Outcome]int{otelretry.FirstAttemptSuccess: 1, otelretry.RetriedSuccess: 1})
	})

	t.Run("violations", func(t *testing.T) {
		for name, query := range map[string]string{
			"unique": `INSERT INTO account VALUES (1, 1)`,
			"check":  `UPDATE account SET balance = -1 WHERE id = 1`,
		} {
			op, recorder := fresh(t)
			err := otelretrysql.Transact(t.Context(), op, db, nil, func(ctx context.Context, tx *sql.Tx) error {
				_, err := tx.ExecContext(ctx, query)
				return err
			})
			require.ErrorIs(t, err, otelretry.ErrNotRetryable, name)
			assert.EqualValues(t, 1, recorder.Count("otelretry.attempts"), name)
		}
	})

	t.Run("connection killed in the transaction", func(t *testing.T) {
		op, _ := fresh(t)
		err := otelretrysql.Transact(t.Context(), op, db, nil, func(ctx context.Context, tx *sql.Tx) error {
			if _, err := tx.ExecContext(ctx, `UPDATE account SET balance = balance + 1 WHERE id = 1`); err != nil {
				return err
			}
			if otelretry.AttemptNumber(ctx) == 1 {
				_, err := tx.ExecContext(ctx, `SELECT pg_terminate_backend(pg_backend_pid())`)
				return err
			}
			return nil
		})
		require.NoError(t, err)
		assert.Equal(t, 101, balance(t, 1), "the first attempt was rolled back")
	})
}
