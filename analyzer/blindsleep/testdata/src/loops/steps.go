package loops

import (
	"errors"
	"io"
	"net/http"
	"time"
)

// The answer is put through several steps, and what goes wrong at one of them
// is tried again like a failed call.
func steps(client *http.Client, req *http.Request, n int) (body []byte, err error) {
	for range n {
		var resp *http.Response
		resp, err = client.Do(req)
		if err != nil {
			time.Sleep(time.Second) // want `waits 1s with time.Sleep before retrying client.Do`
			continue
		}
		body, err = io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil {
			continue
		}
		if len(body) < 6 {
			if err = short(body); err == errAgain {
				continue
			}
			return nil, err
		}
		if resp.StatusCode < 500 {
			break
		}
	}
	return body, err
}

var errAgain = errors.New("again")

func short(body []byte) error {
	if len(body) == 0 {
		return errAgain
	}
	return nil
}

// The flag is false in each round until something sets it.
func flagged(rt http.RoundTripper, req *http.Request, statuses []int, n int) (res *http.Response, err error) {
	for i := 0; i <= n; i++ {
		var again, closes bool
		res, err = rt.RoundTrip(req)
		if err == io.EOF {
			again = true
		}
		if res != nil {
			for _, status := range statuses {
				if res.StatusCode == status {
					again, closes = true, true
				}
			}
		}
		if !again {
			break
		}
		if closes && i < n && res.Body != nil {
			res.Body.Close()
		}
		time.Sleep(time.Second) // want `waits 1s with time.Sleep before retrying rt.RoundTrip`
	}
	return res, err
}

// An assertion on no error does not hold.
func asserted(put func() error, n int) (err error) {
	for range n {
		err = put()
		again := false
		if failed, ok := err.(interface{ Busy() bool }); ok {
			again = failed.Busy()
			time.Sleep(time.Second) // want `waits 1s with time.Sleep before retrying put`
		}
		if !again {
			return err
		}
	}
	return err
}

// A step of a worker: whatever comes of it, the next thing is read.
func works(conn interface{ ReadMessage() ([]byte, error) }, handle func([]byte) error) error {
	for {
		msg, err := conn.ReadMessage()
		if err != nil {
			return err
		}
		if err := handle(msg); err != nil {
			time.Sleep(time.Second)
			continue
		}
		if len(msg) == 0 {
			return nil
		}
	}
}
