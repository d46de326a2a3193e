package silent

import (
	"errors"
	"net/http"
	"strings"
	"time"
)

// LineError is what a server answers in a protocol made of lines: there is
// nothing but the text.
type LineError struct{ S string }

func (e LineError) Error() string { return e.S }

func moved(client *http.Client, req *http.Request) (err error) {
	for range 3 {
		if err = ask(client, req); err == nil {
			return nil
		}
		var line LineError
		if !errors.As(err, &line) {
			return err
		}
		if text := line.Error(); !strings.HasPrefix(text, "MOVED ") {
			return err
		}
		time.Sleep(time.Second)
	}
	return err
}

func ask(client *http.Client, req *http.Request) error {
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}
