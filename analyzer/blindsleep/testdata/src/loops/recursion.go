package loops

import (
	"net/http"
	"time"
)

// The counter is taken down before the function calls itself.
func counted(retries int, wait time.Duration, client *http.Client, url string) (*http.Response, error) {
	resp, err := client.Get(url)
	if err != nil {
		if !transient(err) {
			return nil, err
		}
		if retries--; retries > 0 {
			time.Sleep(wait) // want `waits with time.Sleep before retrying client.Get`
			return counted(retries, wait, client, url)
		}
	}
	return resp, err
}

func transient(err error) bool { return err.Error() != "" }
