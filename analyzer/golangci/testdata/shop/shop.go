package shop

import (
	"context"
	"net/http"
	"time"
)

type Client struct{ http *http.Client }

func (c *Client) Charge(ctx context.Context, url string) (resp *http.Response, err error) {
	for attempt := 0; attempt < 4; attempt++ {
		if resp, err = c.http.Get(url); err == nil {
			return resp, nil
		}
		time.Sleep(time.Second)
	}
	return nil, err
}

func (c *Client) Refund(ctx context.Context, url string) (resp *http.Response, err error) {
	//retrylint:ignore retrylint an experiment
	for attempt := 0; attempt < 4; attempt++ {
		if resp, err = c.http.Get(url); err == nil {
			return resp, nil
		}
		time.Sleep(time.Second)
	}
	return nil, err
}
