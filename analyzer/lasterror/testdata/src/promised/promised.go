// Package promised says that the last error comes back.
package promised

import (
	"context"
	"errors"
	"net"
	"time"
)

func connect(ctx context.Context, addr string) error {
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", addr)
	if err != nil {
		return err
	}
	return conn.Close()
}

// Named tries four times and returns the last error.
func Named(ctx context.Context, addr string) (err error) {
	for i := 0; i < 4; i++ {
		if err = connect(ctx, addr); err == nil {
			return
		}
		select {
		case <-ctx.Done():
			err = ctx.Err()
			return // want `promises the last error but returns the context's alone`
		case <-time.After(time.Second):
		}
	}
	return
}

// Joined tries four times and returns the last error, with the context's.
func Joined(ctx context.Context, addr string) (err error) {
	for i := 0; i < 4; i++ {
		if err = connect(ctx, addr); err == nil {
			return
		}
		select {
		case <-ctx.Done():
			err = errors.Join(err, ctx.Err())
			return
		case <-time.After(time.Second):
		}
	}
	return
}

// Silent: nothing is promised.
func Plain(ctx context.Context, addr string) (err error) {
	for i := 0; i < 4; i++ {
		if err = connect(ctx, addr); err == nil {
			return
		}
		select {
		case <-ctx.Done():
			err = ctx.Err()
			return
		case <-time.After(time.Second):
		}
	}
	return
}
