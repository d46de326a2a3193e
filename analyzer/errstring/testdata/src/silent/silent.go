package silent

import (
	"errors"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"
)

// A loop over items is no retry.
func each(client *http.Client, reqs []*http.Request) error {
	for _, req := range reqs {
		resp, err := client.Do(req)
		if err != nil {
			if strings.Contains(err.Error(), "skip") {
				continue
			}
			return err
		}
		resp.Body.Close()
	}
	return nil
}

// A reader decodes, it does not retry.
func read(r io.Reader) error {
	buf := make([]byte, 10)
	for {
		_, err := r.Read(buf)
		if err != nil && strings.Contains(err.Error(), "closed") {
			return nil
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
	}
}

// An empty text is no text.
func once(client *http.Client, req *http.Request) error {
	for {
		_, err := client.Do(req)
		if err == nil || err.Error() == "" {
			return err
		}
		time.Sleep(time.Second)
	}
}

type (
	loadingError struct{ error }
	busyError    struct{ error }
)

// A protocol in plain text: types are asked for first, text is for what has
// none.
func shouldRetry(err error) bool {
	if _, ok := errors.AsType[loadingError](err); ok {
		return true
	}
	if errors.As(err, new(loadingError)) {
		return true
	}
	if errors.As(err, new(busyError)) {
		return true
	}
	return strings.HasPrefix(err.Error(), "LOADING ")
}

func asked(client *http.Client, req *http.Request) error {
	for {
		resp, err := client.Do(req)
		if err == nil {
			return resp.Body.Close()
		}
		if !shouldRetry(err) {
			return err
		}
		time.Sleep(time.Second)
	}
}

var (
	redirects = regexp.MustCompile(`stopped after \d+ redirects\z`)
	scheme    = regexp.MustCompile(`unsupported protocol scheme`)
)

// These two have nothing but a text.
func isRetryable(err error) bool {
	if v, ok := err.(*url.Error); ok {
		if redirects.MatchString(v.Error()) {
			return false
		}
		if scheme.MatchString(v.Error()) {
			return false
		}
	}
	return true
}
