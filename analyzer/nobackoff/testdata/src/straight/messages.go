package straight

import (
	"context"
	"net/http"
)

type inbox interface {
	NextMsg(ctx context.Context) (string, error)
}

// A failure goes on with the next message.
func (p *pool) greet(ctx context.Context, in inbox, client *http.Client) (string, error) {
	for {
		msg, err := in.NextMsg(ctx)
		if err != nil {
			return "", err
		}
		resp, err := client.Get(p.current)
		if err != nil {
			continue
		}
		return msg, resp.Body.Close()
	}
}

// Nothing else is taken.
func (p *pool) insist(client *http.Client) error {
	for { // want `a failed client.Get is repeated at once`
		resp, err := client.Get(p.current)
		if err != nil {
			continue
		}
		return resp.Body.Close()
	}
}
