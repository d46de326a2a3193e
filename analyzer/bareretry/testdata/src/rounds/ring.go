package rounds

import (
	"container/list"
	"net/http"
	"time"
)

type watched struct {
	hosts *list.List
	conn  *http.Client
	addr  string
}

func (w *watched) ask() (string, error) {
	resp, err := w.conn.Get(w.addr)
	if err != nil {
		return "", err
	}
	return resp.Header.Get("Leader"), resp.Body.Close()
}

func (w *watched) follow(leader string) error {
	resp, err := w.conn.Get(leader)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// Each element once, until the first is there again.
func (w *watched) refresh() (err error) {
	head := w.hosts.Front()
	for e := head; e != nil; {
		w.addr = e.Value.(string)
		var leader string
		if leader, err = w.ask(); err == nil {
			if err = w.follow(leader); err == nil {
				return nil
			}
		}
		w.hosts.MoveToBack(e)
		if e = w.hosts.Front(); e == head {
			break
		}
	}
	return err
}

// The elements go round for ever.
func (w *watched) forever(leader string) error {
	for e := w.hosts.Front(); ; { // want `retries every error from w.follow`
		if err := w.follow(leader); err == nil {
			return nil
		}
		time.Sleep(time.Second)
		if e = e.Next(); e == nil {
			e = w.hosts.Front()
		}
	}
}
