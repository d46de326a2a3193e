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

type state uint32

const (
	stateOK  state = 0
	stateBad state = 1
)

type reply struct{ state state }

func (l *lock) step() (*reply, error) {
	resp, err := l.client.Get("http://localhost/step")
	if err != nil {
		return nil, err
	}
	return &reply{}, resp.Body.Close()
}

// It goes on to the next step where the one before went well.
func (l *lock) steps() error {
	for {
		r, err := l.step()
		if err == ErrKeyExists {
			return nil
		}
		if err != nil {
			return err
		}
		if status := r.state; status != stateOK {
			return errors.New("bad state")
		}
		time.Sleep(time.Second)
	}
}

// It goes back as long as it goes badly.
func (l *lock) settles() error {
	for { // want `retries l.step for as long as it fails`
		r, err := l.step()
		if err != nil {
			continue
		}
		if status := r.state; status != stateBad {
			return nil
		}
		time.Sleep(time.Second)
	}
}
