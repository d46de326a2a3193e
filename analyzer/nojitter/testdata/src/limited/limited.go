package limited

import (
	"net/http"
	"time"
)

type answer struct {
	err error
	old bool
}

func ask(client *http.Client, req *http.Request) (chan answer, error) {
	resp, err := client.Do(req)
	if err != nil {
		return nil, err
	}
	return make(chan answer, 1), resp.Body.Close()
}

// The timer limits the wait for the answer: where it fires, the function ends.
func negotiate(client *http.Client, req *http.Request, done func()) {
	answers, err := ask(client, req)
	if err != nil {
		return
	}
SELECT:
	select {
	case a := <-answers:
		if a.err != nil {
			if a.old {
				if answers, err = ask(client, req); err != nil {
					return
				}
				goto SELECT
			}
			return
		}
		done()
	case <-time.After(10 * time.Second):
		done()
	}
}

// Where it fires, the loop ends.
func breaks(client *http.Client, req *http.Request, answers chan answer) (err error) {
LOOP:
	for range 3 {
		if _, err = client.Do(req); err == nil {
			return nil
		}
		select {
		case <-answers:
		case <-time.After(10 * time.Second):
			break LOOP
		}
	}
	return err
}

// Where it fires, there is another attempt.
func pauses(client *http.Client, req *http.Request, answers chan answer) (err error) {
	for range 3 {
		if _, err = client.Do(req); err == nil {
			return nil
		}
		select { // want `the wait before the next client.Do is the same number for every client`
		case <-answers:
		case <-time.After(10 * time.Second):
		}
	}
	return err
}
