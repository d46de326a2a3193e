// Package made repeats requests that another function makes, or that something
// keeps.
package made

import (
	"bytes"
	"net/http"
	"time"
)

func withBody(url string, b []byte) (*http.Request, error) {
	req, err := http.NewRequest(http.MethodPost, url, bytes.NewReader(b))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", "application/json")
	return req, nil
}

func directly(url string, b []byte) (*http.Request, error) {
	return http.NewRequest(http.MethodPost, url, bytes.NewReader(b))
}

func without(url string) (*http.Request, error) {
	return http.NewRequest(http.MethodGet, url, nil)
}

func made(c *http.Client, url string, b []byte) (*http.Response, error) {
	req, err := withBody(url, b)
	if err != nil {
		return nil, err
	}
	for i := 0; ; i++ {
		resp, err := c.Do(req) // want `the body of req is spent after the first attempt`
		if err == nil || i == 3 {
			return resp, err
		}
		time.Sleep(time.Second)
	}
}

func madeDirectly(c *http.Client, url string, b []byte) (*http.Response, error) {
	req, err := directly(url, b)
	if err != nil {
		return nil, err
	}
	for i := 0; ; i++ {
		resp, err := c.Do(req) // want `the body of req is spent after the first attempt`
		if err == nil || i == 3 {
			return resp, err
		}
		time.Sleep(time.Second)
	}
}

// Silent: it has none.
func madeWithout(c *http.Client, url string) (*http.Response, error) {
	req, err := without(url)
	if err != nil {
		return nil, err
	}
	for i := 0; ; i++ {
		resp, err := c.Do(req)
		if err == nil || i == 3 {
			return resp, err
		}
		time.Sleep(time.Second)
	}
}

// Silent: each attempt makes its own.
func madeEach(c *http.Client, url string, b []byte) (*http.Response, error) {
	for i := 0; ; i++ {
		req, err := withBody(url, b)
		if err != nil {
			return nil, err
		}
		resp, err := c.Do(req)
		if err == nil || i == 3 {
			return resp, err
		}
		time.Sleep(time.Second)
	}
}

type job struct {
	*http.Request
	size int
}

func newJob(url string, b []byte) (job, error) {
	req, err := http.NewRequest(http.MethodPost, url, bytes.NewReader(b))
	if err != nil {
		return job{}, err
	}
	return job{Request: req, size: len(b)}, nil
}

func kept(c *http.Client, j job) (resp *http.Response, err error) {
	for i := 0; i < 3; i++ {
		resp, err = c.Do(j.Request) // want `the body of j.Request is spent after the first attempt`
		if err == nil {
			return resp, nil
		}
		time.Sleep(time.Second)
	}
	return nil, err
}

// Silent: it is given a new one.
func keptAnew(c *http.Client, j job, b []byte) (resp *http.Response, err error) {
	for i := 0; i < 3; i++ {
		j.Request.Body = http.NoBody
		resp, err = c.Do(j.Request)
		if err == nil {
			return resp, nil
		}
		time.Sleep(time.Second)
	}
	return nil, err
}

func (j job) rewind() { j.Body, _ = j.GetBody() }

// Silent: a method gives it a new one.
func keptRewound(c *http.Client, j job) (resp *http.Response, err error) {
	for i := 0; i < 3; i++ {
		resp, err = c.Do(j.Request)
		if err == nil {
			return resp, nil
		}
		j.rewind()
		time.Sleep(time.Second)
	}
	return nil, err
}

// Silent: as what the job embeds.
func keptPromoted(c *http.Client, j job) (resp *http.Response, err error) {
	for i := 0; i < 3; i++ {
		if i > 0 {
			j.Body, _ = j.GetBody()
		}
		resp, err = c.Do(j.Request)
		if err == nil {
			return resp, nil
		}
		time.Sleep(time.Second)
	}
	return nil, err
}

type ping struct{ req *http.Request }

func newPing(url string) (*ping, error) {
	req, err := http.NewRequest(http.MethodHead, url, nil)
	if err != nil {
		return nil, err
	}
	return &ping{req: req}, nil
}

// Silent: what is kept there has none.
func (p *ping) send(c *http.Client) (resp *http.Response, err error) {
	for i := 0; i < 3; i++ {
		resp, err = c.Do(p.req)
		if err == nil {
			return resp, nil
		}
		time.Sleep(time.Second)
	}
	return nil, err
}

type api struct{ c *http.Client }

// Silent: all who call it make requests without a body.
func (a *api) do(req *http.Request) (resp *http.Response, err error) {
	for i := 0; i < 3; i++ {
		resp, err = a.c.Do(req)
		if err == nil {
			return resp, nil
		}
		time.Sleep(time.Second)
	}
	return nil, err
}

func (a *api) Get(url string) (*http.Response, error) {
	req, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	return a.do(req)
}

func (a *api) Head(url string) (*http.Response, error) {
	req, err := http.NewRequest(http.MethodHead, url, http.NoBody)
	if err != nil {
		return nil, err
	}
	return a.do(req)
}

// One of those who call it makes one with a body.
func (a *api) doAny(req *http.Request) (resp *http.Response, err error) {
	for i := 0; i < 3; i++ {
		resp, err = a.c.Do(req) // want `the body of req is spent after the first attempt`
		if err == nil {
			return resp, nil
		}
		time.Sleep(time.Second)
	}
	return nil, err
}

func (a *api) Delete(url string) (*http.Response, error) {
	req, err := http.NewRequest(http.MethodDelete, url, nil)
	if err != nil {
		return nil, err
	}
	return a.doAny(req)
}

func (a *api) Put(url string, b []byte) (*http.Response, error) {
	req, err := http.NewRequest(http.MethodPut, url, bytes.NewReader(b))
	if err != nil {
		return nil, err
	}
	return a.doAny(req)
}
