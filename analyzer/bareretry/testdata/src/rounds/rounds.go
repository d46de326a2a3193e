// Package rounds has targets that move, though not because of a failure, or not
// for good.
package rounds

import (
	"fmt"
	"log"
	"net"
	"net/http"
	"time"
)

type cluster struct{ hosts []string }

// The first host comes again after the last one.
func (c *cluster) again(cl *http.Client, path string) (*http.Response, error) {
	i := 0
	for { // want `retries every error from cl.Get`
		resp, err := cl.Get(c.hosts[i] + path)
		if err == nil {
			return resp, nil
		}
		i++
		if i == len(c.hosts) {
			i = 0
			time.Sleep(time.Second)
		}
	}
}

func (c *cluster) modulo(cl *http.Client, path string) (*http.Response, error) {
	i := 0
	for { // want `retries every error from cl.Get`
		resp, err := cl.Get(c.hosts[i] + path)
		if err == nil {
			return resp, nil
		}
		i = (i + 1) % len(c.hosts)
		time.Sleep(time.Second)
	}
}

// Silent: each is tried once.
func (c *cluster) once(cl *http.Client, path string) (*http.Response, error) {
	i := 0
	for {
		resp, err := cl.Get(c.hosts[i] + path)
		if err == nil {
			return resp, nil
		}
		i++
		if i == len(c.hosts) {
			return nil, err
		}
	}
}

// Silent: each is tried once, beginning anywhere.
func (c *cluster) from(cl *http.Client, path string, start int) (resp *http.Response, err error) {
	for n := 0; n < len(c.hosts); n++ {
		resp, err = cl.Get(c.hosts[(start+n)%len(c.hosts)] + path)
		if err == nil {
			return resp, nil
		}
	}
	return nil, err
}

// Silent: it serves one host after the other for ever.
func (c *cluster) watch(cl *http.Client, path string) {
	for i := 0; ; i = (i + 1) % len(c.hosts) {
		resp, err := cl.Get(c.hosts[i] + path)
		if err != nil {
			log.Print(err)
			continue
		}
		resp.Body.Close()
		time.Sleep(time.Minute)
	}
}

func send(url string, from int64) (int64, error) {
	resp, err := http.Post(url, "application/octet-stream", nil)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	return resp.ContentLength - from, nil
}

// A part that failed is sent again.
func upload(url string, size int64) error {
	done := int64(0)
	for done < size { // want `retries every error from send`
		n, err := send(url, done)
		if err != nil {
			log.Print(err)
			time.Sleep(time.Second)
			continue
		}
		done += n
	}
	return nil
}

type page struct{ items []string }

func entries(url string, from, to int64) (*page, error) {
	resp, err := http.Get(fmt.Sprintf("%s?from=%d&to=%d", url, from, to))
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	return &page{}, nil
}

type span struct{ start, end int64 }

// What came is counted.
func fetch(url string, r span, each func([]string)) {
	for r.start <= r.end { // want `retries every error from entries`
		p, err := entries(url, r.start, r.end)
		if err != nil {
			log.Print(err)
			continue
		}
		each(p.items)
		r.start += int64(len(p.items))
	}
}

// Silent: what failed is left out.
func fetchSome(url string, r span, each func([]string)) {
	for r.start <= r.end {
		p, err := entries(url, r.start, r.end)
		r.start += 100
		if err != nil {
			log.Print(err)
			continue
		}
		each(p.items)
	}
}

// Silent: it ends with the first failure.
func strict(url string, size int64) error {
	done := int64(0)
	for done < size {
		n, err := send(url, done)
		if err != nil {
			return err
		}
		done += n
	}
	return nil
}

// Silent: what was read before the failure counts as well.
func fill(c net.Conn, p []byte) (n int, err error) {
	for n < len(p) {
		var m int
		m, err = c.Read(p[n:])
		n += m
		if ne, ok := err.(net.Error); err != nil && !(ok && ne.Timeout()) {
			return n, err
		}
	}
	return n, nil
}

type update struct{ id int }

func updates(cl *http.Client, offset int) ([]update, error) {
	resp, err := cl.Get("https://bot.example.com/updates")
	if err != nil {
		return nil, err
	}
	return make([]update, offset), resp.Body.Close()
}

// Silent: what others send is taken for as long as the bot lives.
func poll(cl *http.Client, ch chan<- update) {
	offset := 0
	for {
		list, err := updates(cl, offset)
		if err != nil {
			log.Print(err)
			time.Sleep(time.Second)
			continue
		}
		for _, u := range list {
			offset = u.id + 1
			ch <- u
		}
	}
}
