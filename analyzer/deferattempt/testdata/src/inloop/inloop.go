package inloop

import (
	"net/http"
	"time"
)

func held(client *http.Client, req *http.Request) (err error) {
	for range 3 {
		var resp *http.Response
		resp, err = client.Do(req)
		if resp != nil {
			defer resp.Body.Close() // want `this defer runs when the function returns, not after the attempt, so that each failed client.Do leaves its resource open meanwhile; move the attempt into a function of its own`
		}
		if err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

func onSuccess(client *http.Client, req *http.Request) (err error) {
	for range 3 {
		var resp *http.Response
		resp, err = client.Do(req)
		if err == nil {
			defer resp.Body.Close()
			break
		}
		time.Sleep(time.Second)
	}
	return err
}

func inClosure(client *http.Client, req *http.Request) (err error) {
	for range 3 {
		err = func() error {
			resp, err := client.Do(req)
			if err != nil {
				return err
			}
			defer resp.Body.Close()
			return nil
		}()
		if err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

// What is deferred only measures.
func measured(client *http.Client, req *http.Request, observe func(time.Duration)) (err error) {
	for range 3 {
		start := time.Now()
		defer func() {
			observe(time.Since(start))
		}()
		if _, err = client.Do(req); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

func measuredAndHeld(client *http.Client, req *http.Request, observe func(time.Duration)) (err error) {
	for range 3 {
		start := time.Now()
		resp, failed := client.Do(req)
		if resp != nil {
			defer func() { // want `this defer runs when the function returns`
				observe(time.Since(start))
				resp.Body.Close()
			}()
		}
		if err = failed; err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}
