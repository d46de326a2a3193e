// Package carried tells the status by a struct or an error of its own.
package carried

import (
	"errors"
	"fmt"
	"net/http"
	"time"
)

var errGaveUp = errors.New("gave up")

type response struct {
	Raw *http.Response
}

func (r *response) failed() bool { return r.Raw.StatusCode >= 400 }

type client struct{ http *http.Client }

func (c *client) send(req *http.Request) (*response, error) {
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, err
	}
	return &response{Raw: resp}, nil
}

func byStruct(c *client, req *http.Request) (*response, error) {
	for range 3 {
		resp, err := c.send(req) // want `retries c.send even after a 400 or a 422, which will be answered the same way`
		if err == nil && !resp.failed() {
			return resp, nil
		}
		time.Sleep(time.Second)
	}
	return nil, errGaveUp
}

type embedding struct{ *http.Response }

func (c *client) embed(req *http.Request) (*embedding, error) {
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, err
	}
	return &embedding{resp}, nil
}

func byEmbedded(c *client, req *http.Request) (*embedding, error) {
	for range 3 {
		resp, err := c.embed(req) // want `retries c.embed even after a 400 or a 422`
		if err != nil {
			return nil, err
		}
		if resp.StatusCode < 300 {
			return resp, nil
		}
		resp.Body.Close()
		time.Sleep(time.Second)
	}
	return nil, errGaveUp
}

type apiError struct{ StatusCode int }

func (e *apiError) Error() string { return fmt.Sprintf("status %d", e.StatusCode) }

func (c *client) call(req *http.Request) error {
	resp, err := c.http.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode >= 300 {
		return &apiError{resp.StatusCode}
	}
	return nil
}

func byError(c *client, req *http.Request) error {
	var err error
	for range 3 {
		if err = c.call(req); err == nil { // want `retries c.call even after a 400 or a 422`
			return nil
		}
		var api *apiError
		if errors.As(err, &api) && api.StatusCode == http.StatusUnauthorized {
			return err
		}
		time.Sleep(time.Second)
	}
	return err
}

func byAssertion(c *client, req *http.Request) error {
	var err error
	for range 3 {
		err = c.call(req) // want `retries c.call even after a 400 or a 422`
		if err == nil {
			return nil
		}
		if api, ok := err.(*apiError); ok && (api.StatusCode == 401 || api.StatusCode == 403) {
			return err
		}
		time.Sleep(time.Second)
	}
	return err
}

type coder interface{ StatusCode() int }

func byMethod(c *client, req *http.Request) error {
	var err error
	for range 3 {
		err = c.call(req) // want `retries c.call even after a 400 or a 422`
		if err == nil {
			return nil
		}
		switch e := err.(type) {
		case coder:
			if e.StatusCode() == http.StatusNotFound {
				return err
			}
		}
		time.Sleep(time.Second)
	}
	return err
}

func again(err error) bool {
	var api *apiError
	if !errors.As(err, &api) {
		return true
	}
	return api.StatusCode != http.StatusForbidden
}

func byPredicate(c *client, req *http.Request) error {
	var err error
	for range 3 {
		err = c.call(req) // want `retries c.call even after a 400 or a 422`
		if err == nil {
			return nil
		}
		if !again(err) {
			return err
		}
		time.Sleep(time.Second)
	}
	return err
}

func check(status int) (bool, error) {
	if status < 300 {
		return false, nil
	}
	return status != http.StatusForbidden, fmt.Errorf("status %d", status)
}

func byTwoResults(c *http.Client, req *http.Request) (*http.Response, error) {
	for range 3 {
		resp, err := c.Do(req) // want `retries c.Do even after a 400 or a 422`
		if err != nil {
			return nil, err
		}
		if resp != nil && resp.Body != nil {
			resp.Body.Close()
		}
		if retry, _ := check(resp.StatusCode); !retry {
			return resp, nil
		}
		time.Sleep(time.Second)
	}
	return nil, errGaveUp
}

// The error of what makes the request is kept in the same variable.
func sameVariable(c *http.Client, url string) (*http.Response, error) {
	var err error
	for range 3 {
		var req *http.Request
		req, err = http.NewRequest("GET", url, nil)
		if err != nil {
			continue
		}
		var resp *http.Response
		resp, err = c.Do(req) // want `retries c.Do even after a 400 or a 422`
		if resp == nil || err != nil {
			time.Sleep(time.Second)
			continue
		}
		switch resp.StatusCode {
		case http.StatusOK, http.StatusNotModified:
			return resp, nil
		default:
			resp.Body.Close()
			time.Sleep(time.Second)
			continue
		}
	}
	return nil, err
}

// The request is sent again in the same round, and that answer is judged.
func sentAgain(c *http.Client, req, other *http.Request) (*http.Response, error) {
	for range 3 {
		resp, err := c.Do(req)
		if err != nil {
			continue
		}
		if resp.StatusCode == http.StatusPaymentRequired {
			resp.Body.Close()
			if resp, err = c.Do(other); err != nil { // want `retries c.Do even after a 400 or a 422`
				continue
			}
		}
		if resp.StatusCode == http.StatusOK {
			return resp, nil
		}
		resp.Body.Close()
		time.Sleep(time.Second)
	}
	return nil, errGaveUp
}

// Some are named, and all others come back.
func butSome(c *http.Client, req *http.Request) (*http.Response, error) {
	for range 3 {
		resp, err := c.Do(req) // want `retries c.Do even after a 405 or a 422`
		if err != nil {
			return nil, err
		}
		switch resp.StatusCode {
		case 200, 400, 401, 403, 404:
			return resp, nil
		}
		resp.Body.Close()
		time.Sleep(time.Second)
	}
	return nil, errGaveUp
}
