package overwritten

import (
	"errors"
	"net/http"
	"time"
)

// That a request can't be made is another failure, with another error.
func remakes(client *http.Client, url string, retries int) (*http.Response, error) {
	var err error
	n := 0
	for {
		n++
		if n > retries {
			break
		}
		var req *http.Request
		req, err = http.NewRequest(http.MethodGet, url, nil)
		if err != nil {
			return nil, errors.New("can't make the request")
		}
		var resp *http.Response
		resp, err = client.Do(req)
		if err != nil {
			time.Sleep(time.Second)
			continue
		}
		return resp, nil
	}
	if n > retries {
		err = errors.New("no more retries") // want `gives up without the last error from client.Do`
	}
	return nil, err
}
