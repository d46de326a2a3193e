package silent

import (
	"errors"
	"net/http"
	"time"
)

// The answer says that it failed, and the wait comes first.
func answered(client *http.Client, req *http.Request, attempts int) (*http.Response, error) {
	for i := 0; i < attempts; i++ {
		time.Sleep(time.Duration(i) * time.Second)
		resp, err := client.Do(req)
		if err != nil {
			return nil, err
		}
		if resp.StatusCode < http.StatusInternalServerError {
			return resp, nil
		}
		resp.Body.Close()
	}
	return nil, errors.New("unavailable")
}

// A flag keeps whether there is another round, and is asked before the wait.
func kept(client *http.Client, req *http.Request, most int) (resp *http.Response, err error) {
	n := 0
	for more := true; more; more = n < most {
		if resp, err = client.Do(req); err == nil {
			return resp, nil
		}
		if n++; n < most {
			time.Sleep(time.Second)
		}
	}
	return nil, err
}
