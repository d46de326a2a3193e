package shop

import (
	"errors"
	"net/http"
	"time"

	"gateway"
)

func direct(client *http.Client, url string) (err error) {
	for range 3 {
		if err = gateway.Fetch(client, url); err == nil { // want `attempts multiply: 3 x 4 = 12 attempts: gateway.Fetch -> client.Get`
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

func price(client *http.Client, url string) error {
	if err := gateway.Load(client, url); err != nil {
		return err
	}
	return nil
}

func deeper(client *http.Client, url string, n int) (err error) {
	for i := 0; i < n; i++ {
		if err = price(client, url); err == nil { // want `n x 4 attempts: price -> gateway.Load -> client.Get`
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

// Silent: nothing inside retries.
func flat(client *http.Client, url string) (err error) {
	for range 3 {
		if err = gateway.Once(client, url); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

// Silent: what the inner retry ends with does not come back.
func notDriven(client *http.Client, url string) (err error) {
	for range 3 {
		if err = gateway.Warm(client, url); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

// Silent: the outer one is for a lost race, which the inner one does not repeat.
func race(client *http.Client, url string) (err error) {
	for range 3 {
		err = gateway.Fetch(client, url)
		if !errors.Is(err, gateway.ErrStale) {
			return err
		}
		time.Sleep(time.Second)
	}
	return err
}

// Silent: each url has its own retry.
func each(client *http.Client, urls []string) error {
	for _, url := range urls {
		if err := gateway.Fetch(client, url); err != nil {
			continue
		}
	}
	return nil
}
