package contains

import (
	"log"
	"net/http"
	"strings"
	"time"
)

var transientTexts = []string{"i/o timeout", "broken pipe"}

func flagged(c *http.Client, req *http.Request) error {
	var err error
	for range 3 {
		if _, err = c.Do(req); err == nil {
			return nil
		}
		again := false
		for _, text := range transientTexts {
			if strings.HasSuffix(err.Error(), text) { // want `whether to retry is decided by the text of err`
				again = true
			}
		}
		if !again {
			break
		}
		time.Sleep(time.Second)
	}
	return err
}

func labelled(c *http.Client, req *http.Request) error {
	var err error
outer:
	for range 3 {
		if _, err = c.Do(req); err == nil {
			return nil
		}
		for _, text := range transientTexts {
			if strings.Contains(err.Error(), text) { // want `whether to retry is decided by the text of err`
				time.Sleep(time.Second)
				continue outer
			}
		}
		return err
	}
	return err
}

// What is found is only shown.
func shown(c *http.Client, req *http.Request) error {
	var err error
	for range 3 {
		if _, err = c.Do(req); err == nil {
			return nil
		}
		known := false
		for _, text := range transientTexts {
			if strings.Contains(err.Error(), text) {
				known = true
			}
		}
		if known {
			log.Print("a known failure")
		}
		time.Sleep(time.Second)
	}
	return err
}
