package silent

import (
	"log"
	"net/http"
	"time"
)

// After the last one there is nothing to wait.
func shortened(client *http.Client, req *http.Request) (resp *http.Response, err error) {
	const attempts = 10
	delay := time.Second
	for i := 0; i != attempts; i++ {
		if resp, err = client.Do(req); err == nil {
			return resp, nil
		}
		if i == attempts-1 {
			log.Printf("dropped after %d attempts: %v", attempts, err)
			delay = 0
		}
		time.Sleep(delay)
	}
	return nil, err
}

// After the last one the process ends.
func fatal(client *http.Client, req *http.Request) (resp *http.Response, err error) {
	const attempts = 10
	for i := 0; i != attempts; i++ {
		if resp, err = client.Do(req); err == nil {
			return resp, nil
		}
		if i == attempts-1 {
			log.Fatalf("dropped after %d attempts: %v", attempts, err)
		}
		time.Sleep(time.Second)
	}
	return nil, err
}
