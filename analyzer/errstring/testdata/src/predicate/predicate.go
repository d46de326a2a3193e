package predicate

import (
	"errors"
	"net/http"
	"strings"
	"time"
)

func isRetryable(err error) bool {
	if err == nil {
		return false
	}
	return strings.Contains(err.Error(), "timeout") // want `the text of err \("timeout"\), which changes without notice; use errors.As with net.Error`
}

func again(err error) bool {
	switch {
	case strings.HasPrefix(err.Error(), "busy: "): // want `the text of err \("busy: "\)`
		return true
	}
	return false
}

func asksHelper(client *http.Client, req *http.Request) error {
	for {
		resp, err := client.Do(req)
		if err == nil {
			resp.Body.Close()
			return nil
		}
		if !again(err) {
			return err
		}
		time.Sleep(time.Second)
	}
}

type task struct {
	attempts           int
	nonRetryableErrors map[string]bool
}

func (t *task) failed(err error, requeue chan<- *task, fail chan<- error) {
	if t.nonRetryableErrors[err.Error()] || t.attempts > 3 { // want `the text of err`
		fail <- err
		return
	}
	t.attempts++
	requeue <- t
}

// Nobody retries by it.
func isNotFound(err error) bool { return strings.Contains(err.Error(), "not found") }

type apiError struct{ Message string }

func (e *apiError) Error() string { return e.Message }

// The field of a typed error is the server's interface.
func shouldRetry(err error) bool {
	var api *apiError
	return errors.As(err, &api) && strings.Contains(api.Message, "overloaded")
}
