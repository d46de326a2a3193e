package after

import (
	"log"
	"net/http"
	"time"
)

// That it was the last one is only noted.
func noted(client *http.Client, req *http.Request, stop chan struct{}) (resp *http.Response, err error) {
	const attempts = 10
	for i := 0; i != attempts; i++ {
		if resp, err = client.Do(req); err == nil {
			return resp, nil
		}
		if i == attempts-1 {
			log.Printf("dropped after %d attempts: %v", attempts, err)
		}
		select { // want `waits after the last failed client.Do as well`
		case <-time.After(time.Second):
		case <-stop:
			return nil, err
		}
	}
	return nil, err
}
