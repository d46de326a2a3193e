package loops

import (
	"context"
	"net/http"
	"time"
)

type peer struct {
	client *http.Client
	url    string
	settle *time.Timer
}

// ask lets the other side settle before it is asked.
func (p *peer) ask(ctx context.Context) (int, error) {
	<-p.settle.C
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, p.url, nil)
	if err != nil {
		return 0, err
	}
	resp, err := p.client.Do(req)
	if err != nil {
		return 0, err
	}
	return resp.StatusCode, resp.Body.Close()
}

// Between two rounds the context is watched.
func (p *peer) untilDone(ctx context.Context, every time.Duration) error {
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(every):
		}
		code, err := p.ask(context.Background())
		if err != nil {
			return err
		}
		if code == http.StatusOK {
			return nil
		}
	}
}

func (p *peer) heartbeatAsleep(ctx context.Context, every time.Duration) {
	for {
		time.Sleep(every) // want `waits with time.Sleep before retrying p.ask, so a cancelled ctx still waits it out`
		code, err := p.ask(ctx)
		if err != nil || code != http.StatusOK {
			continue
		}
	}
}
