package emptyslots

import (
	"net/http"
	"time"
)

func Slots(client *http.Client, req *http.Request, attempts int) error {
	errs := make([]error, attempts)
	n := 0
	for n < attempts { // want `attempts comes from outside and may be zero or less: then client.Do is never called and the function panics on an index before the first`
		_, err := client.Do(req)
		if err == nil {
			return nil
		}
		errs[n] = err
		if n == attempts-1 {
			break
		}
		time.Sleep(time.Second)
		n++
	}
	return errs[n]
}

func Before(client *http.Client, req *http.Request, attempts int) error {
	var errs []error
	n := 0
	for n < attempts { // want `the function panics on an index before the first`
		_, err := client.Do(req)
		if err == nil {
			return nil
		}
		errs = append(errs, err)
		time.Sleep(time.Second)
		n++
	}
	return errs[n-1]
}

// One more slot than there are retries.
func First(client *http.Client, req *http.Request, retries uint) error {
	errs := make([]error, retries+1)
	n := uint(0)
	for n <= retries {
		_, err := client.Do(req)
		if err == nil {
			return nil
		}
		errs[n] = err
		time.Sleep(time.Second)
		n++
	}
	return errs[n-1]
}
