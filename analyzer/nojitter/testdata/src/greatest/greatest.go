package greatest

import (
	"net/http"
	"time"

	"greatest/pacing"
)

func connect(client *http.Client, req *http.Request, least time.Duration) (*http.Response, error) {
	pace := &pacing.Backoff{Initial: time.Second, Max: 5 * time.Minute}
	for {
		resp, err := client.Do(req)
		if err == nil {
			return resp, nil
		}
		time.Sleep(pacing.Max(least, pace.Duration())) // want `the wait before the next client.Do is growing but the same for every client`
	}
}
