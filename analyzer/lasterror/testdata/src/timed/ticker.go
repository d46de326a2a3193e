package timed

import (
	"context"
	"errors"
	"net"
	"time"
)

// The first tick ends it.
func connect(addr string, timeout time.Duration) (net.Conn, error) {
	limit := time.NewTicker(timeout)
	defer limit.Stop()
	for {
		conn, err := net.Dial("tcp", addr)
		if err == nil {
			return conn, nil
		}
		select {
		case <-limit.C:
			return nil, errors.New("no connection in time") // want `gives up without the last error from net.Dial`
		case <-time.After(time.Second):
		}
	}
}

// Silent: its ticks are the pace.
func paced(addr string, attempts int) (conn net.Conn, err error) {
	pace := time.NewTicker(time.Second)
	defer pace.Stop()
	for range attempts {
		if conn, err = net.Dial("tcp", addr); err == nil {
			return conn, nil
		}
		<-pace.C
	}
	return nil, err
}

func kind(ctx context.Context, addr string) (net.Conn, error) {
	done := ctx.Done()
	for {
		conn, err := net.Dial("tcp", addr)
		if err == nil {
			return conn, nil
		}
		select {
		case <-done:
			return nil, errors.New("cancelled") // want `gives up when the context ends with an error that has neither`
		case <-time.After(time.Second):
		}
	}
}

// Silent: the context's error says it.
func own(ctx context.Context, addr string) (net.Conn, error) {
	done := ctx.Done()
	for {
		conn, err := net.Dial("tcp", addr)
		if err == nil {
			return conn, nil
		}
		select {
		case <-done:
			return nil, ctx.Err()
		case <-time.After(time.Second):
		}
	}
}
