package silent

import (
	"context"
	"errors"
	"net"
	"net/http"
	"time"
)

// Silent: what went well comes back as well.
func worker(ctx context.Context, client *http.Client, requests func() *http.Request) {
	for {
		action := "next"
		if _, err := client.Do(requests()); err != nil {
			action = "again"
		}
		if action != "next" && action != "again" {
			return
		}
		time.Sleep(time.Second)
	}
}

// Silent: each is another one, and the first that is there will do.
func first(n int, get func(i int) error) (err error) {
	for i := 0; i < n; i++ {
		if err = get(i); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

type store interface {
	Find(id string) (string, error)
}

type table map[string]string

func (t table) Find(id string) (string, error) {
	if t[id] == "" {
		return "", errMissing
	}
	return t[id], nil
}

var errMissing, errNotReady = errors.New("missing"), errors.New("not ready")

// Silent: what is not ready is waited for.
func awaited(addr string) (conn net.Conn, err error) {
	for i := 0; i < 4; i++ {
		if conn, err = net.Dial("tcp", addr); !errors.Is(err, errNotReady) {
			break
		}
		time.Sleep(time.Second)
	}
	return conn, err
}

// Silent: it may be a look into memory.
func find(s store, id string) string {
	for {
		if name, err := s.Find(id); err == nil {
			return name
		}
		time.Sleep(time.Second)
	}
}
