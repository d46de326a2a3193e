// Package owned has loops of which somebody waits for what they give.
package owned

import (
	"errors"
	"log"
	"net/http"
	"time"
)

var errAgain = errors.New("again")

func again(err error) bool { return errors.Is(err, errAgain) }

func Execute(fn func() error) (err error) {
	for { // want `retries fn for as long as it fails`
		err = fn()
		if err == nil || !again(err) {
			return err
		}
	}
}

// A connection that is kept for as long as its owner lives.
type keeper struct{ url string }

func keep(url string) {
	k := &keeper{url}
	go k.run()
}

func (k *keeper) run() {
	for {
		_, err := http.Get(k.url)
		if err == nil {
			return
		}
		log.Print(err)
		time.Sleep(time.Second)
	}
}

func ask(url string) error {
	resp, err := http.Get(url)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

func note(tries *int, err error) error {
	log.Print(err)
	time.Sleep(time.Second)
	*tries++
	return err
}

// What it is handed counts the attempts.
func counted(url string) (last error) {
	tries := 0
	for tries < 3 {
		err := ask(url)
		if err == nil {
			return nil
		}
		last = note(&tries, err)
	}
	return last
}
