package coded

import (
	"context"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

type client interface {
	Wait(ctx context.Context, id string) error
}

// Once its own deadline is over, every attempt ends with it.
func forEver(ctx context.Context, c client, id string) (err error) {
	for {
		if err = c.Wait(ctx, id); err == nil {
			return nil
		}
		switch status.Code(err) {
		case codes.Unavailable, codes.DeadlineExceeded: // want `retries c.Wait after the error of a context that it shares with every attempt, which will fail the same way; check ctx.Err\(\) first and return`
		default:
			return err
		}
		<-time.After(time.Second)
	}
}

func compared(ctx context.Context, c client, id string) (err error) {
	for { // want `retries c.Wait even when ctx has ended`
		if err = c.Wait(ctx, id); err == nil {
			return nil
		}
		if code := status.Code(err); code != codes.Unavailable && status.Code(err) != codes.Canceled {
			return err
		}
		time.Sleep(time.Second)
	}
}

// The server's deadline is over, or the caller's: three attempts do no harm.
func counted(ctx context.Context, c client, id string) (err error) {
	for range 3 {
		if err = c.Wait(ctx, id); err == nil {
			return nil
		}
		switch status.Code(err) {
		case codes.Unavailable, codes.DeadlineExceeded:
		default:
			return err
		}
		time.Sleep(time.Second)
	}
	return err
}

func looked(ctx context.Context, c client, id string) (err error) {
	for {
		if err = c.Wait(ctx, id); err == nil {
			return nil
		}
		switch status.Code(err) {
		case codes.Unavailable, codes.DeadlineExceeded:
		default:
			return err
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		time.Sleep(time.Second)
	}
}

// Only what is not there yet comes back.
func unavailable(ctx context.Context, c client, id string) (err error) {
	for {
		if err = c.Wait(ctx, id); status.Code(err) != codes.Unavailable {
			return err
		}
		time.Sleep(time.Second)
	}
}

// Each attempt has a deadline of its own.
func each(ctx context.Context, c client, id string) (err error) {
	for {
		attempt, cancel := context.WithTimeout(ctx, time.Second)
		err = c.Wait(attempt, id)
		cancel()
		if err == nil {
			return nil
		}
		switch status.Code(err) {
		case codes.DeadlineExceeded:
		default:
			return err
		}
		time.Sleep(time.Second)
	}
}
