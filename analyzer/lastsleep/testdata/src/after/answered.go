package after

import (
	"errors"
	"net/http"
	"time"
)

// The answer says that it failed.
func answered(client *http.Client, req *http.Request, attempts int) (*http.Response, error) {
	for i := 0; i < attempts; i++ {
		resp, err := client.Do(req)
		if err != nil {
			return nil, err
		}
		if resp.StatusCode < http.StatusInternalServerError {
			return resp, nil
		}
		resp.Body.Close()
		time.Sleep(time.Second + time.Duration(i)) // want `waits after the last failed client.Do as well`
	}
	return nil, errors.New("unavailable")
}

// A flag keeps whether there is another round.
func kept(client *http.Client, req *http.Request, most int) (resp *http.Response, err error) {
	n := 0
	for more := true; more; more = n < most {
		if resp, err = client.Do(req); err == nil {
			return resp, nil
		}
		n++
		time.Sleep(time.Second) // want `waits after the last failed client.Do as well`
	}
	return nil, err
}
