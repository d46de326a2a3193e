package made

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"time"
)

// A request takes what is left of the reader for all of its body.
func readerOutside(c *http.Client, url string, data []byte) (resp *http.Response, err error) {
	body := bytes.NewReader(data)
	for range 3 {
		req, err := http.NewRequest(http.MethodPut, url, body) // want `body is read to its end by the first attempt`
		if err != nil {
			return nil, err
		}
		if resp, err = c.Do(req); err == nil {
			return resp, nil
		}
		time.Sleep(time.Second)
	}
	return nil, err
}

func maybeNone(c *http.Client, url, data string) (resp *http.Response, err error) {
	var body io.Reader
	if data != "" {
		body = strings.NewReader(data)
	}
	for range 3 {
		req, err := http.NewRequest(http.MethodPut, url, body) // want `body is read to its end by the first attempt`
		if err != nil {
			return nil, err
		}
		if resp, err = c.Do(req); err == nil {
			return resp, nil
		}
		time.Sleep(time.Second)
	}
	return nil, err
}

func takenBack(c *http.Client, url string, data []byte) (resp *http.Response, err error) {
	body := bytes.NewReader(data)
	for range 3 {
		if _, err := body.Seek(0, io.SeekStart); err != nil {
			return nil, err
		}
		req, err := http.NewRequest(http.MethodPut, url, body)
		if err != nil {
			return nil, err
		}
		if resp, err = c.Do(req); err == nil {
			return resp, nil
		}
		time.Sleep(time.Second)
	}
	return nil, err
}

func madeInside(c *http.Client, url string, data []byte) (resp *http.Response, err error) {
	for range 3 {
		var body io.Reader
		if data != nil {
			body = bytes.NewReader(data)
		}
		req, err := http.NewRequest(http.MethodPut, url, body)
		if err != nil {
			return nil, err
		}
		if resp, err = c.Do(req); err == nil {
			return resp, nil
		}
		time.Sleep(time.Second)
	}
	return nil, err
}

type uploader interface {
	Upload(name string, body io.Reader) error
}

// Whoever is handed a reader that can be taken back may do so.
func handedOn(u uploader, data []byte) (err error) {
	body := bytes.NewReader(data)
	for range 3 {
		if err = u.Upload("name", body); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}
