package shadow

import (
	"fmt"
	"net/http"
	"time"
)

func redeclared(client *http.Client, req *http.Request) (*http.Response, error) {
	var err error
	for i := 0; i < 3; i++ {
		resp, err := client.Do(req)
		if err == nil {
			return resp, nil
		}
		time.Sleep(time.Second)
	}
	return nil, fmt.Errorf("giving up: %w", err) // want `err is declared anew in the loop, so the one that is returned here is always nil; assign with = there`
}

// A named result is no different.
func named(client *http.Client, req *http.Request) (resp *http.Response, err error) {
	for i := 0; i < 3; i++ {
		resp, err := client.Do(req)
		if err == nil {
			return resp, nil
		}
		time.Sleep(time.Second)
	}
	return nil, err // want `err is declared anew in the loop, so the one that is returned here is always nil; assign with = there`
}

func assigned(client *http.Client, req *http.Request) (resp *http.Response, err error) {
	for i := 0; i < 3; i++ {
		resp, err = client.Do(req)
		if err == nil {
			return resp, nil
		}
		time.Sleep(time.Second)
	}
	return nil, err
}
