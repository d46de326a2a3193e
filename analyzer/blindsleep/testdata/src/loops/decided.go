package loops

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"
)

var errBusy = errors.New("busy")

// The loop tells itself in a text what to do.
func inText(ctx context.Context, client *http.Client, req *http.Request) (resp *http.Response, err error) {
	for try := 0; try < 4; try++ {
		if try > 0 {
			time.Sleep(time.Second) // want `waits 1s with time.Sleep before retrying client.Do`
		}
		resp, err = client.Do(req)
		action := ""
		switch {
		case ctx.Err() != nil:
			action = "stop: cancelled"
		case err != nil:
			if errors.Is(err, errBusy) {
				action = "retry: busy"
			} else {
				action = "stop: permanent"
			}
		default:
			action = "stop: done"
		}
		if action[0] != 'r' {
			break
		}
	}
	return resp, err
}

func byPrefix(ctx context.Context, client *http.Client, req *http.Request) (resp *http.Response, err error) {
	for {
		resp, err = client.Do(req)
		action := "stop"
		if errors.Is(err, errBusy) {
			action = "retry, busy"
		}
		if !strings.HasPrefix(action, "retry") {
			return resp, err
		}
		time.Sleep(time.Second) // want `waits 1s with time.Sleep before retrying client.Do`
	}
}

type verdict int

const (
	giveUp verdict = iota
	again
)

func inVerdict(ctx context.Context, client *http.Client, req *http.Request) (resp *http.Response, err error) {
	for {
		resp, err = client.Do(req)
		v := giveUp
		if errors.Is(err, errBusy) {
			v = again
		}
		switch v {
		case giveUp:
			return resp, err
		case again:
			time.Sleep(time.Second) // want `waits 1s with time.Sleep before retrying client.Do`
		}
	}
}

// A function may be told which attempt it is.
func Attempt(n int, f func(i int) error) (err error) {
	for i := 0; i < n; i++ {
		if err = f(i); err == nil {
			return nil
		}
		time.Sleep(time.Second) // want `waits 1s with time.Sleep before retrying f, and nothing can interrupt it`
	}
	return err
}

type redirect struct{ to string }

func (r *redirect) Error() string { return "moved to " + r.to }

func asRedirect(err error) *redirect {
	var r *redirect
	errors.As(err, &r)
	return r
}

// Of no error nothing is made.
func redirected(client *http.Client, req *http.Request) (resp *http.Response, err error) {
	for i := 0; i < 4; i++ {
		resp, err = client.Do(req)
		moved := asRedirect(err)
		if moved == nil {
			if errors.Is(err, errBusy) {
				time.Sleep(time.Second) // want `waits 1s with time.Sleep before retrying client.Do`
				continue
			}
			return resp, err
		}
		req.URL.Host = moved.to
	}
	return nil, err
}

var errNotReady, errReadFailed = errors.New("not ready"), errors.New("read failed")

// One of them says that it failed.
func failing(client *http.Client, req *http.Request) (resp *http.Response, err error) {
	for i := 0; i < 4; i++ {
		resp, err = client.Do(req)
		if errors.Is(err, errReadFailed) {
			time.Sleep(time.Second) // want `waits 1s with time.Sleep before retrying client.Do`
			continue
		}
		if !errors.Is(err, errNotReady) {
			break
		}
	}
	return resp, err
}

func inTwo() (string, string) { return "retry", "re" }

// Both parts of the question come from one call.
func bySpread(ctx context.Context, client *http.Client, req *http.Request) (resp *http.Response, err error) {
	for try := 0; try < 4; try++ {
		if resp, err = client.Do(req); err == nil || !strings.HasPrefix(inTwo()) {
			return resp, err
		}
		time.Sleep(time.Second) // want `waits 1s with time.Sleep before retrying client.Do`
	}
	return nil, err
}

func late(err error, try int) bool { return try > 3 && err != nil }

// More texts than can be followed one by one: 2^12 paths.
func inManyTexts(ctx context.Context, client *http.Client, req *http.Request) (resp *http.Response, err error) {
	for try := 0; try < 4; try++ {
		if resp, err = client.Do(req); err == nil {
			return resp, nil
		}
		a := "x"
		if late(err, try) {
			a = "y"
		}
		b := "x"
		if late(err, try) {
			b = "y"
		}
		c := "x"
		if late(err, try) {
			c = "y"
		}
		d := "x"
		if late(err, try) {
			d = "y"
		}
		e := "x"
		if late(err, try) {
			e = "y"
		}
		f := "x"
		if late(err, try) {
			f = "y"
		}
		g := "x"
		if late(err, try) {
			g = "y"
		}
		h := "x"
		if late(err, try) {
			h = "y"
		}
		i := "x"
		if late(err, try) {
			i = "y"
		}
		j := "x"
		if late(err, try) {
			j = "y"
		}
		k := "x"
		if late(err, try) {
			k = "y"
		}
		l := "x"
		if late(err, try) {
			l = "y"
		}
		if a == "z" {
			println(try)
		}
		if b == "z" {
			println(try)
		}
		if c == "z" {
			println(try)
		}
		if d == "z" {
			println(try)
		}
		if e == "z" {
			println(try)
		}
		if f == "z" {
			println(try)
		}
		if g == "z" {
			println(try)
		}
		if h == "z" {
			println(try)
		}
		if i == "z" {
			println(try)
		}
		if j == "z" {
			println(try)
		}
		if k == "z" {
			println(try)
		}
		if l == "z" {
			println(try)
		}
		time.Sleep(time.Second) // want `waits 1s with time.Sleep before retrying client.Do`
	}
	return nil, err
}
