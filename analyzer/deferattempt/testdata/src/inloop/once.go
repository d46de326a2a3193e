package inloop

import (
	"net/http"
	"time"
)

// The timer is made in the first round and is there in the others.
func once(client *http.Client, req *http.Request, n int) (resp *http.Response, err error) {
	var timer *time.Timer
	for range n {
		if resp, err = client.Do(req); err == nil {
			break
		}
		if timer == nil {
			timer = time.NewTimer(time.Second)
			defer timer.Stop()
		} else {
			timer.Reset(time.Second)
		}
		<-timer.C
	}
	return resp, err
}

func each(client *http.Client, req *http.Request, n int) (resp *http.Response, err error) {
	for range n {
		var timer *time.Timer
		if resp, err = client.Do(req); err == nil {
			break
		}
		if timer == nil {
			timer = time.NewTimer(time.Second)
			defer timer.Stop() // want `this defer runs when the function returns`
		}
		<-timer.C
	}
	return resp, err
}
