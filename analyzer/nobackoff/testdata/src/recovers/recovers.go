// Package recovers has helpers that do more between two attempts than wait.
package recovers

import (
	"context"
	"net"
	"time"
)

type link struct {
	conn net.Conn
	addr string
}

func (l *link) dial() (err error) {
	l.conn, err = net.Dial("tcp", l.addr)
	return err
}

func (l *link) write(b []byte) error {
	_, err := l.conn.Write(b)
	return err
}

// It pauses, and then connects.
func (l *link) pauses(ctx context.Context, b []byte) error {
	again := func(err error) {
		time.Sleep(time.Second)
		if err = l.dial(); err != nil {
			println(err.Error())
		}
	}
	for ctx.Err() == nil {
		err := l.write(b)
		if err == nil {
			return nil
		}
		again(err)
	}
	return ctx.Err()
}

// It may pause.
func (l *link) mayPause(ctx context.Context, b []byte) error {
	again := func() {
		if err := l.dial(); err != nil {
			time.Sleep(time.Second)
		}
	}
	for ctx.Err() == nil {
		err := l.write(b)
		if err == nil {
			return nil
		}
		again()
	}
	return ctx.Err()
}

// It doesn't pause.
func (l *link) hurries(ctx context.Context, b []byte) error {
	again := func() {
		if err := l.dial(); err != nil {
			println(err.Error())
		}
	}
	for ctx.Err() == nil { // want `a failed l.write is repeated at once`
		err := l.write(b)
		if err == nil {
			return nil
		}
		again()
	}
	return ctx.Err()
}
