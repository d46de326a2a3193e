package post

import (
	"bytes"
	"net/http"
	"time"
)

type timeouter interface{ Timeout() bool }

type logger interface{ Printf(format string, args ...any) }

// Of what took too long, the server may have done its part.
func onTimeout(c *http.Client, log logger, body []byte, plain bool) error {
	var last error
	for range 2 {
		var req *http.Request
		var err error
		if plain {
			req, err = http.NewRequest(http.MethodPost, endpoint, bytes.NewReader(body))
		} else {
			req, err = http.NewRequest("POST", endpoint, bytes.NewBuffer(body))
		}
		if err != nil {
			return err
		}
		resp, err := c.Do(req) // want `sends the POST of c.Do again after a timeout`
		if err == nil {
			return resp.Body.Close()
		}
		last = err
		log.Printf("please verify the key: %v", err)
		if t, ok := err.(timeouter); ok && t.Timeout() {
			time.Sleep(time.Second)
			continue
		}
		break
	}
	return last
}

// Silent: a timeout leaves.
func notOnTimeout(c *http.Client, body []byte) error {
	var last error
	for range 3 {
		resp, err := c.Post(endpoint, "application/json", bytes.NewReader(body))
		if err == nil {
			return resp.Body.Close()
		}
		last = err
		if t, ok := err.(timeouter); ok && t.Timeout() {
			return err
		}
		time.Sleep(time.Second)
	}
	return last
}

// Silent: one of the two is no POST.
func mixed(c *http.Client, body []byte, plain bool) error {
	var last error
	for range 3 {
		req, err := http.NewRequest(http.MethodPut, endpoint, bytes.NewReader(body))
		if plain {
			req, err = http.NewRequest(http.MethodPost, endpoint, bytes.NewReader(body))
		}
		if err != nil {
			return err
		}
		resp, err := c.Do(req)
		if err == nil {
			return resp.Body.Close()
		}
		last = err
		time.Sleep(time.Second)
	}
	return last
}
