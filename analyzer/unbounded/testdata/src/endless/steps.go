package endless

import (
	"errors"
	"fmt"
	"net/http"
	"time"
)

type lock struct{ client *http.Client }

// last says whether nobody is before us; it waits while somebody is.
func (l *lock) last() (bool, error) {
	resp, err := l.client.Get("http://localhost/queue")
	if err != nil {
		return false, err
	}
	defer resp.Body.Close()
	return resp.ContentLength == 0, nil
}

// A failure leaves; what comes back is "not yet".
func (l *lock) acquire() error {
	for {
		if done, err := l.last(); done || err != nil {
			return err
		}
	}
}

var ErrKeyExists = errors.New("key exists")

func (l *lock) put(key string) error {
	resp, err := l.client.Get("http://localhost/put/" + key)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode == http.StatusConflict {
		return ErrKeyExists
	}
	return nil
}

// The next name is tried, not the same one again.
func (l *lock) unique() (string, error) {
	for {
		key := fmt.Sprintf("%d", time.Now().UnixNano())
		err := l.put(key)
		if err == nil {
			return key, nil
		}
		if !errors.Is(err, ErrKeyExists) {
			return "", err
		}
	}
}
