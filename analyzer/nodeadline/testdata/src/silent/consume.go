package silent

import (
	"context"
	"net/http"
	"time"
)

type pulled struct {
	status int
	next   int64
}

type partition struct {
	done   chan struct{}
	client *http.Client
	offset int64
}

func (p *partition) pull(ctx context.Context, offset int64) (pulled, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "https://broker.example", nil)
	if err != nil {
		return pulled{}, err
	}
	resp, err := p.client.Do(req)
	if err != nil {
		return pulled{}, err
	}
	return pulled{status: resp.StatusCode, next: offset + 1}, resp.Body.Close()
}

// A consumer takes one message after the other, and goes back to the start of
// its loop by a label.
func (p *partition) consume(handle func(pulled)) {
	var wait time.Duration
	for {
	NEXT:
		select {
		case <-p.done:
			return
		default:
		}
		if wait > 0 {
			time.Sleep(wait)
		}
		wait = 0
		got, err := p.pull(context.Background(), 7)
		if err != nil {
			wait = time.Second
			goto NEXT
		}
		if got.status == 504 {
			wait = time.Second
			goto NEXT
		}
		handle(got)
		switch got.status {
		case 200:
			p.offset = got.next
		case 404:
		default:
			wait = time.Second
		}
	}
}
