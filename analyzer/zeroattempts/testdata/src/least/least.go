package least

import (
	"net/http"
	"time"
)

type client struct {
	http    *http.Client
	Retries int
}

// The first attempt is no retry.
func (c *client) More(req *http.Request) (err error) {
	attempts := c.Retries + 1
	for i := 0; i < attempts; i++ { // want `Retries comes from outside and may be negative: then`
		if _, err = c.http.Do(req); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

func (c *client) Fewer(req *http.Request) (err error) {
	for i := 1; i < c.Retries; i++ { // want `Retries comes from outside and may be less than 2: then`
		if _, err = c.http.Do(req); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

func (c *client) Again(req *http.Request) (err error) {
	for range 1 + c.Retries { // want `Retries comes from outside and may be negative: then`
		if _, err = c.http.Do(req); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

func (c *client) Kept(req *http.Request) (err error) {
	i := 1
	for i <= c.Retries { // want `Retries comes from outside and may be zero or less: then`
		if _, err = c.http.Do(req); err == nil {
			return nil
		}
		i++
		time.Sleep(time.Second)
	}
	return err
}

// Zero makes none, and is no less likely for being unsigned.
func Counted(client *http.Client, req *http.Request, attempts uint) (err error) {
	for i := uint(1); i <= attempts; i++ { // want `attempts comes from outside and may be zero: then`
		if _, err = client.Do(req); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

// Zero makes one, and there is nothing below it.
func Unsigned(client *http.Client, req *http.Request, retries uint) (err error) {
	for i := uint(0); i < retries+1; i++ {
		if _, err = client.Do(req); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

func Inclusive(client *http.Client, req *http.Request, retries uint) (err error) {
	for i := uint(0); i <= retries; i++ {
		if _, err = client.Do(req); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}
