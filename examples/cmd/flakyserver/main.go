// Flakyserver serves the scripted failures of package flakyserver, for trying
// out a client's retries by hand:
//
//	go run ./cmd/flakyserver -addr localhost:8080
//	curl -i localhost:8080/recovers/1     # 503 four times, then 200
//	curl -i localhost:8080/throttled/1    # 429 with Retry-After: 3
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/retrykit/retrykit/examples/flakyserver"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return
		}
		fmt.Fprintln(os.Stderr, "flakyserver:", err)
		os.Exit(2)
	}
}

func run(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("flakyserver", flag.ContinueOnError)
	addr := flags.String("addr", "localhost:8080", "address to listen on")
	seed := flags.Uint64("seed", 1, "seed of all randomness")
	retryAfter := flags.Duration("retry-after", 3*time.Second, "what /throttled/{id} tells its callers to wait")
	failing := flags.Float64("failing", 0.3, "share of attempts that /sometimes/{id} answers with 503")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	flaky, _, err := flakyserver.NewStandard(*seed, *retryAfter, *failing)
	if err != nil {
		return err
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", *addr)
	if err != nil {
		return err
	}
	fmt.Printf("listening on http://%s\n", listener.Addr())
	return serve(ctx, listener, flaky)
}

// serve answers until the context is done, and then lets what is under way
// finish for at most five seconds.
func serve(ctx context.Context, listener net.Listener, flaky *flakyserver.Server) error {
	server := &http.Server{Handler: flaky, ReadHeaderTimeout: 5 * time.Second}
	server.RegisterOnShutdown(flaky.Close)
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	if err := server.Shutdown(grace); err != nil {
		return fmt.Errorf("shutting down: %w", err)
	}
	if err := <-failed; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
