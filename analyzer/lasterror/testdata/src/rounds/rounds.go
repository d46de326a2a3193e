// Package rounds has loops that leave in their last round by a question in
// their body, or count what is left of their rounds.
package rounds

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net/http"
	"time"
)

type client struct {
	http  *http.Client
	max   int
	again func(ctx context.Context, resp *http.Response, err error) (bool, error)
}

func (c *client) prepare(req *http.Request) error { return req.ParseForm() }

// The condition of the loop never ends it, so that prepare's nil is not what
// comes out.
func (c *client) asked(req *http.Request) error {
	var err error
	for n := 0; n <= c.max; n += 1 {
		_, err = c.http.Do(req)
		if !temporary(err) || n >= c.max {
			break
		}
		err = c.prepare(req)
		if err != nil {
			return err
		}
		time.Sleep(time.Second)
	}
	if err != nil {
		return err
	}
	return nil
}

// One round earlier it asks, and so the condition does end it.
func (c *client) early(req *http.Request) error {
	var err error
	for n := 0; n <= c.max; n += 1 {
		_, err = c.http.Do(req)
		if !temporary(err) || n > c.max {
			break
		}
		err = c.prepare(req)
		if err != nil {
			return err
		}
		time.Sleep(time.Second)
	}
	if err != nil {
		return err
	}
	return nil // want `returns nil when the attempts are used up`
}

// What is handed in says whether to go on.
func (c *client) policy(req *http.Request) (*http.Response, error) {
	for n := 0; ; n++ {
		resp, err := c.http.Do(req)
		ok, checkErr := c.again(req.Context(), resp, err)
		if err != nil {
			log.Printf("%s: %v", req.URL, err)
		}
		if !ok {
			if checkErr != nil {
				err = checkErr
			}
			return resp, err
		}
		left := c.max - n
		if left <= 0 {
			break
		}
		if resp != nil {
			resp.Body.Close()
		}
		time.Sleep(time.Second)
	}
	return nil, fmt.Errorf("%s: giving up after %d attempts", req.URL, c.max+1) // want `gives up without the last error from http.Do`
}

// The same with the error.
func (c *client) keeps(req *http.Request) (*http.Response, error) {
	var last error
	for n := 0; ; n++ {
		resp, err := c.http.Do(req)
		ok, _ := c.again(req.Context(), resp, err)
		if !ok {
			return resp, err
		}
		last = err
		left := c.max - n
		if left <= 0 {
			break
		}
		time.Sleep(time.Second)
	}
	return nil, fmt.Errorf("%s: giving up after %d attempts: %w", req.URL, c.max+1, last)
}

func (c *client) cancelled(ctx context.Context, req *http.Request) (*http.Response, error) {
	for {
		resp, err := c.http.Do(req)
		if !temporary(err) {
			return resp, err
		}
		select {
		case <-time.After(time.Second):
		case <-ctx.Done():
			return nil, errors.New("request cancelled") // want `gives up when the context ends with an error that has neither the context's nor the last one from http.Do`
		}
	}
}

func (c *client) told(ctx context.Context, req *http.Request) (*http.Response, error) {
	for {
		resp, err := c.http.Do(req)
		if !temporary(err) {
			return resp, err
		}
		select {
		case <-time.After(time.Second):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

func temporary(err error) bool {
	var t interface{ Temporary() bool }
	return errors.As(err, &t) && t.Temporary()
}

type collector struct{ texts []string }

func (c *collector) push(text string) { c.texts = append(c.texts, text) }

func (c *collector) failed() error {
	if len(c.texts) == 0 {
		return nil
	}
	return errors.New(c.texts[0])
}

type joiner struct{ errs []error }

func (j *joiner) push(err error) { j.errs = append(j.errs, err) }

func (j *joiner) failed() error { return errors.Join(j.errs...) }

func (c *client) collects(req *http.Request) (*http.Response, error) {
	all := &collector{}
	for n := 0; n < c.max; n++ {
		resp, err := c.http.Do(req)
		if err != nil {
			all.push(err.Error())
			time.Sleep(time.Second)
			continue
		}
		return resp, nil
	}
	return nil, all.failed() // want `gives up with the last error from http.Do as text only`
}

func (c *client) joins(req *http.Request) (*http.Response, error) {
	all := &joiner{}
	for n := 0; n < c.max; n++ {
		resp, err := c.http.Do(req)
		if err != nil {
			all.push(err)
			time.Sleep(time.Second)
			continue
		}
		return resp, nil
	}
	return nil, all.failed()
}
