// Httpclient gives an http.Client retries. The code that uses the client does
// not change: it sends a request and gets a response.
//
//	go run ./cmd/flakyserver &
//	go run ./httpclient http://localhost:8080/recovers/1
//	go run ./httpclient -data '{"order":"o1","amount_cents":1999,"currency":"EUR"}' http://localhost:8080/charges
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"time"

	"github.com/retrykit/retrykit/otelretry"
	"github.com/retrykit/retrykit/otelretry/otelretryhttp"
)

func main() {
	data := flag.String("data", "", "send this as the body of a POST")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: httpclient [-data BODY] URL")
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	client, err := newClient(http.DefaultTransport)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	if err := send(ctx, client, flag.Arg(0), *data, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// newClient returns a client that retries what may be sent again. A POST has no
// harm in being sent again once it carries a key, so each gets one.
func newClient(base http.RoundTripper) (*http.Client, error) {
	policy, err := otelretry.New("flaky",
		otelretry.WithMaxAttempts(5), otelretry.WithDeadline(10*time.Second), otelretry.WithAttemptTimeout(800*time.Millisecond))
	if err != nil {
		return nil, err
	}
	transport, err := otelretryhttp.NewTransport(base, policy, otelretryhttp.WithIdempotencyKeys(otelretryhttp.DefaultKeyHeader))
	if err != nil {
		return nil, err
	}
	return &http.Client{Transport: transport}, nil
}

// send prints the status and the body of what a GET of the URL gives, or a POST
// of the data if there is any.
func send(ctx context.Context, client *http.Client, url, data string, w io.Writer) error {
	method, body := http.MethodGet, io.Reader(nil)
	if data != "" {
		method, body = http.MethodPost, strings.NewReader(data)
	}
	req, err := http.NewRequestWithContext(ctx, method, url, body)
	if err != nil {
		return err
	}
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if _, err := fmt.Fprintln(w, resp.Status); err != nil {
		return err
	}
	_, err = io.Copy(w, resp.Body)
	return err
}
