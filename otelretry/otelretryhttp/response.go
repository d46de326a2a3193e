package otelretryhttp

import (
	"bytes"
	"io"
	"net/http"
	"time"
)

// maxDrain is how much of a discarded body is read so that its connection can
// be used again; closing the connection is cheaper than reading more.
const maxDrain = 64 << 10

// maxDrainTime is how long that may take: a server that never ends its error
// page must not keep the next attempt waiting.
const maxDrainTime = 100 * time.Millisecond

// discard ends a response that nobody gets.
func discard(resp *http.Response) {
	if resp == nil {
		return
	}
	if resp.ContentLength <= maxDrain {
		stop := time.AfterFunc(maxDrainTime, func() { _ = resp.Body.Close() })
		_, _ = io.CopyN(io.Discard, resp.Body, maxDrain)
		stop.Stop()
	}
	_ = resp.Body.Close()
}

// setAside takes a failed response off its connection: a short body is read
// into memory, where it can wait for what the policy decides, without holding
// the connection. A body that is long or of unknown length stays open.
func setAside(resp *http.Response) {
	if resp.Body == http.NoBody || resp.ContentLength < 0 || resp.ContentLength > maxDrain {
		return
	}
	body := readAhead(resp.Body)
	resp.Body = body
	patience := time.NewTimer(maxDrainTime)
	defer patience.Stop()
	select {
	case <-body.over:
	case <-patience.C: // it stalls: the policy decides without the rest, which may still come
	}
}

// bodyAhead is a body that is read into memory before anyone asks for it.
type bodyAhead struct {
	source io.ReadCloser
	over   chan struct{} // closed when the source is read
	kept   *bytes.Reader
	err    error // what reading the source ended in
}

// readAhead starts to read a body. That ends with the body, with its context,
// or when it is closed.
func readAhead(source io.ReadCloser) *bodyAhead {
	b := &bodyAhead{source: source, over: make(chan struct{})}
	go func() {
		defer close(b.over)
		content, err := io.ReadAll(io.LimitReader(source, maxDrain))
		_ = source.Close()
		b.kept, b.err = bytes.NewReader(content), err
	}()
	return b
}

func (b *bodyAhead) Read(p []byte) (int, error) {
	<-b.over
	n, err := b.kept.Read(p)
	if err == io.EOF && b.err != nil {
		err = b.err
	}
	return n, err
}

func (b *bodyAhead) Close() error { return b.source.Close() }

// holdUntilRead keeps the attempt's context alive until the body is read to its
// end or closed.
func holdUntilRead(resp *http.Response, release func()) {
	body := &heldBody{ReadCloser: resp.Body, release: release}
	if w, ok := resp.Body.(io.Writer); ok { // 101 Switching Protocols
		resp.Body = &heldConnection{heldBody: body, Writer: w}
		return
	}
	resp.Body = body
}

type heldBody struct {
	io.ReadCloser
	release func()
}

func (b *heldBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err != nil {
		b.release()
	}
	return n, err
}

func (b *heldBody) Close() error {
	err := b.ReadCloser.Close()
	b.release()
	return err
}

type heldConnection struct {
	*heldBody
	io.Writer
}
