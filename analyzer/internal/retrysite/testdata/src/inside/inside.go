package inside

import (
	"net/http"
	"time"
)

func Fetch(client *http.Client, url string) (err error) { // want Fetch:`inside\(client.Get, attempts=4\)`
	for attempt := 0; attempt < 4; attempt++ {
		var resp *http.Response
		if resp, err = client.Get(url); err == nil {
			return resp.Body.Close()
		}
		time.Sleep(time.Second)
	}
	return err
}

func Load(client *http.Client, url string, n int) error { // want Load:`inside\(client.Get, attempts=4\)`
	return load(client, url)
}

func load(client *http.Client, url string) error { return Fetch(client, url) }

func Given(client *http.Client, url string, n int) (err error) { // want Given:`inside\(client.Get, counted\)`
	for range n {
		var resp *http.Response
		if resp, err = client.Get(url); err == nil {
			return resp.Body.Close()
		}
		time.Sleep(time.Second)
	}
	return err
}

// Without a wait it is the connection's own business.
func Twice(client *http.Client, url string) (err error) {
	for range 2 {
		var resp *http.Response
		if resp, err = client.Get(url); err == nil {
			return resp.Body.Close()
		}
	}
	return err
}

// Its failure stays inside.
func Warm(client *http.Client, url string) bool { return Fetch(client, url) == nil }
