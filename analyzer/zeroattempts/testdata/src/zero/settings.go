package zero

import (
	"flag"
	"net/http"
	"os"
	"strconv"
	"time"
)

var tries = flag.Int("tries", 3, "how often to ask")

func main() {
	flag.Parse()
	_ = byFlag("http://server/", *tries)
	_ = byVariable("http://server/")
	_ = Through("http://server/", 3)
}

func byFlag(url string, n int) error {
	for i := 0; i < n; i++ { // want `n comes from outside and may be zero or less: then http.Get is never called and nil is returned as if it had succeeded`
		resp, err := http.Get(url)
		if err == nil {
			return resp.Body.Close()
		}
		if i == n-1 {
			return err
		}
		time.Sleep(time.Second)
	}
	return nil
}

func byVariable(url string) error {
	n, _ := strconv.Atoi(os.Getenv("TRIES"))
	for i := 0; i < n; i++ { // want `n comes from outside and may be zero or less`
		resp, err := http.Get(url)
		if err == nil {
			return resp.Body.Close()
		}
		if i == n-1 {
			return err
		}
		time.Sleep(time.Second)
	}
	return nil
}

// Through hands on what its caller wants.
func Through(url string, attempts int) error {
	return through(url, attempts)
}

func through(url string, attempts int) error {
	for i := 0; i < attempts; i++ { // want `attempts comes from outside and may be zero or less`
		resp, err := http.Get(url)
		if err == nil {
			return resp.Body.Close()
		}
		if i == attempts-1 {
			return err
		}
		time.Sleep(time.Second)
	}
	return nil
}
