package timed

import (
	"context"
	"errors"
	"net"
	"time"
)

type policy interface {
	Delay(attempt int) time.Duration
	Next(attempt int) (time.Duration, bool)
}

// What is told the number of the attempt bounds them.
func bounded(addr string, p policy) (net.Conn, error) {
	for attempt := 0; ; attempt++ {
		delay := p.Delay(attempt)
		if delay < 0 {
			return nil, errors.New("used up") // want `gives up without the last error from net.Dial`
		}
		time.Sleep(delay)
		if conn, err := net.Dial("tcp", addr); err == nil {
			return conn, nil
		}
	}
}

// Silent: the last error is in it.
func wrapped(ctx context.Context, addr string, p policy) (net.Conn, error) {
	for attempt := 0; ; attempt++ {
		conn, err := net.Dial("tcp", addr)
		if err == nil {
			return conn, nil
		}
		delay, again := p.Next(attempt)
		if !again {
			return nil, errors.Join(errors.New("used up"), err)
		}
		time.Sleep(delay)
	}
}
