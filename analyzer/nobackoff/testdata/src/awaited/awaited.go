package awaited

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

// The next request follows an answer, which the operation gave a channel for.
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
