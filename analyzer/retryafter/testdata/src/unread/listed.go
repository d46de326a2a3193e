package unread

import (
	"fmt"
	"net/http"
	"slices"
	"time"
)

func among(list []int, wanted int) bool {
	for _, x := range list {
		if x == wanted {
			return true
		}
	}
	return false
}

// The status stands in a variable and is looked for in a list.
func listed(c *http.Client, url string) (*http.Response, error) {
	for range 5 {
		resp, err := c.Get(url) // want `retries c.Get after a 429 without reading Retry-After`
		if err != nil {
			return nil, err
		}
		status := resp.StatusCode
		if among([]int{424, 429, 503}, status) {
			resp.Body.Close()
			time.Sleep(time.Second)
			continue
		}
		return resp, nil
	}
	return nil, errGaveUp
}

func sliced(c *http.Client, url string) (resp *http.Response, status int, err error) {
	for range 5 {
		resp, err = c.Get(url) // want `retries c.Get after a 503 without reading Retry-After`
		if err != nil {
			return nil, status, err
		}
		status = resp.StatusCode
		if status != http.StatusOK {
			if slices.Contains([]int{502, 503}, status) {
				resp.Body.Close()
				time.Sleep(time.Second)
				continue
			}
			return nil, status, fmt.Errorf("unexpected status %d", status)
		}
		break
	}
	return resp, status, nil
}

// Silent: none of the list asks for patience.
func conflicts(c *http.Client, url string) (*http.Response, error) {
	for range 5 {
		resp, err := c.Get(url)
		if err != nil {
			return nil, err
		}
		status := resp.StatusCode
		if among([]int{409, 423}, status) {
			resp.Body.Close()
			time.Sleep(time.Second)
			continue
		}
		return resp, nil
	}
	return nil, errGaveUp
}

// Silent: a 202 that is waited for is no failure, in a variable too.
func accepted(c *http.Client, url string) (*http.Response, error) {
	for range 5 {
		resp, err := c.Get(url)
		if err != nil {
			return nil, err
		}
		status := resp.StatusCode
		if status == http.StatusAccepted {
			resp.Body.Close()
			time.Sleep(time.Second)
			continue
		}
		return resp, nil
	}
	return nil, errGaveUp
}
