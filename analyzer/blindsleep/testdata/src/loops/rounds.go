package loops

import (
	"context"
	"errors"
	"net/http"
	"time"
)

// Where none of the hosts answers, the next round begins with the first.
func discover(ctx context.Context, client *http.Client, hosts []string, rounds int) (resp *http.Response, err error) {
	for round := 0; round < rounds; round++ {
		for _, host := range hosts {
			if resp, err = client.Get("https://" + host); err != nil {
				continue
			}
			return resp, nil
		}
		time.Sleep(time.Second) // want `waits 1s with time.Sleep before retrying client.Get, so a cancelled ctx still waits it out`
	}
	return nil, errors.Join(errors.New("no host answers"), err)
}

// Every item is sent once in each round, whatever becomes of the others.
func resend(client *http.Client, urls []string, rounds int) {
	for round := 0; round < rounds; round++ {
		for _, url := range urls {
			resp, err := client.Get(url)
			if err != nil {
				continue
			}
			resp.Body.Close()
		}
		time.Sleep(time.Second)
	}
}

// The list is another one in each round.
func search(client *http.Client, list func(page int) []string, pages int) (resp *http.Response, err error) {
	for page := 0; page < pages; page++ {
		for _, url := range list(page) {
			if resp, err = client.Get(url); err == nil {
				return resp, nil
			}
		}
		time.Sleep(time.Second)
	}
	return nil, err
}
