package loops

import (
	"context"
	"net/http"
	"time"

	"payments"
)

// How long to wait is asked of a function that does not know what failed.
func paused(c *payments.Client, o payments.Order) (err error) {
	for i := 0; ; i++ { // want `retries every error from c.Charge`
		if err = c.Charge(context.Background(), o); err == nil {
			return nil
		}
		wait := pauseAfter(i)
		if wait <= 0 {
			return err
		}
		time.Sleep(wait)
	}
}

func pauseAfter(i int) time.Duration {
	if i > 3 {
		return 0
	}
	return time.Second << i
}

// Answers that come back may be refusals.
func Opened(client *http.Client, req *http.Request) *http.Response {
	for { // want `retries every error from client.Do`
		resp, err := client.Do(req)
		if err != nil {
			time.Sleep(time.Second)
			continue
		}
		return resp
	}
}
