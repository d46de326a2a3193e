// Package wrapped sends by a retrier of its own.
package wrapped

import (
	"bytes"
	"errors"
	"net"
	"net/http"
	"time"
)

func retry(f func() error) (err error) {
	for i := 0; i < 3; i++ {
		if err = f(); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

func refused(err error) bool {
	var op *net.OpError
	return errors.As(err, &op) && op.Op == "dial"
}

func retryRefused(f func() error) (err error) {
	for i := 0; i < 3; i++ {
		if err = f(); err == nil || !refused(err) {
			return err
		}
		time.Sleep(time.Second)
	}
	return err
}

func create(c *http.Client, url string, data []byte) error {
	return retry(func() error {
		resp, err := c.Post(url, "application/json", bytes.NewReader(data)) // want `sends the POST of c.Post again after any error`
		if err != nil {
			return err
		}
		return resp.Body.Close()
	})
}

func createOnce(c *http.Client, url string, data []byte) error {
	return retryRefused(func() error {
		resp, err := c.Post(url, "application/json", bytes.NewReader(data))
		if err != nil {
			return err
		}
		return resp.Body.Close()
	})
}
