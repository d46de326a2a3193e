package silent

import (
	"flag"
	"net/http"
	"os"
	"strconv"
	"time"
)

var tries = flag.Int("tries", 3, "how often to ask")

func byFlag(url string) error {
	n := *tries
	if n < 1 {
		n = 1
	}
	return times(url, n)
}

// Checked hands on no less than one.
func Checked(url string, attempts int) error {
	if attempts <= 0 {
		attempts = 1
	}
	return times(url, attempts)
}

func byVariable(url string) error {
	n, err := strconv.Atoi(os.Getenv("TRIES"))
	if err != nil || n < 1 {
		return err
	}
	return times(url, n)
}

func times(url string, n int) error {
	for i := 0; i < n; i++ {
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
