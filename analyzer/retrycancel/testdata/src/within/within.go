// Package within has attempts that are made inside the select statement which
// asks whether the context has ended.
package within

import (
	"context"
	"net"
	"net/http"
	"time"
)

type sender struct{ http *http.Client }

func (s *sender) send(ctx context.Context) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://queue.example/", nil)
	if err != nil {
		return err
	}
	resp, err := s.http.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

func (s *sender) asks(ctx context.Context) error {
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		default:
			err := s.send(ctx)
			if err == nil {
				return nil
			}
			switch err.(type) {
			case net.Error:
				time.Sleep(time.Second)
			default:
				if !recoverable(err) {
					return err
				}
			}
		}
	}
}

func (s *sender) asksNothing(ctx context.Context, stop chan int) error {
	for { // want `retries s.send even when ctx has ended`
		select {
		case <-stop:
			return nil
		default:
			err := s.send(ctx)
			if err == nil {
				return nil
			}
			switch err.(type) {
			case net.Error:
				time.Sleep(time.Second)
			default:
				if !recoverable(err) {
					return err
				}
			}
		}
	}
}

func recoverable(err error) bool { return len(err.Error()) > 10 }
