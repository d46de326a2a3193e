package otelretryhttp

import (
	"context"
	"io"
	"net/http"
	"net/http/httptrace"
	"sync/atomic"
)

// progress is how far an attempt got, as net/http tells it by httptrace. Not
// every failure has a type that says so: what HTTP/2 gives for a connection
// that went away has none.
type progress struct {
	traced   atomic.Bool // the base transport tells
	wrote    atomic.Bool // something was written to a connection
	answered atomic.Bool // the first byte of an answer came
	bodyless atomic.Bool // the request's own body failed to be read
}

func (p *progress) follow(ctx context.Context) context.Context {
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GetConn:              func(string) { p.traced.Store(true) },
		WroteHeaderField:     func(string, []string) { p.wrote.Store(true) },
		WroteRequest:         func(httptrace.WroteRequestInfo) { p.wrote.Store(true) },
		GotFirstResponseByte: func() { p.answered.Store(true) },
	})
}

// unsent reports whether certainly nothing was written.
func (p *progress) unsent() bool { return p.traced.Load() && !p.wrote.Load() }

// unanswered reports whether something was written, nothing came back, and
// the fault is not the body's, which no repetition mends.
func (p *progress) unanswered() bool {
	return p.wrote.Load() && !p.answered.Load() && !p.bodyless.Load()
}

// watch notices when the body of a request can't be read.
func (p *progress) watch(r *http.Request) {
	if r.Body == nil || r.Body == http.NoBody {
		return
	}
	r.Body = watchedBody{r.Body, p}
	if get := r.GetBody; get != nil {
		r.GetBody = func() (io.ReadCloser, error) {
			body, err := get()
			if err != nil {
				p.bodyless.Store(true)
				return nil, err
			}
			return watchedBody{body, p}, nil
		}
	}
}

type watchedBody struct {
	io.ReadCloser
	progress *progress
}

func (b watchedBody) Read(into []byte) (int, error) {
	n, err := b.ReadCloser.Read(into)
	if err != nil && err != io.EOF {
		b.progress.bodyless.Store(true)
	}
	return n, err
}
