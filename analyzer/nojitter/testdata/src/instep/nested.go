package instep

import (
	"errors"
	"net/http"
	"time"
)

type feed struct {
	client *http.Client
	closed chan struct{}
}

func (f *feed) ask(url string) error {
	resp, err := f.client.Get(url)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// The wait is the inner loop's, although the outer one comes by it as well.
func (f *feed) read() error {
	for n := 0; n < 9; n++ {
		err := f.ask("/next")
		if err == nil {
			return nil
		}
		for {
			select { // want `the wait before the next f.ask is the same number`
			case <-f.closed:
				return err
			case <-time.After(time.Second):
				if f.ask("/again") != nil {
					continue
				}
			}
			break
		}
	}
	return errors.New("too often")
}

// Each has one of its own.
func (f *feed) readSlowly() error {
	for n := 0; n < 9; n++ {
		err := f.ask("/next")
		if err == nil {
			return nil
		}
		for f.ask("/again") != nil {
			time.Sleep(time.Second) // want `the wait before the next f.ask is the same number`
		}
		time.Sleep(time.Minute) // want `the wait before the next f.ask is the same number`
	}
	return errors.New("too often")
}
