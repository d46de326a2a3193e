// Package promapi asks a server that speaks Prometheus' HTTP API (Prometheus,
// Mimir, Thanos, VictoriaMetrics, Cortex) for the figures: each question goes
// there as PromQL, so that what comes back is small however large the fleet is.
package promapi

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/prometheus/client_golang/api"
	v1 "github.com/prometheus/client_golang/api/prometheus/v1"
	"github.com/prometheus/common/model"

	"github.com/retrykit/retrykit/internal/summary"
)

// Connection says how to reach the server.
type Connection struct {
	URL         string
	BearerToken string
	Headers     map[string]string // such as X-Scope-OrgID
	CAFile      string            // certificates to trust besides the system's
	CertFile    string            // the client's own
	KeyFile     string
	ServerName  string
	Insecure    bool          // do not verify the server
	Timeout     time.Duration // of one question; 30 s when 0
}

// client asks questions. Safe for concurrent use.
type client struct {
	api     v1.API
	url     string
	timeout time.Duration
	close   func() // idle connections

	mu      sync.Mutex
	skipped []summary.Skipped // what answers left out, by their own account or ours
}

// Name is the server's URL without the password that may be in it, for messages
// and for what is kept; "the server" where it is no URL.
func (c *Connection) Name() string {
	u, err := url.Parse(c.URL)
	if err != nil {
		return "the server"
	}
	return u.Redacted()
}

func (c *Connection) client() (*client, error) {
	u, err := url.Parse(c.URL)
	switch {
	case !strings.HasPrefix(c.URL, "http://") && !strings.HasPrefix(c.URL, "https://"), err == nil && u.Host == "":
		return nil, fmt.Errorf("the Prometheus URL %q has to begin with http:// or https:// and name a host", c.URL)
	case err != nil:
		return nil, fmt.Errorf("the Prometheus URL: %w", withoutURL(err)) // which may hold a password
	}
	config, err := c.tls()
	if err != nil {
		return nil, err
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.TLSClientConfig = config
	transport.MaxIdleConnsPerHost = concurrency
	a, err := api.NewClient(api.Config{Address: c.URL, RoundTripper: &bounding{&authorizing{c, transport}}})
	if err != nil {
		return nil, fmt.Errorf("the Prometheus URL: %w", err)
	}
	timeout := c.Timeout
	if timeout <= 0 {
		timeout = 30 * time.Second
	}
	return &client{api: v1.NewAPI(a), url: c.Name(), timeout: timeout, close: transport.CloseIdleConnections}, nil
}

func (c *Connection) tls() (*tls.Config, error) {
	config := &tls.Config{ServerName: c.ServerName, InsecureSkipVerify: c.Insecure} //nolint:gosec // asked for
	if c.CAFile != "" {
		pem, err := os.ReadFile(c.CAFile)
		if err != nil {
			return nil, fmt.Errorf("certificates to trust: %w", err)
		}
		pool, err := x509.SystemCertPool()
		if err != nil {
			pool = x509.NewCertPool()
		}
		if !pool.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("%s: no certificate in it", c.CAFile)
		}
		config.RootCAs = pool
	}
	if (c.CertFile == "") != (c.KeyFile == "") {
		return nil, errors.New("a client certificate needs both its file and its key's")
	}
	if c.CertFile != "" {
		pair, err := tls.LoadX509KeyPair(c.CertFile, c.KeyFile)
		if err != nil {
			return nil, fmt.Errorf("client certificate: %w", err)
		}
		config.Certificates = []tls.Certificate{pair}
	}
	return config, nil
}

// authorizing puts the token and headers on requests, those to the configured
// host only: a redirect elsewhere goes without.
type authorizing struct {
	connection *Connection
	next       http.RoundTripper
}

func (a *authorizing) RoundTrip(r *http.Request) (*http.Response, error) {
	if u, err := url.Parse(a.connection.URL); err != nil || u.Host != r.URL.Host || u.Scheme != r.URL.Scheme {
		return a.next.RoundTrip(r)
	}
	r = r.Clone(r.Context())
	if a.connection.BearerToken != "" {
		r.Header.Set("Authorization", "Bearer "+a.connection.BearerToken)
	}
	for key, value := range a.connection.Headers {
		r.Header.Set(key, value)
	}
	return a.next.RoundTrip(r)
}

// maxAnswer bounds what one answer may hold: some 100 000 series.
const maxAnswer = 64 << 20

var errLong = fmt.Errorf("an answer longer than %d MiB; ask about less with --dependency, --operation or --match", maxAnswer>>20)

// bounding makes answers fail that are longer than maxAnswer.
type bounding struct{ next http.RoundTripper }

func (b *bounding) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := b.next.RoundTrip(r)
	if err == nil {
		response.Body = &boundedBody{response.Body, maxAnswer}
	}
	return response, err
}

type boundedBody struct {
	io.ReadCloser
	left int64
}

func (b *boundedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return 0, errLong
	}
	return n, err
}

// ask evaluates one expression at a time.
func (c *client) ask(ctx context.Context, query string, at time.Time) (model.Vector, error) {
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	value, warnings, _, err := c.api.Query(ctx, query, at)
	if err != nil {
		return nil, c.explain(err, query)
	}
	c.warned(warnings, query)
	vector, ok := value.(model.Vector)
	if !ok {
		return nil, c.otherType(value, query, model.ValVector)
	}
	return vector, nil
}

// askRange evaluates an expression over time.
func (c *client) askRange(ctx context.Context, query string, r v1.Range) (model.Matrix, error) {
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	value, warnings, _, err := c.api.QueryRange(ctx, query, r)
	if err != nil {
		return nil, c.explain(err, query)
	}
	c.warned(warnings, query)
	matrix, ok := value.(model.Matrix)
	if !ok {
		return nil, c.otherType(value, query, model.ValMatrix)
	}
	return matrix, nil
}

func (c *client) otherType(value model.Value, query string, wanted model.ValueType) error {
	if value == nil { // status success, and no data
		return fmt.Errorf("%s answered %s without a result; is it Prometheus' HTTP API?", c.url, query)
	}
	return fmt.Errorf("%s answered %s with a %s instead of a %s", c.url, query, value.Type(), wanted)
}

// warned notes a server's warnings: it gives them with answers that are not
// complete. What older servers call a warning, too, are remarks about the
// question.
func (c *client) warned(warnings v1.Warnings, query string) {
	for _, w := range warnings {
		if !strings.HasPrefix(w, "PromQL info") {
			c.skip("warning of the server: "+shorten(w), query)
		}
	}
}

// maxReasons bounds the kinds of things that are left out; further ones count
// as the last.
const maxReasons = 20

// skip counts what an answer leaves out.
func (c *client) skip(reason, query string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i := range c.skipped {
		if x := &c.skipped[i]; x.Reason == reason || i == maxReasons-1 {
			x.Count++
			return
		}
	}
	c.skipped = append(c.skipped, summary.Skipped{Reason: reason, Count: 1, Example: query})
}

// number returns a value that can be one of a figure's; false when it is not
// known or can't be.
func (c *client) number(v model.SampleValue, isHistogram bool, query string) (float64, bool) {
	n := float64(v)
	switch {
	case isHistogram:
		c.skip("native histogram where the server was asked for a number", query)
	case math.IsNaN(n): // nothing happened
	case n < 0 || math.IsInf(n, 0):
		c.skip("value of the server's that is negative or not finite", query)
	default:
		return n, true
	}
	return 0, false
}

func shorten(text string) string {
	text = strings.ToValidUTF8(strings.TrimSpace(text), "\ufffd")
	if len(text) > 200 {
		text = strings.ToValidUTF8(text[:200], "") + "..."
	}
	return text
}

// withoutURL is an error about a URL that was named before.
func withoutURL(err error) error {
	if about := (*url.Error)(nil); errors.As(err, &about) {
		return about.Err
	}
	return err
}

// explain says what went wrong in the terms of who called.
func (c *client) explain(err error, query string) error {
	var refused *v1.Error
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("%s did not answer within %s; raise --timeout or narrow the window: %s: %w", c.url, c.timeout, query, withoutURL(err))
	case errors.Is(err, errLong):
		return fmt.Errorf("%s gave %w: %s", c.url, errLong, query)
	case errors.As(err, &refused):
		if refused.Type == v1.ErrBadResponse && refused.Detail == "" {
			return fmt.Errorf("%s answers, and not as Prometheus' HTTP API does; is this its base URL, and does it want you to log in? %w", c.url, err)
		}
		if refused.Type == v1.ErrBadData {
			return fmt.Errorf("%s does not take the question %s: %w", c.url, query, err)
		}
		if detail := shorten(refused.Detail); detail != "" {
			return fmt.Errorf("%s refused: %w: %s", c.url, err, detail)
		}
		return fmt.Errorf("%s refused: %w", c.url, err)
	}
	return fmt.Errorf("asking %s: %w", c.url, withoutURL(err))
}
