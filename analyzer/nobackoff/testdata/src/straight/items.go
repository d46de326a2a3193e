package straight

import (
	"context"
	"errors"
	"net/http"
	"time"
)

type pool struct {
	hosts   []string
	current string
}

func (p *pool) dial(ctx context.Context) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, p.current, nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// Every round has another host.
func (p *pool) connect(ctx context.Context) (err error) {
	for i := 0; i < len(p.hosts); i++ {
		p.current = p.hosts[i]
		if err = p.dial(ctx); err == nil {
			return nil
		}
	}
	return err
}

// From the last host to the first.
func (p *pool) backwards(client *http.Client, from int) (err error) {
	for i := from; i >= 0; i-- {
		host := p.hosts[i]
		var resp *http.Response
		if resp, err = client.Get(host); err == nil {
			return resp.Body.Close()
		}
	}
	return err
}

// The same hosts again and again.
func (p *pool) around(client *http.Client) (err error) {
	for i := 0; i < 10; i++ { // want `a failed client.Get is repeated at once`
		host := p.hosts[i%len(p.hosts)]
		var resp *http.Response
		if resp, err = client.Get(host); err == nil {
			return resp.Body.Close()
		}
	}
	return err
}

// Each of the hosts once, beginning anywhere.
func (p *pool) once(client *http.Client, from int) (err error) {
	for i := range p.hosts {
		host := p.hosts[(i+from)%len(p.hosts)]
		var resp *http.Response
		if resp, err = client.Get(host); err == nil {
			return resp.Body.Close()
		}
	}
	for n := 0; n < len(p.hosts); n++ {
		req, err := http.NewRequest(http.MethodGet, p.hosts[(from+n)%len(p.hosts)], nil)
		if err != nil {
			return err
		}
		if resp, err := client.Do(req); err == nil {
			return resp.Body.Close()
		}
	}
	return err
}

// The case of the timer limits the wait for the answer; it is no pause.
func (p *pool) hear(client *http.Client, answers chan error) (err error) {
	for i := 0; i < 10; i++ { // want `a failed client.Get is repeated at once`
		var resp *http.Response
		if resp, err = client.Get(p.current); err == nil {
			return resp.Body.Close()
		}
		select {
		case <-answers:
		case <-time.After(time.Minute):
			return err
		}
	}
	return err
}

// It is a pause where it leads to the next attempt.
func (p *pool) tick(client *http.Client, ticker *time.Ticker, stop chan struct{}) error {
	for {
		select {
		case <-stop:
			return nil
		case <-ticker.C:
			resp, err := client.Get(p.current)
			if err != nil {
				continue
			}
			return resp.Body.Close()
		}
	}
}

// All who call it make two attempts: the first retry only.
func (p *pool) few(client *http.Client, attempts int) (err error) {
	for i := 0; i < attempts; i++ {
		var resp *http.Response
		if resp, err = client.Get(p.current); err == nil {
			return resp.Body.Close()
		}
	}
	return err
}

func (p *pool) callsFew(client *http.Client) error { return p.few(client, 2) }

// A stream that ended well is opened again; a failure leaves.
func (p *pool) follow(client *http.Client) error {
	for {
		resp, err := client.Get(p.current)
		if err != nil {
			return err
		}
		resp.Body.Close()
		if resp.StatusCode != http.StatusOK {
			return errors.New(resp.Status)
		}
	}
}
