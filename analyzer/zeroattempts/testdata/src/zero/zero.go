package zero

import (
	"errors"
	"net/http"
	"time"
)

func Send(client *http.Client, req *http.Request, attempts int) error {
	var err error
	for i := 0; i < attempts; i++ { // want `attempts comes from outside and may be zero or less: then client.Do is never called and nil is returned as if it had succeeded; refuse such a value, or make one attempt at least`
		if _, err = client.Do(req); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

type Policy interface{ MaxRetries() int }

func Connect(client *http.Client, req *http.Request, p Policy) (int, error) {
	var (
		resp *http.Response
		err  error
	)
	for i := 0; i < p.MaxRetries(); i++ { // want `p comes from outside and may be zero or less: then client.Do is never called and the function goes on with a nil result`
		resp, err = client.Do(req)
		if err == nil {
			break
		}
		time.Sleep(time.Second)
	}
	if err != nil {
		return 0, err
	}
	if resp.StatusCode != 200 {
		return 0, errors.New(resp.Status)
	}
	return resp.StatusCode, nil
}

type Options struct{ Retries int }

func (o *Options) send(client *http.Client, req *http.Request) (err error) {
	attempts := 1 + o.Retries
	for i := 0; i < attempts; i++ { // want `Retries comes from outside`
		if _, err = client.Do(req); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}
