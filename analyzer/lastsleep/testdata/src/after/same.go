package after

import (
	"net/http"
	"time"
)

// The question is the loop's own, and true in the last round as well.
func asksTheSame(url string, n int) (resp *http.Response, err error) {
	for i := 0; i < n; i++ {
		if resp, err = http.Get(url); err == nil {
			return resp, nil
		}
		if i < n {
			time.Sleep(time.Second) // want `waits after the last failed http.Get as well`
		}
	}
	return nil, err
}

// The bound is taken down before it is asked.
func fewer(url string, n int) (resp *http.Response, err error) {
	for i := 0; i < n; i++ {
		if resp, err = http.Get(url); err == nil {
			return resp, nil
		}
		n--
		if i < n {
			time.Sleep(time.Second)
		}
	}
	return nil, err
}
