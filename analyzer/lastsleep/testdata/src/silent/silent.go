package silent

import (
	"net/http"
	"time"
)

func guarded(client *http.Client, req *http.Request, n int) (resp *http.Response, err error) {
	for i := 0; i < n; i++ {
		if resp, err = client.Do(req); err == nil {
			return resp, nil
		}
		if i < n-1 {
			time.Sleep(time.Second)
		}
	}
	return nil, err
}

func leavesFirst(client *http.Client, req *http.Request, n int) (resp *http.Response, err error) {
	for i := 0; i < n; i++ {
		if resp, err = client.Do(req); err == nil {
			return resp, nil
		}
		if i == n-1 {
			break
		}
		time.Sleep(time.Second)
	}
	return nil, err
}

func before(client *http.Client, req *http.Request, n int) (resp *http.Response, err error) {
	for i := 0; i < n; i++ {
		if i > 0 {
			time.Sleep(time.Second)
		}
		if resp, err = client.Do(req); err == nil {
			return resp, nil
		}
	}
	return nil, err
}

func onceMore(client *http.Client, req *http.Request) (resp *http.Response, err error) {
	for range 3 {
		if resp, err = client.Do(req); err == nil {
			return resp, nil
		}
		time.Sleep(time.Second)
	}
	return client.Do(req)
}

// Nobody notices ten nanoseconds.
func tiny(client *http.Client, req *http.Request) (resp *http.Response, err error) {
	for i := 0; i < 3; i++ {
		if resp, err = client.Do(req); err == nil {
			return resp, nil
		}
		time.Sleep(10)
	}
	return nil, err
}
