package straight

import (
	"errors"
	"net/http"
)

var errChain = errors.New("chain")

// A predicate that stands for all that may pass.
func predicate(client *http.Client, req *http.Request) (resp *http.Response, err error) {
	for { // want `a failed client.Do is repeated at once`
		resp, err = client.Do(req)
		if err == nil || !isRetryable(err) {
			return resp, err
		}
	}
}

// One that knows a single kind of failure, which is cured at once.
func stale(client *http.Client, req *http.Request) (resp *http.Response, err error) {
	for {
		resp, err = client.Do(req)
		if err == nil || !isStale(err) {
			return resp, err
		}
	}
}

func isRetryable(err error) bool { return !errors.Is(err, errChain) }

func isStale(err error) bool { return errors.Is(err, errChain) }

// What is taken apart is the error itself.
func causes(client *http.Client, unwrap func(error) error, err error) (list []error) {
	for {
		list = append(list, err)
		if err = unwrap(err); err == nil {
			break
		}
	}
	return list
}
