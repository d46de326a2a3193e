package fix

import (
	"context"
	"net/http"
	"time"
)

func errorOnly(client *http.Client, req *http.Request) (err error) {
	for range 3 {
		var resp *http.Response
		resp, err = client.Do(req)
		if resp != nil {
			defer resp.Body.Close() // want `this defer runs when the function returns`
		}
		if err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

func statusOf(client *http.Client, req *http.Request) (string, error) {
	var last error
	for range 3 {
		resp, err := client.Do(req)
		if err != nil {
			last = err
			time.Sleep(time.Second)
			continue
		}
		defer resp.Body.Close() // want `this defer runs when the function returns`
		if resp.StatusCode == http.StatusServiceUnavailable {
			time.Sleep(time.Second)
			continue
		}
		return resp.Status, nil
	}
	return "", last
}

func nothing(client *http.Client, req *http.Request) {
	for range 3 {
		resp, err := client.Do(req)
		if resp != nil {
			defer resp.Body.Close() // want `this defer runs when the function returns`
		}
		if err == nil {
			return
		}
		time.Sleep(time.Second)
	}
}

// A break leaves the loop: no fix.
func left(client *http.Client, req *http.Request) (err error) {
	for range 3 {
		var resp *http.Response
		resp, err = client.Do(req)
		if resp != nil {
			defer resp.Body.Close() // want `this defer runs when the function returns`
		}
		if err == nil {
			break
		}
		time.Sleep(time.Second)
	}
	return err
}

// The deferred call sets the result: no fix.
func closing(client *http.Client, req *http.Request) (err error) {
	for range 3 {
		var resp *http.Response
		resp, err = client.Do(req)
		if resp != nil {
			defer func() { // want `this defer runs when the function returns`
				if closeErr := resp.Body.Close(); err == nil {
					err = closeErr
				}
			}()
		}
		if err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

// The fix of the wait, which returns, must not be put into the function of the
// attempt: both change the same lines.
func woken(ctx context.Context, client *http.Client, url string) error {
	var last error
	for range 3 {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
		if err != nil {
			return err
		}
		resp, err := client.Do(req)
		if err != nil {
			last = err
			time.Sleep(time.Second)
			continue
		}
		defer resp.Body.Close() // want `this defer runs when the function returns`
		if resp.StatusCode != http.StatusServiceUnavailable {
			return nil
		}
		time.Sleep(time.Second)
	}
	return last
}
