// Package idle looks at what failed, and goes on whatever it was.
package idle

import (
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"time"
)

func logged(url string) (resp *http.Response, err error) {
	for i := 0; i < 3; i++ { // want `retries every error from http.Get`
		resp, err = http.Get(url)
		if err == nil {
			return resp, nil
		}
		var ne net.Error
		if errors.As(err, &ne) && ne.Timeout() {
			log.Println("timed out")
		} else {
			log.Println("failed", err)
		}
		time.Sleep(time.Second)
	}
	return nil, err
}

var closed int

func counted(url string) (resp *http.Response, err error) {
	short := 0
	for i := 0; i < 3; i++ { // want `retries every error from http.Get`
		resp, err = http.Get(url)
		if err == nil {
			return resp, nil
		}
		if errors.Is(err, io.EOF) {
			closed++
		}
		if errors.Is(err, io.ErrUnexpectedEOF) {
			short++
			log.Print(short)
		}
		time.Sleep(time.Second)
	}
	return nil, err
}

func wrapped(url string) (resp *http.Response, err error) {
	for i := 0; i < 3; i++ { // want `retries every error from http.Get`
		resp, err = http.Get(url)
		if err == nil {
			return resp, nil
		}
		switch {
		case errors.Is(err, io.EOF):
			err = fmt.Errorf("closed: %w", err)
		default:
			err = fmt.Errorf("other: %w", err)
		}
		time.Sleep(time.Second)
	}
	return nil, err
}

// Silent: how often it was seen decides.
func enough(url string) (resp *http.Response, err error) {
	timeouts := 0
	for i := 0; i < 9; i++ {
		resp, err = http.Get(url)
		if err == nil {
			return resp, nil
		}
		if errors.Is(err, io.ErrUnexpectedEOF) {
			timeouts++
		}
		if timeouts > 2 {
			break
		}
		time.Sleep(time.Second)
	}
	return nil, err
}

// Silent: what was seen is asked for after the loop.
func after(url, other string) (resp *http.Response, err error) {
	refused := 0
	for i := 0; i < 3; i++ {
		resp, err = http.Get(url)
		if err == nil {
			return resp, nil
		}
		if errors.Is(err, io.EOF) {
			refused++
		}
		time.Sleep(time.Second)
	}
	if refused == 3 {
		return http.Get(other)
	}
	return nil, err
}

// Silent: it waits longer after some than after others.
func longer(url string) (resp *http.Response, err error) {
	for i := 0; i < 3; i++ {
		resp, err = http.Get(url)
		if err == nil {
			return resp, nil
		}
		d := time.Second
		if errors.Is(err, io.EOF) {
			d = 2 * time.Second
		}
		time.Sleep(d)
	}
	return nil, err
}

// Silent: one of the ways leaves.
func leaves(url string) (resp *http.Response, err error) {
	for i := 0; i < 3; i++ {
		resp, err = http.Get(url)
		if err == nil {
			return resp, nil
		}
		if errors.Is(err, io.EOF) {
			log.Print("closed")
		} else {
			break
		}
		time.Sleep(time.Second)
	}
	return nil, err
}

type logger interface {
	Fatalf(format string, args ...any)
}

// Silent: the process ends there.
func fatal(url string, l logger) (resp *http.Response, err error) {
	for i := 0; i < 3; i++ {
		resp, err = http.Get(url)
		if err == nil {
			return resp, nil
		}
		if !errors.Is(err, io.EOF) {
			l.Fatalf("no way: %v", err)
		}
		time.Sleep(time.Second)
	}
	return nil, err
}

// A redirect is no failure.
func follows(c *http.Client, url string) (resp *http.Response, err error) {
	for i := 0; i < 5; i++ { // want `retries every error from c.Get`
		resp, err = c.Get(url)
		if err != nil {
			log.Print(err)
			time.Sleep(time.Second)
			continue
		}
		if resp.StatusCode == http.StatusTemporaryRedirect {
			url = resp.Header.Get("Location")
			resp.Body.Close()
			continue
		}
		return resp, nil
	}
	return nil, err
}

type client struct {
	http  *http.Client
	again map[int]bool
}

// Silent: a table says which are transient.
func (c *client) table(url string) (*http.Response, error) {
	for i := 0; ; i++ {
		resp, err := c.http.Get(url)
		if err != nil {
			return nil, err
		}
		if !c.again[resp.StatusCode] || i == 3 {
			return resp, nil
		}
		resp.Body.Close()
		time.Sleep(time.Second)
	}
}
