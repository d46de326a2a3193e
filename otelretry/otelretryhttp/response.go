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
	if resp.Body == nil || resp.Body == http.NoBody || resp.ContentLength < 0 || resp.ContentLength > maxDrain {
		return
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxDrain))
	_ = resp.Body.Close()
	kept := &keptBody{Reader: bytes.NewReader(body), err: err}
	resp.Body = kept
}

// keptBody is a body in memory, with the error that reading it ended in.
type keptBody struct {
	*bytes.Reader
	err error
}

func (b *keptBody) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	if err == io.EOF && b.err != nil {
		err = b.err
	}
	return n, err
}

// WriteTo is that of the reader, and the error where the body ends.
func (b *keptBody) WriteTo(w io.Writer) (int64, error) {
	n, err := b.Reader.WriteTo(w)
	if err == nil {
		err = b.err
	}
	return n, err
}

func (b *keptBody) Close() error { return nil }

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
