package fix

import (
	"net/http"
	"time"
)

func Send(client *http.Client, req *http.Request, attempts int) error {
	var err error
	for i := 0; i < attempts; i++ { // want `attempts comes from outside`
		if _, err = client.Do(req); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

func Get(client *http.Client, req *http.Request, attempts uint) (resp *http.Response, err error) {
	for range attempts { // want `attempts comes from outside`
		if resp, err = client.Do(req); err == nil {
			return resp, nil
		}
		time.Sleep(time.Second)
	}
	return nil, err
}

type Options struct{ Retries int }

func (o *Options) send(client *http.Client, req *http.Request) (err error) {
	for i := 1; i <= o.Retries; i++ { // want `Retries comes from outside and may be zero or less`
		if _, err = client.Do(req); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

type Policy interface{ MaxRetries() int }

// An answer can't be asked for twice.
func Asked(client *http.Client, req *http.Request, p Policy) (err error) {
	for i := 0; i < p.MaxRetries(); i++ { // want `p comes from outside`
		if _, err = client.Do(req); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

// It runs once more than the bound says: no fix.
func OneMore(client *http.Client, req *http.Request, retries int) (err error) {
	for i := 0; i <= retries; i++ { // want `retries comes from outside and may be negative`
		if _, err = client.Do(req); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}
