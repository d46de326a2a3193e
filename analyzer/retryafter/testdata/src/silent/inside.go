package silent

import (
	"errors"
	"net/http"
	"time"
)

type throttled struct{ header http.Header }

func (t *throttled) Error() string { return "throttled" }

// Whoever gets the error can read the header.
func keeps(c *http.Client, url string) (retry bool, err error) {
	resp, err := c.Get(url)
	if err != nil {
		return false, err
	}
	resp.Body.Close()
	if resp.StatusCode == http.StatusTooManyRequests {
		return true, &throttled{header: resp.Header}
	}
	return false, nil
}

func reads(c *http.Client, url string) (wait string, retry bool, err error) {
	resp, err := c.Get(url)
	if err != nil {
		return "", false, err
	}
	resp.Body.Close()
	return resp.Header.Get("Retry-After"), resp.StatusCode == http.StatusTooManyRequests, nil
}

func byError(c *http.Client, url string, pause func(error) time.Duration) error {
	for range 5 {
		retry, err := keeps(c, url)
		if !retry {
			return err
		}
		time.Sleep(pause(err))
	}
	return errors.New("too many attempts")
}

func byText(c *http.Client, url string, pause func(string) time.Duration) error {
	for range 5 {
		wait, retry, err := reads(c, url)
		if !retry {
			return err
		}
		time.Sleep(pause(wait))
	}
	return errors.New("too many attempts")
}
