package candidates

import (
	"errors"
	"fmt"
	"net/http"
	"time"
)

type source any

type mirror struct{ client *http.Client }

func (m *mirror) fetch(path string) error { return get(m.client, path) }

type origin struct{ client *http.Client }

func (o *origin) fetch(path string) error { return get(o.client, path) }

func get(client *http.Client, path string) error {
	resp, err := client.Get(path)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

var errAbsent = errors.New("absent")

// Another source each time: no retry.
func first(sources []source, path string) error {
	for _, s := range sources {
		switch s := s.(type) {
		case *mirror:
			err := s.fetch(path)
			if err != nil {
				if errors.Is(err, errAbsent) {
					continue
				}
				return err
			}
			return nil
		case *origin:
			if err := s.fetch(path); err != nil {
				continue
			}
			return nil
		}
	}
	return fmt.Errorf("none of %d sources has %s", len(sources), path)
}

// The same source each time.
func again(s source, path string) error {
	for range 3 {
		switch s := s.(type) {
		case *mirror:
			err := s.fetch(path)
			if err == nil {
				return nil
			}
			time.Sleep(time.Second)
		default:
			return errors.New("unknown source")
		}
	}
	return fmt.Errorf("no answer for %s", path) // want `gives up without the last error from s.fetch`
}
