package fresh

import (
	"errors"
	"fmt"
	"net/http"
	"time"
)

var (
	errMissing  = errors.New("missing")
	errNotFound = errors.New("not found")
)

type queryError struct{ Message string }

func (e *queryError) Error() string { return e.Message }

// What is returned says the same in other words.
func saidOtherwise(client *http.Client, req *http.Request) error {
	for i := 0; i < 3; i++ {
		_, err := client.Do(req)
		if err == nil {
			return nil
		}
		if i+1 < 3 && errors.Is(err, http.ErrHandlerTimeout) {
			time.Sleep(time.Second)
			continue
		}
		if q, ok := err.(*queryError); ok && q.Message == "No matching object found" {
			return errNotFound
		}
		return err
	}
	return errMissing
}

// It gives up, whatever it was.
func givenUpByCount(client *http.Client, req *http.Request) error {
	for i := 0; i < 3; i++ {
		_, err := client.Do(req)
		if err == nil {
			return nil
		}
		if i+1 == 3 {
			return fmt.Errorf("gave up after %d", i) // want `gives up without the last error`
		}
		time.Sleep(time.Second)
	}
	return nil
}
