// Package told has retries that tell failures apart in ways of their own, and
// beside each one that doesn't.
package told

import (
	"context"
	"errors"
	"log"
	"net"
	"net/http"
	"path"
	"time"
)

type commandError struct{ labels []string }

func (e commandError) Error() string         { return "command" }
func (e commandError) has(label string) bool { return len(e.labels) > 0 && e.labels[0] == label }

func commit(ctx context.Context, name string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, name, nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// The case for nil comes first, and the type is looked at after it.
func byType(ctx context.Context) error {
	for {
		err := commit(ctx, "/commit")
		switch e := err.(type) {
		case nil:
			return nil
		case commandError:
			if e.has("unknown") {
				time.Sleep(time.Second)
				continue
			}
			return e
		default:
			return e
		}
	}
}

func code(err error) int { return len(err.Error()) }

// The switch compares what was read from the error with its cases.
func byCode(ctx context.Context) error {
	for {
		err := commit(ctx, "/commit")
		if err == nil {
			return nil
		}
		switch code(err) {
		case 14, 5, 9:
		default:
			return err
		}
		time.Sleep(time.Second)
	}
}

// Whatever stands in the way of a connection may be over the next time.
func connected(addr string) (conn net.Conn, err error) {
	for range 5 {
		if conn, err = net.DialTimeout("tcp", addr, time.Second); err == nil {
			return conn, nil
		}
		time.Sleep(time.Second)
	}
	return nil, err
}

// Each round asks for the parent of the one before.
func upwards(ctx context.Context, dir string) error {
	for {
		if err := commit(ctx, dir); err == nil {
			return nil
		}
		dir = path.Dir(dir)
		if dir == "/" {
			return nil
		}
	}
}

type marker struct{ name string }

func (m *marker) head(ctx context.Context) error { return commit(ctx, m.name) }

func upwardsInField(ctx context.Context, m *marker, dir string) error {
	for {
		m.name = dir + "/"
		if err := m.head(ctx); err == nil {
			return nil
		}
		dir = path.Dir(dir)
		if dir == "/" {
			return nil
		}
	}
}

func sameInField(ctx context.Context, m *marker, dir string) (err error) {
	for range 4 { // want `retries every error from m.head`
		m.name = dir + "/"
		if err = m.head(ctx); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

type body struct{ read func([]byte) (int, error) }

func (b *body) reopen(ctx context.Context) error { return commit(ctx, "/open") }

// Where it can't be opened again, the error of the read ends the loop.
func (b *body) Read(ctx context.Context, p []byte) (n int, err error) {
	for n < len(p) && err == nil {
		var nn int
		nn, err = b.read(p[n:])
		n += nn
		if err != nil {
			if b.reopen(ctx) == nil {
				err = nil
			}
		}
	}
	return n, err
}

var errReset = errors.New("reset")

// What is told to the other side before the next attempt is not what is
// retried, and names nothing.
func toldBefore(ctx context.Context) {
	for { // want `retries every error from commit`
		err := commit(ctx, "/join")
		if err == nil {
			return
		}
		log.Print(err)
		err = commit(ctx, "/leave")
		if err != nil {
			log.Print(err)
		}
		time.Sleep(time.Second)
	}
}

type saver interface{ save() error }

type inMemory struct{ last string }

func (s *inMemory) save() error {
	if s.last == "" {
		return errReset
	}
	return nil
}

// All that save does, it does here.
func kept(s saver) (err error) {
	for range 4 {
		if err = s.save(); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

type sender interface{ send() error }

type remote struct{ url string }

func (r *remote) send() error { return commit(context.Background(), r.url) }

func sent(s sender) (err error) {
	for range 4 { // want `retries every error from s.send`
		if err = s.send(); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

type inbox struct{}

func (inbox) receive() (string, bool) { return "", true }

func handle(ctx context.Context, msg string) error { return commit(ctx, msg) }

// Each round has the next message.
func received(ctx context.Context, in inbox) bool {
	for {
		msg, ok := in.receive()
		if !ok {
			return false
		}
		if err := handle(ctx, msg); err != nil {
			continue
		}
		return true
	}
}

type multiError struct{ list []error }

func (*multiError) Error() string           { return "several" }
func (e *multiError) Parts() (list []error) { return e.list }

// The parts of an error are looked through.
func looked(ctx context.Context, names []string) error {
	var several *multiError
	if !errors.As(commit(ctx, "/all"), &several) {
		return nil
	}
	for i := range names {
		part := several.Parts()[i]
		if part == nil {
			continue
		}
		return part
	}
	return nil
}

type conn struct{ url string }

func (c *conn) exec(ctx context.Context) (frame, error) { return frame{}, commit(ctx, c.url) }

type frame struct{ kind byte }

func (f frame) parse() (any, error) {
	if f.kind > 3 {
		return nil, errReset
	}
	return f, nil
}

// A heartbeat goes on after each answer; a panic is no way to leave it.
func heartbeat(c *conn, tick <-chan time.Time) {
	failures := 0
	for failures < 5 {
		<-tick
		f, err := c.exec(context.Background())
		if err != nil {
			failures++
			continue
		}
		resp, err := f.parse()
		if err != nil {
			failures++
			continue
		}
		switch resp.(type) {
		case frame:
			failures = 0
		case error:
		default:
			panic("unknown frame")
		}
	}
}
