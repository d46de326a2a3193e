package judged

import (
	"errors"
	"io"
	"net/http"
	"time"
)

// pause says how long to wait before the next attempt, 0 for none.
func pause(err error, attempt uint, end time.Time) int64 {
	if attempt > 5 || time.Now().After(end) || !errors.Is(err, io.ErrUnexpectedEOF) {
		return 0
	}
	return 100
}

// Silent: what gives the wait is told the error.
func judged(url string, end time.Time) (*http.Response, error) {
	for i := uint(0); ; i++ {
		resp, err := http.Get(url)
		if err == nil {
			return resp, nil
		}
		wait := pause(err, i, end)
		if wait <= 0 {
			return nil, err
		}
		time.Sleep(time.Duration(wait) * time.Millisecond)
	}
}

func longer(attempt uint) int64 {
	if attempt > 5 {
		return 0
	}
	return 100 << attempt
}

func counted(url string) (*http.Response, error) {
	for i := uint(0); ; i++ { // want `retries every error from http.Get`
		resp, err := http.Get(url)
		if err == nil {
			return resp, nil
		}
		wait := longer(i)
		if wait <= 0 {
			return nil, err
		}
		time.Sleep(time.Duration(wait) * time.Millisecond)
	}
}

type signedIn struct{ url, token string }

func (s *signedIn) urlAndAuthToken(old string) (url, token string, err error) {
	resp, err := http.Get(s.url)
	if err != nil {
		return "", "", err
	}
	return s.url, resp.Header.Get("X-Auth-Token"), resp.Body.Close()
}

func send(url, token string) (*http.Response, error) {
	req, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("X-Auth-Token", token)
	return http.DefaultClient.Do(req)
}

// Signing in again gives the address that goes with the token.
func (s *signedIn) call(url string, retries int) (*http.Response, error) {
	for { // want `retries every error from send`
		var token string
		var err error
		if url, token, err = s.urlAndAuthToken(url); err != nil {
			return nil, err
		}
		resp, err := send(url, token)
		if err == nil || retries == 0 {
			return resp, err
		}
		retries--
		time.Sleep(time.Second)
	}
}

// Silent: each failure moves on to the next address.
func mirrors(url string, others []string) (*http.Response, error) {
	for i := 0; i < len(others); i++ {
		resp, err := http.Get(url)
		if err == nil {
			return resp, nil
		}
		url = others[i]
	}
	return nil, errors.New("none left")
}

// Silent: what went well comes back too, for the next push.
func pushes(c *http.Client, req *http.Request) error {
	for {
		resp, err := c.Do(req)
		if err != nil {
			return err
		}
		switch resp.StatusCode {
		case http.StatusOK:
		case http.StatusTooManyRequests:
			return errors.New("stopped")
		}
		time.Sleep(time.Minute)
	}
}
