// Package rewound takes a body back to its beginning, if not always.
package rewound

import (
	"io"
	"net/http"
	"time"
)

func seeksOnStatus(c *http.Client, url string, body io.ReadSeeker) (resp *http.Response, err error) {
	for i := 0; i < 3; i++ {
		var req *http.Request
		req, err = http.NewRequest(http.MethodPut, url, body) // want `body is read to its end by the first attempt`
		if err != nil {
			return nil, err
		}
		resp, err = c.Do(req)
		if err != nil {
			time.Sleep(time.Second)
			continue
		}
		if resp.StatusCode == http.StatusServiceUnavailable {
			resp.Body.Close()
			if _, err = body.Seek(0, io.SeekStart); err != nil {
				return nil, err
			}
			continue
		}
		return resp, nil
	}
	return nil, err
}

func neverSeeks(c *http.Client, url string, body io.ReadSeeker) (resp *http.Response, err error) {
	for i := 0; i < 3; i++ {
		var req *http.Request
		req, err = http.NewRequest(http.MethodPut, url, body) // want `body is read to its end by the first attempt`
		if err != nil {
			return nil, err
		}
		resp, err = c.Do(req)
		if err == nil {
			return resp, nil
		}
		time.Sleep(time.Second)
	}
	return nil, err
}

func renewsOnStatus(c *http.Client, req *http.Request) (resp *http.Response, err error) {
	for i := 0; i < 3; i++ {
		resp, err = c.Do(req) // want `the body of req is spent after the first attempt`
		if err != nil {
			time.Sleep(time.Second)
			continue
		}
		if resp.StatusCode == http.StatusServiceUnavailable {
			resp.Body.Close()
			req.Body, _ = req.GetBody()
			continue
		}
		return resp, nil
	}
	return nil, err
}

// Silent: before each attempt but the first.
func seeksEach(c *http.Client, url string, body io.ReadSeeker) (resp *http.Response, err error) {
	for i := 0; i < 3; i++ {
		if i > 0 {
			body.Seek(0, io.SeekStart)
		}
		var req *http.Request
		req, err = http.NewRequest(http.MethodPut, url, body)
		if err != nil {
			return nil, err
		}
		resp, err = c.Do(req)
		if err != nil {
			time.Sleep(time.Second)
			continue
		}
		if resp.StatusCode == http.StatusServiceUnavailable {
			resp.Body.Close()
			continue
		}
		return resp, nil
	}
	return nil, err
}

// Silent: where there is one to renew.
func renewsEach(c *http.Client, req *http.Request) (resp *http.Response, err error) {
	for i := 0; i < 3; i++ {
		resp, err = c.Do(req)
		if err == nil && resp.StatusCode < 500 {
			return resp, nil
		}
		if err == nil {
			resp.Body.Close()
		}
		if req.GetBody != nil {
			req.Body, _ = req.GetBody()
		}
		time.Sleep(time.Second)
	}
	return nil, err
}

// Silent: on both ways.
func renewsOnBoth(c *http.Client, req *http.Request) (resp *http.Response, err error) {
	for i := 0; i < 3; i++ {
		resp, err = c.Do(req)
		if err != nil {
			req.Body, _ = req.GetBody()
			time.Sleep(time.Second)
			continue
		}
		if resp.StatusCode == http.StatusServiceUnavailable {
			resp.Body.Close()
			req.Body, _ = req.GetBody()
			continue
		}
		return resp, nil
	}
	return nil, err
}

func rewind(req *http.Request) { req.Body, _ = req.GetBody() }

// Silent: a function does so.
func renewsElsewhere(c *http.Client, req *http.Request) (resp *http.Response, err error) {
	for i := 0; i < 3; i++ {
		resp, err = c.Do(req)
		if err == nil {
			return resp, nil
		}
		if i == 1 {
			req.Body, _ = req.GetBody()
		}
		rewind(req)
		time.Sleep(time.Second)
	}
	return nil, err
}
