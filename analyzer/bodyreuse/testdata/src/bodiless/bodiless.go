// Package bodiless makes no request that has a body.
package bodiless

import (
	"net/http"
	"time"
)

type Client struct {
	http *http.Client
	do   func(c *Client, req *http.Request) (*http.Response, error)
}

func New(c *http.Client) *Client { return &Client{http: c, do: send} }

// Silent: it is called through a field, and whoever may do so has no body to send.
func send(c *Client, req *http.Request) (*http.Response, error) {
	for i := 0; ; i++ {
		resp, err := c.http.Do(req)
		if err == nil || i == 3 {
			return resp, err
		}
		time.Sleep(time.Second)
	}
}

func (c *Client) Get(url string) (*http.Response, error) {
	req, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	return c.do(c, req)
}
