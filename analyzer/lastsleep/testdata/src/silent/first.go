package silent

import (
	"net/http"
	"time"
)

// Counted down, 0 is the last round.
func down(client *http.Client, req *http.Request, n int) (resp *http.Response, err error) {
	for left := n; ; left-- {
		if resp, err = client.Do(req); err == nil {
			return resp, nil
		}
		if left == 0 {
			return nil, err
		}
		time.Sleep(time.Second)
	}
}
