package after

import (
	"net/http"
	"time"
)

type condition func(*http.Response, error) bool

// The conditions are asked in turn.
func conditions(client *http.Client, req *http.Request, list []condition, n int) (resp *http.Response, err error) {
	for attempt := 0; attempt <= n; attempt++ {
		resp, err = client.Do(req)
		needsRetry := err != nil
		for _, c := range list {
			needsRetry = c(resp, err)
			if needsRetry {
				break
			}
		}
		if !needsRetry {
			return resp, err
		}
		select { // want `waits after the last failed client.Do as well`
		case <-time.After(time.Second):
		case <-req.Context().Done():
			return nil, req.Context().Err()
		}
	}
	return resp, err
}
