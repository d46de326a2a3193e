package cancelled

import (
	"context"
	"errors"
	"net/http"
	"time"
)

func blind(ctx context.Context, client *http.Client, url string) error {
	var err error
	for range 5 { // want `retries client.Do even when ctx has ended, so that a cancelled caller waits for attempts that can't succeed; check ctx.Err\(\) before the next one`
		req, reqErr := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
		if reqErr != nil {
			return reqErr
		}
		var resp *http.Response
		resp, err = client.Do(req)
		if err == nil {
			return resp.Body.Close()
		}
		time.Sleep(time.Second)
	}
	return err
}

func checked(ctx context.Context, client *http.Client, url string) error {
	var err error
	for range 5 {
		req, reqErr := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
		if reqErr != nil {
			return reqErr
		}
		var resp *http.Response
		resp, err = client.Do(req)
		if err == nil {
			return resp.Body.Close()
		}
		if ctx.Err() != nil {
			return err
		}
		time.Sleep(time.Second)
	}
	return err
}

type store interface {
	Put(ctx context.Context, key string) error
}

func deadline(ctx context.Context, s store) error {
	for {
		err := s.Put(ctx, "k")
		if err == nil {
			return nil
		}
		if err == context.DeadlineExceeded { // want `retries s.Put after the error of a context that it shares with every attempt, which will fail the same way; check ctx.Err\(\) first and return`
			continue
		}
		return err
	}
}

var errClosed = errors.New("closed")

func otherSentinel(ctx context.Context, s store) error {
	for range 5 { // want `retries s.Put even when ctx has ended`
		err := s.Put(ctx, "k")
		if err == nil || errors.Is(err, errClosed) {
			return err
		}
		time.Sleep(time.Second)
	}
	return errClosed
}

func retryable(err error) bool { return errors.Is(err, errClosed) }

func asked(ctx context.Context, s store) (err error) {
	for range 5 {
		if err = s.Put(ctx, "k"); err == nil || !retryable(err) {
			return err
		}
		time.Sleep(time.Second)
	}
	return err
}

func waitsOnContext(ctx context.Context, s store) (err error) {
	for range 5 {
		if err = s.Put(ctx, "k"); err == nil {
			return nil
		}
		select {
		case <-time.After(time.Second):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return err
}
