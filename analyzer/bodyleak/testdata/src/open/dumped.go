package open

import (
	"errors"
	"log"
	"net/http"
	"net/http/httputil"
	"time"
)

// shown gives a response that it has shown, and that is still open.
func shown(c *http.Client, req *http.Request) (*http.Response, error) {
	resp, err := c.Do(req)
	if err != nil {
		return nil, err
	}
	if dump, err := httputil.DumpResponse(resp, true); err == nil {
		log.Printf("%s", dump)
	}
	return resp, nil
}

func dumped(c *http.Client, req *http.Request) (*http.Response, error) {
	for i := 0; i < 3; i++ {
		resp, err := shown(c, req) // want `resp stays open when shown is repeated`
		if err != nil || resp.StatusCode >= 500 {
			time.Sleep(time.Second)
			continue
		}
		return resp, nil
	}
	return nil, errors.New("gave up")
}

// closed gives a response that it may have closed.
func closed(c *http.Client, req *http.Request) (*http.Response, error) {
	resp, err := c.Do(req)
	if err == nil && resp.StatusCode >= 500 {
		err = resp.Body.Close()
	}
	return resp, err
}

// Silent: what failed is closed already.
func closing(c *http.Client, req *http.Request) (*http.Response, error) {
	for i := 0; i < 3; i++ {
		resp, err := closed(c, req)
		if err != nil || resp.StatusCode >= 500 {
			time.Sleep(time.Second)
			continue
		}
		return resp, nil
	}
	return nil, errors.New("gave up")
}
