package otelretryhttp

import (
	"context"
	"net/http/httptrace"
	"sync/atomic"
)

// progress is how far an attempt got, as net/http tells it by httptrace. Not
// every failure has a type that says so: what HTTP/2 gives for a connection
// that went away has none.
type progress struct {
	traced   atomic.Bool // the base transport tells
	got      atomic.Bool // there was a connection to write to
	wrote    atomic.Bool // something was written to a connection
	sent     atomic.Bool // the whole request was
	answered atomic.Bool // the first byte of an answer came
}

func (p *progress) follow(ctx context.Context) context.Context {
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GetConn:          func(string) { p.traced.Store(true) },
		GotConn:          func(httptrace.GotConnInfo) { p.got.Store(true) },
		WroteHeaderField: func(string, []string) { p.wrote.Store(true) },
		WroteRequest: func(info httptrace.WroteRequestInfo) {
			p.wrote.Store(true)
			p.sent.Store(info.Err == nil)
		},
		GotFirstResponseByte: func() { p.answered.Store(true) },
	})
}

// unsent reports whether certainly nothing was written. With a connection at
// hand that is not certain: HTTP/2 returns from an attempt whose time is up
// while another goroutine may be about to write.
func (p *progress) unsent() bool { return p.traced.Load() && !p.got.Load() && !p.wrote.Load() }

// unanswered reports whether the request was sent and nothing came back.
func (p *progress) unanswered() bool { return p.sent.Load() && !p.answered.Load() }
