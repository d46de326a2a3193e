package inloop

import (
	"net/http"
	"sync"
	"time"
)

// A failure leaves: the next round is the next message.
func serve(client *http.Client, mu *sync.Mutex) error {
	locked := false
	for {
		resp, err := client.Get("http://localhost/next")
		if err != nil {
			return err
		}
		code := resp.StatusCode
		resp.Body.Close()
		if code == http.StatusNoContent {
			return nil
		}
		if !locked {
			mu.Lock()
			defer mu.Unlock()
			locked = true
		}
		time.Sleep(time.Second)
	}
}
