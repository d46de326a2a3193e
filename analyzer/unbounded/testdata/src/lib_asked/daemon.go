package lib_asked

import (
	"net/http"

	"github.com/cenkalti/backoff/v4"
)

func ask(url string) error {
	resp, err := http.Get(url)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

func told(url string) error {
	b := backoff.NewExponentialBackOff()
	b.MaxElapsedTime = 0
	return backoff.Retry(func() error { return ask(url) }, b) // want `retries ask for as long as it fails`
}

// Silent: nobody is told, or waits for it.
func watch(url string) {
	b := backoff.NewExponentialBackOff()
	b.MaxElapsedTime = 0
	for {
		_ = backoff.Retry(func() error { return ask(url) }, b)
	}
}
