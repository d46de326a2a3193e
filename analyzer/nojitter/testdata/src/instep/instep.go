package instep

import (
	"context"
	"errors"
	"math/rand/v2"
	"net"
	"net/http"
	"time"
)

func constant(client *http.Client, req *http.Request) (resp *http.Response, err error) {
	for range 3 {
		if resp, err = client.Do(req); err == nil {
			return resp, nil
		}
		time.Sleep(time.Second) // want `the wait before the next client.Do is the same number for every client, so that all who failed together come back together; draw it at random: rand.N\(delay\)`
	}
	return nil, err
}

func doubling(client *http.Client, req *http.Request) (resp *http.Response, err error) {
	delay := 100 * time.Millisecond
	for range 3 {
		if resp, err = client.Do(req); err == nil {
			return resp, nil
		}
		time.Sleep(delay) // want `the wait before the next client.Do is growing but the same for every client`
		delay *= 2
	}
	return nil, err
}

// Longer after one kind of failure, and no longer the next time.
func longerOnce(client *http.Client, req *http.Request) (resp *http.Response, err error) {
	for range 3 {
		if resp, err = client.Do(req); err == nil {
			return resp, nil
		}
		delay := 20 * time.Millisecond
		if errors.Is(err, net.ErrClosed) {
			delay += time.Second
		}
		time.Sleep(delay) // want `the wait before the next client.Do is the same number for every client`
	}
	return nil, err
}

func full(client *http.Client, req *http.Request) (resp *http.Response, err error) {
	delay := 100 * time.Millisecond
	for range 3 {
		if resp, err = client.Do(req); err == nil {
			return resp, nil
		}
		time.Sleep(rand.N(delay))
		delay *= 2
	}
	return nil, err
}

func withJitter(d time.Duration) time.Duration { return d/2 + rand.N(d/2) }

func inHelper(client *http.Client, req *http.Request) (resp *http.Response, err error) {
	for i := range 3 {
		if resp, err = client.Do(req); err == nil {
			return resp, nil
		}
		time.Sleep(withJitter(time.Second << i))
	}
	return nil, err
}

// The caller may have added any jitter.
func given(client *http.Client, req *http.Request, delay time.Duration) (resp *http.Response, err error) {
	for range 3 {
		if resp, err = client.Do(req); err == nil {
			return resp, nil
		}
		time.Sleep(delay)
	}
	return nil, err
}

// Too short to gather clients.
func tick(client *http.Client, req *http.Request) (resp *http.Response, err error) {
	for range 3 {
		if resp, err = client.Do(req); err == nil {
			return resp, nil
		}
		time.Sleep(time.Millisecond)
	}
	return nil, err
}

type lease struct {
	client *http.Client
	held   bool
}

// renew says that the lease is lost, and what failed.
func (l *lease) renew(req *http.Request) (lost bool, err error) {
	resp, err := l.client.Do(req)
	if err != nil {
		return !l.held, err
	}
	l.held = resp.StatusCode == http.StatusOK
	return !l.held, resp.Body.Close()
}

var cause = errors.Unwrap

// Silent: it goes on renewing after it went well, until the lease is lost.
func (l *lease) keep(ctx context.Context, req *http.Request) {
	for {
		delay := time.Minute
		lost, err := l.renew(req)
		if lost || cause(err) == context.Canceled {
			return
		}
		if err != nil {
			delay = time.Second
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(delay):
		}
	}
}

// The twin is done when it went well.
func (l *lease) take(ctx context.Context, req *http.Request) {
	for {
		lost, err := l.renew(req)
		if err == nil || lost || cause(err) == context.Canceled {
			return
		}
		select { // want `the wait before the next l.renew is the same number for every client`
		case <-ctx.Done():
			return
		case <-time.After(time.Second):
		}
	}
}

type instance struct{ Status string }

func (l *lease) describe(req *http.Request) (*instance, error) {
	resp, err := l.client.Do(req)
	if err != nil {
		return nil, err
	}
	return new(instance), resp.Body.Close()
}

var errNone = errors.New("none")

// Silent: the pace of a poll for a state, in which the thing may not be there
// yet.
func (l *lease) awaitState(req *http.Request, status string) error {
	for {
		i, err := l.describe(req)
		if err != nil {
			if err != errNone {
				return err
			}
		} else if i.Status == status {
			return nil
		}
		time.Sleep(time.Second)
	}
}

// The twin asks whether it went well.
func (l *lease) awaitGood(req *http.Request) error {
	for range 9 {
		i, err := l.describe(req)
		if err == nil && i.Status != "failed" {
			return nil
		}
		time.Sleep(time.Second) // want `the wait before the next l.describe is the same number for every client`
	}
	return errNone
}

// Silent: the interfaces are those of the same machine.
func awaitInterface(name string) *net.Interface {
	for {
		if i, err := net.InterfaceByName(name); err == nil {
			return i
		}
		time.Sleep(time.Second)
	}
}

func awaitName(name string) []string {
	for {
		if addresses, err := net.LookupHost(name); err == nil {
			return addresses
		}
		time.Sleep(time.Second) // want `the wait before the next net.LookupHost is the same number for every client`
	}
}

// It grows by as much each time, which is no one number.
func stepping(client *http.Client, req *http.Request) (resp *http.Response, err error) {
	delay := time.Second
	for range 3 {
		if resp, err = client.Do(req); err == nil {
			return resp, nil
		}
		time.Sleep(delay) // want `the wait before the next client.Do is growing but the same for every client`
		delay += time.Second
	}
	return nil, err
}

func adding(client *http.Client, req *http.Request) (resp *http.Response, err error) {
	delay := time.Second
	for range 3 {
		if resp, err = client.Do(req); err == nil {
			return resp, nil
		}
		time.Sleep(delay) // want `the wait before the next client.Do is growing but the same for every client`
		delay = delay + time.Second
	}
	return nil, err
}
