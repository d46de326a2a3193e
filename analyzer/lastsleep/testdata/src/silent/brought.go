package silent

import (
	"context"
	"net/http"
	"time"
)

type pool struct {
	client *http.Client
	given  chan *http.Response
}

// wait is for a response that somebody else has no use for.
func (p *pool) wait(ctx context.Context) (*http.Response, error) {
	select {
	case resp := <-p.given:
		return resp, nil
	case <-time.After(time.Second):
		return nil, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// What the wait brings is worth it after the last attempt too.
func (p *pool) get(ctx context.Context, req *http.Request, n int) (resp *http.Response, err error) {
	for i := 0; i < n; i++ {
		if resp, err = p.client.Do(req); err == nil {
			return resp, nil
		}
		other, waitErr := p.wait(ctx)
		if other != nil {
			return other, nil
		}
		if waitErr != nil {
			return nil, waitErr
		}
	}
	return nil, err
}
