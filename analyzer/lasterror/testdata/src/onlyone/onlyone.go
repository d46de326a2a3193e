package onlyone

import (
	"errors"
	"net/http"
	"time"
)

var (
	errTryAgain = errors.New("try again")
	errGivenUp  = errors.New("given up")
)

func send(client *http.Client, req *http.Request) error {
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode == http.StatusServiceUnavailable {
		return errTryAgain
	}
	return nil
}

// All that comes back is the one that says no more than its name.
func compared(client *http.Client, req *http.Request) error {
	for range 5 {
		err := send(client, req)
		if err != errTryAgain {
			return err
		}
		time.Sleep(time.Second)
	}
	return errGivenUp
}

func switched(client *http.Client, req *http.Request) error {
	for range 5 {
		switch err := send(client, req); err {
		case nil:
			return nil
		case errTryAgain:
			time.Sleep(time.Second)
		default:
			return err
		}
	}
	return errors.New("given up")
}

// Others come back too.
func others(client *http.Client, req *http.Request) error {
	for range 5 {
		err := send(client, req)
		if err == nil {
			return nil
		}
		if err == errTryAgain {
			time.Sleep(time.Second)
		}
	}
	return errGivenUp // want `gives up without the last error from send`
}

// What is wrapped around it is lost.
func wrapped(client *http.Client, req *http.Request) error {
	for range 5 {
		err := send(client, req)
		if !errors.Is(err, errTryAgain) {
			return err
		}
		time.Sleep(time.Second)
	}
	return errGivenUp // want `gives up without the last error from send`
}
