package contains

import (
	"errors"
	"net/http"
	"strings"
	"time"
)

// CodeError has more than its text to be told by.
type CodeError struct {
	Code int
	Text string
}

func (e *CodeError) Error() string { return e.Text }

func throttled(client *http.Client, req *http.Request) (err error) {
	for range 3 {
		if err = call(client, req); err == nil {
			return nil
		}
		var coded *CodeError
		if !errors.As(err, &coded) {
			return err
		}
		if text := coded.Error(); !strings.HasPrefix(text, "throttled") { // want `whether to retry is decided by the text of coded`
			return err
		}
		time.Sleep(time.Second)
	}
	return err
}

func call(client *http.Client, req *http.Request) error {
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}
