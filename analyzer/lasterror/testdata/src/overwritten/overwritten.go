package overwritten

import (
	"errors"
	"fmt"
	"log"
	"net/http"
	"time"
)

func timesOut(client *http.Client, req *http.Request, retries int) (resp *http.Response, err error) {
	for n := 0; ; n++ {
		if n > retries {
			if isTimeout(err) {
				err = fmt.Errorf("timeout after %d retries", n-1) // want `gives up without the last error from client.Do`
			}
			break
		}
		resp, err = client.Do(req)
		if err == nil {
			return resp, nil
		}
		time.Sleep(time.Second)
	}
	return nil, err
}

func isTimeout(err error) bool {
	var t interface{ Timeout() bool }
	return errors.As(err, &t) && t.Timeout()
}

// The last error is in the new one.
func wraps(client *http.Client, req *http.Request, retries int) (resp *http.Response, err error) {
	for n := 0; ; n++ {
		if n > retries {
			err = fmt.Errorf("after %d retries: %w", n-1, err)
			break
		}
		resp, err = client.Do(req)
		if err == nil {
			return resp, nil
		}
		time.Sleep(time.Second)
	}
	return nil, err
}

// Another variable still has it.
func keeps(client *http.Client, req *http.Request, retries int) (resp *http.Response, last, err error) {
	for n := 0; ; n++ {
		if n > retries {
			last = err
			err = errors.New("no more retries")
			break
		}
		resp, err = client.Do(req)
		if err == nil {
			return resp, nil, nil
		}
		log.Print(err)
		time.Sleep(time.Second)
	}
	return nil, last, err
}
