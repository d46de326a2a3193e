package fresh

import (
	"errors"
	"fmt"
	"net/http"
	"time"
)

// The second failure returns, so that there is no third.
func repaired(client *http.Client, url string) error {
	var err error
	for i := 0; i < 2; i++ {
		if err = ping(client, url); err == nil {
			break
		}
		if i > 0 {
			err = fmt.Errorf("twice: %w", err)
			break
		}
		if err = ping(client, url+"/repair"); err != nil {
			return err
		}
	}
	return err
}

// The last failure returns, so that the end is not reached.
func lastReturns(client *http.Client, url string, attempts int) error {
	for i := 0; i < attempts; i++ {
		err := ping(client, url)
		if err == nil {
			return nil
		}
		if i == attempts-1 {
			return err
		}
		time.Sleep(time.Second)
	}
	return errors.New("no attempt was made")
}

func lastGoesOn(client *http.Client, url string, attempts int) error {
	for i := 0; i < attempts; i++ {
		err := ping(client, url)
		if err == nil {
			return nil
		}
		if i == attempts-1 {
			break
		}
		time.Sleep(time.Second)
	}
	return errors.New("too many attempts") // want `gives up without the last error from ping`
}

// What success alone sets is asked before the end, which is no giving up.
func flagged(client *http.Client, url string, optional bool) error {
	if optional {
		joined := false
		for i := 0; i < 3; i++ {
			err := ping(client, url)
			if err != nil {
				time.Sleep(time.Second)
				continue
			}
			joined = true
			break
		}
		if !joined {
			return errors.New("not joined") // want `gives up without the last error from ping`
		}
	}
	return nil
}

func ping(client *http.Client, url string) error {
	resp, err := client.Get(url)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}
