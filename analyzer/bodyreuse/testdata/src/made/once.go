package made

import (
	"bytes"
	"io"
	"net/http"
	"os"
	"time"
)

// Of what wraps a reader net/http takes no GetBody.
func wrapped(c *http.Client, url string, data []byte) (err error) {
	req, err := http.NewRequest(http.MethodPut, url, io.NopCloser(bytes.NewReader(data)))
	if err != nil {
		return err
	}
	for i := 0; i < 3; i++ {
		var resp *http.Response
		resp, err = c.Do(req) // want `the body of req is spent after the first attempt`
		if err == nil {
			return resp.Body.Close()
		}
		time.Sleep(time.Second)
	}
	return err
}

func file(c *http.Client, url, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	req, err := http.NewRequest(http.MethodPut, url, f)
	if err != nil {
		return err
	}
	for i := 0; i < 3; i++ {
		var resp *http.Response
		resp, err = c.Do(req) // want `the body of req is spent after the first attempt`
		if err == nil {
			return resp.Body.Close()
		}
		time.Sleep(time.Second)
	}
	return err
}

func sought(c *http.Client, url, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	for i := 0; i < 3; i++ {
		if _, err = f.Seek(0, io.SeekStart); err != nil {
			return err
		}
		var req *http.Request
		if req, err = http.NewRequest(http.MethodPut, url, f); err != nil {
			return err
		}
		var resp *http.Response
		if resp, err = c.Do(req); err == nil {
			return resp.Body.Close()
		}
		time.Sleep(time.Second)
	}
	return err
}
