package lib_clients

import (
	"net/http"
	"time"

	"github.com/hashicorp/go-retryablehttp"
)

func defaults(url string) (resp *http.Response, err error) {
	client := retryablehttp.NewClient()
	for range 3 {
		if resp, err = client.Get(url); err == nil { // want `3 x 5 = 15 attempts: client.Get -> its own retries`
			return resp, nil
		}
		time.Sleep(time.Second)
	}
	return nil, err
}

func plain(req *http.Request) (resp *http.Response, err error) {
	retrying := retryablehttp.NewClient()
	retrying.RetryMax = 2
	client := retrying.StandardClient()
	for range 3 {
		if resp, err = client.Do(req); err == nil { // want `3 x 3 = 9 attempts`
			return resp, nil
		}
		time.Sleep(time.Second)
	}
	return nil, err
}

// Silent: it was told not to retry.
func once(url string) (resp *http.Response, err error) {
	client := retryablehttp.NewClient()
	client.RetryMax = 0
	for range 3 {
		if resp, err = client.Get(url); err == nil {
			return resp, nil
		}
		time.Sleep(time.Second)
	}
	return nil, err
}

// Silent: nothing is known of how often it does.
func given(client *retryablehttp.Client, url string) (resp *http.Response, err error) {
	for range 3 {
		if resp, err = client.Get(url); err == nil {
			return resp, nil
		}
		time.Sleep(time.Second)
	}
	return nil, err
}

// Silent: an ordinary client.
func ordinary(req *http.Request) (resp *http.Response, err error) {
	client := &http.Client{Timeout: time.Second}
	for range 3 {
		if resp, err = client.Do(req); err == nil {
			return resp, nil
		}
		time.Sleep(time.Second)
	}
	return nil, err
}
