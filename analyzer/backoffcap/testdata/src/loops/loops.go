package loops

import (
	"net/http"
	"time"
)

func grows(client *http.Client, req *http.Request, attempts int) (resp *http.Response, err error) {
	delay := 100 * time.Millisecond
	for i := 0; i < attempts; i++ {
		if resp, err = client.Do(req); err == nil {
			return resp, nil
		}
		time.Sleep(delay) // want `the wait before the next client.Do doubles without limit, until it takes hours or wraps to a negative number; limit it with min`
		delay *= 2
	}
	return nil, err
}

func compared(client *http.Client, req *http.Request, attempts int) (resp *http.Response, err error) {
	delay := 100 * time.Millisecond
	for i := 0; i < attempts; i++ {
		if resp, err = client.Do(req); err == nil {
			return resp, nil
		}
		time.Sleep(delay)
		if delay *= 2; delay > time.Minute {
			delay = time.Minute
		}
	}
	return nil, err
}

func limited(client *http.Client, req *http.Request, attempts int) (resp *http.Response, err error) {
	delay := 100 * time.Millisecond
	for i := 0; i < attempts; i++ {
		if resp, err = client.Do(req); err == nil {
			return resp, nil
		}
		time.Sleep(delay)
		delay = min(delay*2, time.Minute)
	}
	return nil, err
}

func stopsGrowing(client *http.Client, req *http.Request, attempts int) (resp *http.Response, err error) {
	delay := time.Second
	for i := 0; i < attempts; i++ {
		if resp, err = client.Do(req); err == nil {
			return resp, nil
		}
		time.Sleep(delay)
		if i <= 4 {
			delay *= 2
		}
	}
	return nil, err
}

func few(client *http.Client, req *http.Request) (resp *http.Response, err error) {
	for i := range 5 {
		if resp, err = client.Do(req); err == nil {
			return resp, nil
		}
		time.Sleep(time.Second << i)
	}
	return nil, err
}

func many(client *http.Client, req *http.Request) (resp *http.Response, err error) {
	for i := range 20 {
		if resp, err = client.Do(req); err == nil {
			return resp, nil
		}
		time.Sleep(time.Second << i) // want `doubles without limit`
	}
	return nil, err
}

func linear(client *http.Client, req *http.Request, attempts int) (resp *http.Response, err error) {
	for i := 0; i < attempts; i++ {
		if resp, err = client.Do(req); err == nil {
			return resp, nil
		}
		time.Sleep(time.Duration(i) * time.Second)
	}
	return nil, err
}
