package asked

import (
	"context"
	"net/http"
	"time"
)

// What can't end need not be asked.
func detached(ctx context.Context, client *http.Client, req *http.Request) (err error) {
	ctx = context.WithoutCancel(ctx)
	for range 3 {
		if _, err = client.Do(req.WithContext(ctx)); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

func attached(ctx context.Context, client *http.Client, req *http.Request) (err error) {
	for range 3 { // want `retries client.Do even when ctx has ended`
		if _, err = client.Do(req.WithContext(ctx)); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}
