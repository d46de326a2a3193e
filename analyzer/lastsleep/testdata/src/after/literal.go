package after

import (
	"net/http"
	"time"
)

func four(client *http.Client, req *http.Request) (resp *http.Response, err error) {
	for i := 0; i < 4; i++ {
		if resp, err = client.Do(req); err == nil {
			return resp, nil
		}
		time.Sleep(time.Second << i) // want `waits after the last failed client.Do`
	}
	return nil, err
}
