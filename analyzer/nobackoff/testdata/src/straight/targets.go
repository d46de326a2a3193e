package straight

import (
	"context"
	"errors"
	"net/http"
	"slices"
)

type backend struct{ name, url string }

type fleet struct {
	list    []*backend
	next    int
	current *backend
	idle    []*http.Client
	clients []*http.Client
}

func ask(client *http.Client, url string) error {
	resp, err := client.Get(url)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

func leastBusy(list []*backend) int { return len(list) - 1 }

// What was tried is taken off the list, so that it never comes back.
func (f *fleet) shrinks(client *http.Client) error {
	candidates := slices.Clone(f.list)
	var last error
	for {
		found := leastBusy(candidates)
		if found < 0 {
			return last
		}
		chosen := candidates[found]
		candidates[found] = candidates[len(candidates)-1]
		candidates = candidates[:len(candidates)-1]
		if last = ask(client, chosen.url); last == nil {
			return nil
		}
	}
}

// Only what succeeded is taken off the list.
func (f *fleet) keepsFailed(client *http.Client, queue []*backend) (err error) {
	for i := 0; i < 5; i++ { // want `a failed ask is repeated at once`
		first := queue[0]
		if err = ask(client, first.url); err == nil {
			queue = queue[1:]
			return nil
		}
	}
	return err
}

// A buffer that is emptied is no list of targets.
func (f *fleet) buffer(client *http.Client, names []string) (err error) {
	for i := 0; i < 5; i++ { // want `a failed ask is repeated at once`
		names = names[:0]
		names = append(names, f.current.url)
		if err = ask(client, names[0]); err == nil {
			return nil
		}
	}
	return err
}

func (f *fleet) selectBackend(without string) *backend {
	for _, b := range f.list {
		if b.name != without {
			return b
		}
	}
	return nil
}

// With a bound on attempts it is a retry even where the choice is told which
// one failed: there may be no other.
func (f *fleet) another(client *http.Client) (err error) {
	var b *backend
	for i := 0; i < 3; i++ { // want `a failed ask is repeated at once`
		var last string
		if b != nil {
			last = b.name
		}
		b = f.selectBackend(last)
		if b == nil {
			return err
		}
		if err = ask(client, b.url); err == nil {
			return nil
		}
	}
	return err
}

// The choice is told the same each time.
func (f *fleet) chosenAnew(client *http.Client, zone string) (err error) {
	for i := 0; i < 3; i++ { // want `a failed ask is repeated at once`
		b := f.selectBackend(zone)
		if err = ask(client, b.url); err == nil {
			return nil
		}
	}
	return err
}

func (f *fleet) untried(tried map[string]bool) (*backend, error) {
	for _, b := range f.list {
		if !tried[b.name] {
			return b, nil
		}
	}
	return nil, errors.New("none left")
}

// What was tried is noted, and not given again.
func (f *fleet) noted(client *http.Client) error {
	tried := make(map[string]bool)
	for {
		b, err := f.untried(tried)
		if err != nil {
			return err
		}
		tried[b.name] = true
		if err := ask(client, b.url); err == nil {
			return nil
		}
	}
}

func (f *fleet) turn() string {
	b := f.list[f.next%len(f.list)]
	next := f.next + 1
	f.next = next % len(f.list)
	return b.url
}

func (f *fleet) size() int { return len(f.list) }

// Each is asked once.
func (f *fleet) turns(client *http.Client) (err error) {
	for i := 0; i < f.size(); i++ {
		if err = ask(client, f.turn()); err == nil {
			return nil
		}
	}
	return err
}

// More rounds than there are backends.
func (f *fleet) turnsAround(client *http.Client) (err error) {
	for i := 0; i < 10; i++ { // want `a failed ask is repeated at once`
		if err = ask(client, f.turn()); err == nil {
			return nil
		}
	}
	return err
}

func (f *fleet) rotate() bool {
	first := f.list[0]
	n := len(f.list)
	copy(f.list, f.list[1:])
	f.list[n-1] = first
	f.current = f.list[0]
	return n > 1
}

func (f *fleet) reach(ctx context.Context) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, f.current.url, nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// What the method works on is the next of the list each time.
func (f *fleet) rotates(ctx context.Context) (err error) {
	for len(f.list) > 0 {
		f.rotate()
		if err = f.reach(ctx); err == nil {
			return nil
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return err
}

type store struct{ client *http.Client }

func (s *store) first() (string, error)   { return "", nil }
func (s *store) fetch(index string) error { return ask(s.client, index) }

// What failed is not tried again: the loop leaves when it is given the same.
func (s *store) oldest() error {
	var lastFailed string
	var lastErr error
	for {
		index, err := s.first()
		if err != nil {
			return err
		}
		if index == lastFailed {
			return lastErr
		}
		if err = s.fetch(index); err == nil {
			return nil
		}
		lastFailed = index
		lastErr = err
	}
}

// Nothing keeps it from the same index.
func (s *store) read() error {
	for { // want `a failed s.fetch is repeated at once`
		index, err := s.first()
		if err != nil {
			return err
		}
		if err = s.fetch(index); err == nil {
			return nil
		}
	}
}

// get takes a client from those that are idle.
func (f *fleet) get() *http.Client {
	c := f.idle[len(f.idle)-1]
	f.idle = f.idle[:len(f.idle)-1]
	return c
}

// A connection from a pool is none of the request's targets.
func (f *fleet) pooled(req *http.Request) error {
	for { // want `a failed client.Do is repeated at once`
		client := f.get()
		resp, err := client.Do(req)
		if err == nil {
			return resp.Body.Close()
		}
	}
}

func (f *fleet) client() *http.Client {
	f.next++
	return f.clients[f.next%len(f.clients)]
}

// Nor is the next connection to the same server.
func (f *fleet) spread(req *http.Request) error {
	for { // want `a failed client.Do is repeated at once`
		client := f.client()
		resp, err := client.Do(req)
		if err == nil {
			return resp.Body.Close()
		}
	}
}

// Taken out of the middle.
func (f *fleet) cuts(client *http.Client, list []*backend) (err error) {
	for len(list) > 0 {
		at := leastBusy(list)
		b := list[at]
		list = append(list[:at], list[at+1:]...)
		if err = ask(client, b.url); err == nil {
			return nil
		}
	}
	return err
}

// Taken out after the failure.
func (f *fleet) deletes(client *http.Client, list []*backend) (err error) {
	for len(list) > 0 {
		at := leastBusy(list)
		b := list[at]
		if err = ask(client, b.url); err == nil {
			return nil
		}
		list = slices.Delete(list, at, at+1)
	}
	return err
}

// Taken off for one failure only: all others come back to the same.
func (f *fleet) sometimes(client *http.Client, list []*backend) (err error) {
	for i := 0; i < 10; i++ { // want `a failed ask is repeated at once`
		b := list[0]
		if err = ask(client, b.url); err == nil {
			return nil
		}
		if len(list) > 1 && errors.Is(err, http.ErrServerClosed) {
			list = list[1:]
		}
	}
	return err
}

func (f *fleet) now() (*backend, int) { return f.list[f.next], len(f.list) }

func (f *fleet) following() *backend {
	f.next = (f.next + 1) % len(f.list)
	return f.list[f.next]
}

// As often as there are backends, which the function says that gives the first.
func (f *fleet) failsOver(client *http.Client) error {
	b, count := f.now()
	tried := 1
	for {
		err := ask(client, b.url)
		if err == nil {
			return nil
		}
		tried++
		if tried > count {
			return err
		}
		b = f.following()
	}
}

// Ten rounds over the same few.
func (f *fleet) failsOverAgain(client *http.Client) error {
	b, _ := f.now()
	tried := 1
	for { // want `a failed ask is repeated at once`
		err := ask(client, b.url)
		if err == nil {
			return nil
		}
		tried++
		if tried > 10 {
			return err
		}
		b = f.following()
	}
}

// What was asked is taken off the list, whatever it was made into.
func dialAll(urls []string, dial func(url string) (*http.Client, error)) (client *http.Client, err error) {
	for len(urls) > 0 {
		client, err = dial(urls[0])
		if err != nil {
			urls = urls[1:]
			continue
		}
		if err = ask(client, "/ping"); err != nil {
			urls = urls[1:]
			continue
		}
		return client, nil
	}
	return nil, err
}

// The list gets longer.
func dialFirst(urls []string, dial func(url string) (*http.Client, error)) (client *http.Client, err error) {
	for len(urls) < 9 { // want `a failed ask is repeated at once`
		client, err = dial(urls[0])
		if err != nil {
			return nil, err
		}
		if err = ask(client, "/ping"); err != nil {
			urls = append(urls, "/again")
			continue
		}
		return client, nil
	}
	return nil, err
}
