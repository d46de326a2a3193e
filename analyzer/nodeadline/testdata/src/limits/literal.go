package limits

import (
	"context"
	"net/http"
	"time"
)

func literal(url string) (err error) {
	for range 3 { // want `retries http.Get with no limit on the time`
		err = func() error {
			resp, err := http.Get(url)
			if err != nil {
				return err
			}
			return resp.Body.Close()
		}()
		if err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

func literalOfCaller(ctx context.Context, client *http.Client, url string) (err error) {
	for range 3 {
		err = func() error {
			req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
			if err != nil {
				return err
			}
			resp, err := client.Do(req)
			if err != nil {
				return err
			}
			return resp.Body.Close()
		}()
		if err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

func literalWithTimeout(client *http.Client, url string) (err error) {
	for range 3 {
		err = func() error {
			ctx, cancel := context.WithTimeout(context.Background(), time.Second)
			defer cancel()
			req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
			if err != nil {
				return err
			}
			resp, err := client.Do(req)
			if err != nil {
				return err
			}
			return resp.Body.Close()
		}()
		if err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}
