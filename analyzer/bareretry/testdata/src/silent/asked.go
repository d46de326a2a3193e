package silent

import (
	"context"
	"errors"
	"net"
	"net/http"
	"time"

	"payments"
)

// How long to wait is asked of a function that knows the failure: not at all,
// if another attempt won't help.
func paused(c *payments.Client, o payments.Order) (err error) {
	for i := 0; ; i++ {
		if err = c.Charge(context.Background(), o); err == nil {
			return nil
		}
		wait := pauseAfter(err, i)
		if wait <= 0 {
			return err
		}
		time.Sleep(wait)
	}
}

func pauseAfter(err error, i int) time.Duration {
	if !errors.Is(err, payments.ErrUnavailable) || i > 3 {
		return 0
	}
	return time.Second << i
}

type dialer struct{ address string }

func (d *dialer) connect() (net.Conn, error) { return net.Dial("tcp", d.address) }

// It does nothing but open a connection.
func (d *dialer) connected() (conn net.Conn, err error) {
	for range 3 {
		if conn, err = d.connect(); err == nil {
			return conn, nil
		}
		time.Sleep(time.Second)
	}
	return nil, err
}

type line struct {
	client *http.Client
	req    *http.Request
	lost   chan struct{}
	resp   *http.Response
}

func newLine(client *http.Client, req *http.Request) *line {
	l := &line{client: client, req: req, lost: make(chan struct{})}
	go l.keep()
	return l
}

func (l *line) keep() {
	for range l.lost {
		l.resp = l.reopened()
	}
}

// Nobody can be told, for as long as the line lives.
func (l *line) reopened() *http.Response {
	for {
		resp, err := l.client.Do(l.req)
		if err != nil {
			time.Sleep(time.Second)
			continue
		}
		return resp
	}
}
