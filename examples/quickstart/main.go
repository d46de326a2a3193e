// Quickstart fetches a URL and retries what a retry can help.
package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"

	"github.com/retrykit/retrykit/otelretry"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: quickstart URL")
		os.Exit(2)
	}
	// One policy per dependency, made at start-up: every setting is checked here.
	catalog, err := otelretry.New("catalog",
		otelretry.WithMaxAttempts(5),
		otelretry.WithDeadline(5*time.Second),              // the whole request, waits included
		otelretry.WithAttemptTimeout(800*time.Millisecond), // each attempt
	)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	// One operation per kind of request. A read may be repeated whatever happened.
	get := catalog.Operation("get", otelretry.Idempotent())

	body, err := fetch(context.Background(), get, http.DefaultClient, os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err) // why it gave up, after how many attempts, and the last error
		os.Exit(1)
	}
	fmt.Print(string(body))
}

func fetch(ctx context.Context, get *otelretry.Operation, client *http.Client, url string) ([]byte, error) {
	return otelretry.Do(ctx, get, func(ctx context.Context) ([]byte, error) {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
		if err != nil {
			return nil, err
		}
		resp, err := client.Do(req)
		if err != nil {
			return nil, err
		}
		defer resp.Body.Close()
		if resp.StatusCode == http.StatusOK {
			return io.ReadAll(resp.Body)
		}
		wait, _ := otelretry.ParseRetryAfter(resp.Header.Get("Retry-After"), time.Now())
		return nil, statusError{resp.StatusCode, wait}
	})
}

// statusError tells the policy what to decide by: the status, since a 503 is
// retried where the operation is idempotent and a 404 is not, and what the server
// asked to wait.
type statusError struct {
	status int
	wait   time.Duration
}

func (e statusError) Error() string             { return fmt.Sprintf("%d %s", e.status, http.StatusText(e.status)) }
func (e statusError) StatusCode() int           { return e.status }
func (e statusError) RetryAfter() time.Duration { return e.wait }
