package straight

import (
	"context"
	"math/rand"
	"net/http"
)

// Each round takes the next one, in an order that was drawn before.
func shuffled(client *http.Client, urls []string) (resp *http.Response, err error) {
	for _, i := range rand.Perm(len(urls)) {
		url := urls[i]
		if resp, err = client.Get(url); err == nil {
			return resp, nil
		}
	}
	return nil, err
}

// The same one each time.
func first(client *http.Client, urls []string) (resp *http.Response, err error) {
	for range rand.Perm(len(urls)) { // want `a failed client.Get is repeated at once`
		url := urls[0]
		if resp, err = client.Get(url); err == nil {
			return resp, nil
		}
	}
	return nil, err
}

type tried struct {
	attempts int
	peers    []string
}

// The function is told of the attempts so far, and may choose another peer.
func run(ctx context.Context, n int, f func(context.Context, *tried) error) (err error) {
	t := new(tried)
	for i := 0; i < n; i++ {
		t.attempts++
		if err = f(ctx, t); err == nil {
			return nil
		}
	}
	return err
}

func runSame(ctx context.Context, n int, f func(context.Context, *tried) error) (err error) {
	t := new(tried)
	for i := 0; i < n; i++ { // want `a failed f is repeated at once`
		if err = f(ctx, t); err == nil {
			return nil
		}
	}
	return err
}

type stream struct{ client *http.Client }

func (s *stream) Recv() (*http.Response, error) { return s.client.Get("http://localhost/next") }

func (s *stream) Fetch() (*http.Response, error) { return s.client.Get("http://localhost/next") }

func (s *stream) broken(err error, resp *http.Response) error {
	if err != nil && resp == nil {
		return err
	}
	return nil
}

// What comes next is what the other side sends next.
func (s *stream) receive(handle func(*http.Response)) {
	for {
		resp, err := s.Recv()
		if stop := s.broken(err, resp); stop != nil && resp != nil {
			return
		}
		handle(resp)
	}
}

type server struct{ url string }

type link struct {
	client *http.Client
	server server
}

func (l *link) connect() (*http.Response, error) { return l.client.Get(l.server.url) }

// Each round asks the next one.
func (l *link) any(servers []server) (resp *http.Response, err error) {
	for _, b := range servers {
		l.server = b
		if resp, err = l.connect(); err == nil {
			return resp, nil
		}
	}
	return nil, err
}

func (l *link) same(servers []server) (resp *http.Response, err error) {
	for range servers { // want `a failed l.connect is repeated at once`
		l.server = servers[0]
		if resp, err = l.connect(); err == nil {
			return resp, nil
		}
	}
	return nil, err
}
