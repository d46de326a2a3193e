package made

import (
	"bytes"
	"io"
	"net/http"
	"time"
)

// A builder is given the body after the request was made.
type builder struct{ req *http.Request }

func (b *builder) body(data []byte) { b.req.Body = io.NopCloser(bytes.NewReader(data)) }

func (b *builder) send(c *http.Client) (resp *http.Response, err error) {
	for i := 0; i <= 3; i++ {
		resp, err = c.Do(b.req) // want `the body of b.req is spent after the first attempt`
		if err == nil {
			return resp, nil
		}
		time.Sleep(time.Second)
	}
	return nil, err
}

// Silent: each attempt puts it there anew.
func (b *builder) sendAnew(c *http.Client, data []byte) (resp *http.Response, err error) {
	for i := 0; i <= 3; i++ {
		b.body(data)
		resp, err = c.Do(b.req)
		if err == nil {
			return resp, nil
		}
		time.Sleep(time.Second)
	}
	return nil, err
}

// A bare one never gets any.
type bare struct{ asked *http.Request }

// Silent: nothing is put there.
func (b *bare) send(c *http.Client) (resp *http.Response, err error) {
	for i := 0; i <= 3; i++ {
		resp, err = c.Do(b.asked)
		if err == nil {
			return resp, nil
		}
		time.Sleep(time.Second)
	}
	return nil, err
}

type factory interface {
	request(name string, data io.Reader) (*http.Request, error)
}

func fromFactory(c *http.Client, f factory, data io.Reader) (resp *http.Response, err error) {
	for i := 0; i <= 3; i++ {
		req, err := f.request("call", data) // want `data is read to its end by the first attempt`
		if err != nil {
			return nil, err
		}
		resp, err = c.Do(req)
		if err == nil {
			return resp, nil
		}
		time.Sleep(time.Second)
	}
	return nil, err
}

// Silent: each attempt has a reader of its own.
func fromFactoryAnew(c *http.Client, f factory, data []byte) (resp *http.Response, err error) {
	for i := 0; i <= 3; i++ {
		req, err := f.request("call", bytes.NewReader(data))
		if err != nil {
			return nil, err
		}
		resp, err = c.Do(req)
		if err == nil {
			return resp, nil
		}
		time.Sleep(time.Second)
	}
	return nil, err
}

func open(c *http.Client, path string, in io.Reader) (*http.Response, error) {
	req, err := http.NewRequest(http.MethodPut, path, in)
	if err != nil {
		return nil, err
	}
	return c.Do(req)
}

func asserted(c *http.Client, path string, in any) (resp *http.Response, err error) {
	for i := 0; i <= 3; i++ {
		resp, err = open(c, path, in.(io.Reader)) // want `in.\(io.Reader\) is read to its end by the first attempt`
		if err == nil {
			return resp, nil
		}
		time.Sleep(time.Second)
	}
	return nil, err
}

// Silent: it goes back to its beginning first.
func assertedSeeker(c *http.Client, path string, in any) (resp *http.Response, err error) {
	for i := 0; i <= 3; i++ {
		if s, ok := in.(io.Seeker); ok {
			if _, err := s.Seek(0, io.SeekStart); err != nil {
				return nil, err
			}
		}
		resp, err = open(c, path, in.(io.Reader))
		if err == nil {
			return resp, nil
		}
		time.Sleep(time.Second)
	}
	return nil, err
}
