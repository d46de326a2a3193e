package textswitch

import (
	"net/http"
	"time"
)

const errRevoked = "token_revoked"

func connect(client *http.Client, req *http.Request) (*http.Response, error) {
	for {
		resp, err := client.Do(req)
		if err == nil {
			return resp, nil
		}
		switch err.Error() { // want `whether to retry is decided by the text of err, which changes`
		case errRevoked, "invalid_auth":
			return nil, err
		}
		time.Sleep(time.Second)
	}
}
