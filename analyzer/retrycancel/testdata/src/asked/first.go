package asked

import (
	"context"
	"net"
	"net/http"
)

// The context is asked before each attempt: its end is always found first.
func first(ctx context.Context, client *http.Client, req *http.Request) (*http.Response, error) {
	for {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		default:
			resp, err := client.Do(req.WithContext(ctx))
			if err == nil {
				return resp, nil
			}
			switch err.(type) {
			case net.Error:
				again(req)
			default:
				if !closed(err) {
					return nil, err
				}
				again(req)
			}
		}
	}
}

func again(*http.Request) {}

func closed(err error) bool { return err == net.ErrClosed }
