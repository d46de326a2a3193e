package silent

import (
	"errors"
	"net/http"
	"time"
)

func Validated(client *http.Client, req *http.Request, attempts int) error {
	if attempts < 1 {
		return errors.New("attempts must be at least 1")
	}
	var err error
	for i := 0; i < attempts; i++ {
		if _, err = client.Do(req); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

func Corrected(client *http.Client, req *http.Request, attempts int) error {
	attempts = max(attempts, 1)
	var err error
	for i := 0; i < attempts; i++ {
		if _, err = client.Do(req); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

func Fails(client *http.Client, req *http.Request, attempts int) error {
	for i := 0; i < attempts; i++ {
		if _, err := client.Do(req); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return errors.New("no answer")
}

func AfterTheFirst(client *http.Client, req *http.Request, attempts int) error {
	for i := 1; ; i++ {
		_, err := client.Do(req)
		if err == nil || i >= attempts {
			return err
		}
		time.Sleep(time.Second)
	}
}

func unexported(client *http.Client, req *http.Request, attempts int) (err error) {
	for i := 0; i < attempts; i++ {
		if _, err = client.Do(req); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

func Three(client *http.Client, req *http.Request) error { return unexported(client, req, 3) }
