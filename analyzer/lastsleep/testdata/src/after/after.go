package after

import (
	"net/http"
	"time"
)

const tries = 4

func afterEach(client *http.Client, req *http.Request) (resp *http.Response, err error) {
	for i := 0; i < tries; i++ {
		if resp, err = client.Do(req); err == nil {
			return resp, nil
		}
		time.Sleep(time.Second << i) // want `waits after the last failed client.Do as well and then gives up, so that the caller gets the error late; skip the wait on the last attempt`
	}
	return nil, err
}

func inRange(client *http.Client, req *http.Request, n int) (resp *http.Response, err error) {
	for i := range n {
		if resp, err = client.Do(req); err == nil {
			return resp, nil
		}
		time.Sleep(time.Second << i) // want `waits after the last failed client.Do`
	}
	return nil, err
}
