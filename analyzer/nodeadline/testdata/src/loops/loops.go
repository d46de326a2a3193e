package loops

import (
	"context"
	"net/http"
	"time"

	"payments"
)

func background(c *payments.Client, o payments.Order) (err error) {
	ctx := context.Background()
	for i := 0; i < 3; i++ { // want `retries c.Charge with no limit on the time: its context is context.Background\(\), so one hanging attempt is never given up; wrap the context with context.WithTimeout`
		if err = c.Charge(ctx, o); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

func todo(c *payments.Client, o payments.Order) (err error) {
	for i := 0; i < 3; i++ { // want `its context is context.TODO\(\)`
		if err = c.Charge(context.TODO(), o); err == nil {
			return nil
		}
	}
	return err
}

func cancelled(c *payments.Client, o payments.Order) (err error) {
	ctx, cancel := context.WithCancel(context.WithValue(context.Background(), "k", "v"))
	defer cancel()
	for i := 0; i < 3; i++ { // want `its context is context.Background\(\)`
		if err = c.Charge(ctx, o); err == nil {
			return nil
		}
	}
	return err
}

func none(url string) (resp *http.Response, err error) {
	for i := 0; i < 3; i++ { // want `it has no context and no timeout, so one hanging attempt is never given up; give it a context by context\.WithTimeout, or a timeout of its own`
		if resp, err = http.Get(url); err == nil {
			return resp, nil
		}
	}
	return nil, err
}

func bareRequest(url string) (resp *http.Response, err error) {
	client := &http.Client{}
	req, err := http.NewRequest("GET", url, nil)
	if err != nil {
		return nil, err
	}
	for i := 0; i < 3; i++ { // want `it has no context and no timeout`
		if resp, err = client.Do(req); err == nil {
			return resp, nil
		}
	}
	return nil, err
}

func download(url string) (err error) {
	for i := 0; i < 3; i++ { // want `retries fetch with no limit on the time: it has no context and no timeout`
		if err = fetch(url); err == nil {
			return nil
		}
	}
	return err
}

func fetch(url string) error {
	resp, err := http.Get(url)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

func uncounted(c *payments.Client, o payments.Order) {
	for { // want `its context is context.Background\(\)`
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		err := c.Charge(ctx, o)
		cancel()
		if err == nil {
			return
		}
	}
}

// Somebody waits for what it returns.
func rejoin(c *payments.Client, o payments.Order, left chan struct{}) error {
	ctx := context.Background()
	for { // want `its context is context.Background\(\)`
		select {
		case <-left:
			return nil
		default:
		}
		if err := c.Charge(ctx, o); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
}
