package fix

import (
	"bytes"
	"io"
	"net/http"
	"time"
)

func request(client *http.Client, req *http.Request) (resp *http.Response, err error) {
	for range 3 {
		resp, err = client.Do(req) // want `the body of req is spent`
		if err == nil {
			return resp, nil
		}
		time.Sleep(time.Second)
	}
	return nil, err
}

func buffer(client *http.Client, url string, data []byte) (resp *http.Response, err error) {
	buf := bytes.NewBuffer(data)
	for range 3 {
		resp, err = client.Post(url, "text/plain", buf) // want `buf is read to its end`
		if err == nil {
			return resp, nil
		}
		time.Sleep(time.Second)
	}
	return nil, err
}

// It may be larger than the memory: no fix.
func reader(client *http.Client, url string, body io.Reader) (resp *http.Response, err error) {
	for range 3 {
		resp, err = client.Post(url, "text/plain", body) // want `body is read to its end`
		if err == nil {
			return resp, nil
		}
		time.Sleep(time.Second)
	}
	return nil, err
}

// Nothing could be taken from GetBody: no fix.
func made(client *http.Client, url string, body io.Reader) (resp *http.Response, err error) {
	req, err := http.NewRequest(http.MethodPost, url, body)
	if err != nil {
		return nil, err
	}
	for range 3 {
		resp, err = client.Do(req) // want `the body of req is spent`
		if err == nil {
			return resp, nil
		}
		time.Sleep(time.Second)
	}
	return nil, err
}

func rewindable(client *http.Client, url string, data []byte) (resp *http.Response, err error) {
	req, err := http.NewRequest(http.MethodPut, url, bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	for range 3 {
		resp, err = client.Do(req) // want `the body of req is spent after the first attempt, and net/http`
		if err == nil {
			return resp, nil
		}
		time.Sleep(time.Second)
	}
	return nil, err
}
