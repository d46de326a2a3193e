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
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/prometheus/client_golang/api"
	v1 "github.com/prometheus/client_golang/api/prometheus/v1"
	"github.com/prometheus/common/model"
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

// client asks questions.
type client struct {
	api     v1.API
	url     string
	timeout time.Duration
}

func (c *Connection) client() (*client, error) {
	u, err := url.Parse(c.URL)
	if err != nil {
		return nil, fmt.Errorf("the Prometheus URL: %w", err)
	}
	if u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, fmt.Errorf("the Prometheus URL %q has to begin with http:// or https:// and name a host", c.URL)
	}
	config, err := c.tls()
	if err != nil {
		return nil, err
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.TLSClientConfig = config
	transport.MaxIdleConnsPerHost = concurrency
	a, err := api.NewClient(api.Config{Address: c.URL, RoundTripper: &authorizing{c, transport}})
	if err != nil {
		return nil, fmt.Errorf("the Prometheus URL: %w", err)
	}
	timeout := c.Timeout
	if timeout <= 0 {
		timeout = 30 * time.Second
	}
	return &client{api: v1.NewAPI(a), url: u.Redacted(), timeout: timeout}, nil
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

// ask evaluates one expression at a time.
func (c *client) ask(ctx context.Context, query string, at time.Time) (model.Vector, error) {
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	value, _, _, err := c.api.Query(ctx, query, at)
	if err != nil {
		return nil, c.explain(err, query)
	}
	vector, ok := value.(model.Vector)
	if !ok {
		return nil, fmt.Errorf("%s answered %s with a %s instead of a vector", c.url, query, value.Type())
	}
	return vector, nil
}

// askRange evaluates an expression over time.
func (c *client) askRange(ctx context.Context, query string, r v1.Range) (model.Matrix, error) {
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	value, _, _, err := c.api.QueryRange(ctx, query, r)
	if err != nil {
		return nil, c.explain(err, query)
	}
	matrix, ok := value.(model.Matrix)
	if !ok {
		return nil, fmt.Errorf("%s answered %s with a %s instead of a matrix", c.url, query, value.Type())
	}
	return matrix, nil
}

// explain says what went wrong in the terms of who called.
func (c *client) explain(err error, query string) error {
	var refused *v1.Error
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("%s did not answer within %s; raise --timeout or narrow the window: %s: %w", c.url, c.timeout, query, err)
	case errors.As(err, &refused):
		if refused.Type == v1.ErrBadData {
			return fmt.Errorf("%s does not take the question %s: %w", c.url, query, err)
		}
		detail := strings.TrimSpace(refused.Detail)
		if len(detail) > 200 {
			detail = detail[:200] + "..."
		}
		if detail != "" {
			return fmt.Errorf("%s refused: %w: %s", c.url, err, detail)
		}
		return fmt.Errorf("%s refused: %w", c.url, err)
	}
	return fmt.Errorf("asking %s: %w", c.url, err)
}
