package astext

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"
)

func formatted(client *http.Client, req *http.Request) (*http.Response, error) {
	var last error
	for range 3 {
		resp, err := client.Do(req)
		if err == nil {
			return resp, nil
		}
		last = err
		time.Sleep(time.Second)
	}
	return nil, fmt.Errorf("after %d attempts: %v", 3, last) // want `gives up with the last error from client.Do as text only, so errors.Is and errors.As can't see it; wrap it with %w`
}

func wrapped(client *http.Client, req *http.Request) (*http.Response, error) {
	var last error
	for range 3 {
		resp, err := client.Do(req)
		if err == nil {
			return resp, nil
		}
		last = err
		time.Sleep(time.Second)
	}
	return nil, fmt.Errorf("after %d attempts: %w", 3, last)
}

type sdkError struct{ code, message string }

func (e *sdkError) Error() string { return e.code + ": " + e.message }

func newSDKError(code, message string) error { return &sdkError{code, message} }

func inStruct(client *http.Client, req *http.Request, retries int) (resp *http.Response, err error) {
	for i := 0; i <= retries; i++ {
		resp, err = client.Do(req)
		if err != nil && i < retries {
			time.Sleep(time.Second)
			continue
		}
		if err != nil {
			msg := fmt.Sprintf("no response: %s", err)
			err = newSDKError("NetworkError", msg)
		}
		return resp, err // want `as text only`
	}
	return nil, err
}

// A permanent failure is not giving up.
func permanent(client *http.Client, req *http.Request) (*http.Response, error) {
	for {
		resp, err := client.Do(req)
		if err == nil {
			return resp, nil
		}
		if !errors.Is(err, context.DeadlineExceeded) {
			return nil, fmt.Errorf("refused: %v", err)
		}
		time.Sleep(time.Second)
	}
}
