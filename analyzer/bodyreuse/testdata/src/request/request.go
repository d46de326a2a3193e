package request

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

func again(client *http.Client, req *http.Request) (resp *http.Response, err error) {
	for range 3 {
		resp, err = client.Do(req) // want `the body of req is spent after the first attempt, so that the next one sends none; set it anew from req.GetBody, or build the request inside the attempt`
		if err == nil {
			return resp, nil
		}
		time.Sleep(time.Second)
	}
	return nil, err
}

func renewed(client *http.Client, req *http.Request) (resp *http.Response, err error) {
	for range 3 {
		resp, err = client.Do(req)
		if err == nil {
			return resp, nil
		}
		if req.Body, err = req.GetBody(); err != nil {
			return nil, err
		}
		time.Sleep(time.Second)
	}
	return nil, err
}

func withoutBody(client *http.Client, url string) (resp *http.Response, err error) {
	req, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	for range 3 {
		resp, err = client.Do(req)
		if err == nil {
			return resp, nil
		}
		time.Sleep(time.Second)
	}
	return nil, err
}

func rewind(req *http.Request) {
	if req.GetBody != nil {
		req.Body, _ = req.GetBody()
	}
}

func inHelper(client *http.Client, req *http.Request) (resp *http.Response, err error) {
	for range 3 {
		rewind(req)
		resp, err = client.Do(req)
		if err == nil {
			return resp, nil
		}
		time.Sleep(time.Second)
	}
	return nil, err
}

func reader(client *http.Client, url string, body io.Reader) (resp *http.Response, err error) {
	for range 3 {
		resp, err = client.Post(url, "text/plain", body) // want `body is read to its end by the first attempt, so that the next one sends nothing; keep the bytes and make a reader inside the attempt`
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
		resp, err = client.Post(url, "text/plain", buf) // want `buf is read to its end by the first attempt`
		if err == nil {
			return resp, nil
		}
		time.Sleep(time.Second)
	}
	return nil, err
}

func inside(client *http.Client, url string, data []byte) (resp *http.Response, err error) {
	for range 3 {
		resp, err = client.Post(url, "text/plain", bytes.NewReader(data))
		if err == nil {
			return resp, nil
		}
		time.Sleep(time.Second)
	}
	return nil, err
}

func sought(client *http.Client, url string, body io.ReadSeeker) (resp *http.Response, err error) {
	for range 3 {
		if _, err = body.Seek(0, io.SeekStart); err != nil {
			return nil, err
		}
		resp, err = client.Post(url, "text/plain", body)
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
		resp, err = client.Do(req) // want `the body of req is spent after the first attempt, and net/http sets it anew only on a connection that it kept`
		if err == nil {
			return resp, nil
		}
		time.Sleep(time.Second)
	}
	return nil, err
}

func maybe(client *http.Client, url string, text string) (resp *http.Response, err error) {
	var body io.Reader
	if text != "" {
		body = strings.NewReader(text)
	}
	req, err := http.NewRequest(http.MethodPut, url, body)
	if err != nil {
		return nil, err
	}
	for range 3 {
		resp, err = client.Do(req) // want `the body of req is spent after the first attempt, and net/http sets it anew only`
		if err == nil {
			return resp, nil
		}
		time.Sleep(time.Second)
	}
	return nil, err
}

func rewound(client *http.Client, url string, data []byte) (resp *http.Response, err error) {
	req, err := http.NewRequest(http.MethodPut, url, bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	for range 3 {
		if req.Body, err = req.GetBody(); err != nil {
			return nil, err
		}
		resp, err = client.Do(req)
		if err == nil {
			return resp, nil
		}
		time.Sleep(time.Second)
	}
	return nil, err
}

// keeper returns a function that gives the request its body again.
func keeper(req *http.Request) func() error {
	if req.Body == nil {
		return func() error { return nil }
	}
	data, err := io.ReadAll(req.Body)
	return func() error {
		req.Body = io.NopCloser(bytes.NewReader(data))
		return err
	}
}

func renewedByFunction(client *http.Client, req *http.Request) (resp *http.Response, err error) {
	renew := keeper(req)
	for i := range 3 {
		if i > 0 {
			if err = renew(); err != nil {
				return nil, err
			}
		}
		resp, err = client.Do(req)
		if err == nil {
			return resp, nil
		}
		time.Sleep(time.Second)
	}
	return nil, err
}

// reporter returns a function that only looks at the request.
func reporter(req *http.Request) func(error) {
	return func(err error) { fmt.Println(req.URL, err) }
}

func reported(client *http.Client, req *http.Request) (resp *http.Response, err error) {
	report := reporter(req)
	for range 3 {
		resp, err = client.Do(req) // want `the body of req is spent after the first attempt`
		if err == nil {
			return resp, nil
		}
		report(err)
		time.Sleep(time.Second)
	}
	return nil, err
}
