package shop

import (
	"context"
	"net/http"
	"time"

	"gateway"
)

type ring struct {
	urls []string
	at   int
}

func (r *ring) Current() string { return r.urls[r.at] }
func (r *ring) Next()           { r.at = (r.at + 1) % len(r.urls) }

// Each has retries of its own.
func around(client *http.Client, r *ring, n int) (err error) {
	for i := 0; i < n; i++ {
		url := r.Current()
		if err = gateway.Fetch(client, url); err == nil {
			return nil
		}
		r.Next()
	}
	return err
}

func onTheSpot(client *http.Client, r *ring, n int) (err error) {
	for i := 0; i < n; i++ {
		url := r.Current()
		if err = gateway.Fetch(client, url); err == nil { // want `n x 4 attempts: gateway.Fetch -> client.Get`
			return nil
		}
	}
	return err
}

// The time of an attempt is what it waits in.
func inTime(ctx context.Context, client *http.Client, url string) (err error) {
	for range 3 {
		attempt, cancel := context.WithTimeout(ctx, time.Minute)
		err = gateway.Await(attempt, client, url)
		cancel()
		if err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

func untimed(ctx context.Context, client *http.Client, url string) (err error) {
	for range 3 {
		if err = gateway.Await(ctx, client, url); err == nil { // want `3 x n attempts: gateway.Await -> client.Get`
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

// The step that waits has a time of its own, whatever is done after it.
func firstInTime(ctx context.Context, client *http.Client, url string) (err error) {
	for range 3 {
		step, cancel := context.WithTimeout(ctx, time.Minute)
		err = gateway.Await(step, client, url)
		cancel()
		if err == nil {
			if err = gateway.Once(client, url); err == nil {
				return nil
			}
		}
		time.Sleep(time.Second)
	}
	return err
}

func firstUntimed(ctx context.Context, client *http.Client, url string) (err error) {
	for range 3 {
		err = gateway.Await(ctx, client, url)
		if err == nil {
			if err = gateway.Once(client, url); err == nil { // want `3 x n attempts: gateway.Await -> client.Get`
				return nil
			}
		}
		time.Sleep(time.Second)
	}
	return err
}

type item struct{ free bool }

func (i *item) pay(client *http.Client, url string) error {
	if i.free {
		return nil
	}
	return gateway.Fetch(client, url)
}

func (i *item) charge(client *http.Client, url string) error {
	if i.free && url == "" {
		return gateway.ErrStale
	}
	return gateway.Fetch(client, url)
}

func checkout(client *http.Client, i *item, url string) error { return i.pay(client, url) }

func checkoutAll(client *http.Client, i *item, url string) error { return i.charge(client, url) }

// Nobody knows whether what is checked out is free.
func maybe(client *http.Client, i *item, url string) (err error) {
	for range 3 {
		if err = checkout(client, i, url); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

func always(client *http.Client, i *item, url string) (err error) {
	for range 3 {
		if err = checkoutAll(client, i, url); err == nil { // want `3 x 4 = 12 attempts: checkoutAll -> i.charge -> gateway.Fetch -> client.Get|3 x 4 = 12 attempts`
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}
