package fix

import (
	"context"
	"net/http"

	"github.com/google/uuid"

	"payments"
)

func header(client *http.Client, url string) (resp *http.Response, err error) {
	for i := 0; i < 3; i++ {
		req, err := http.NewRequest("POST", url, nil)
		if err != nil {
			return nil, err
		}
		req.Header.Set("Idempotency-Key", uuid.NewString()) // want `makes a new Idempotency-Key`
		if resp, err = client.Do(req); err == nil {
			return resp, nil
		}
	}
	return nil, err
}

func nested(ctx context.Context, c *payments.Client, orders []payments.Order) (err error) {
	for range orders {
		for i := 0; i < 3; i++ {
			if err = c.Refund(ctx, "r-"+uuid.New().String(), 100); err == nil { // want `makes a new idempotencyKey`
				break
			}
		}
	}
	return err
}

// The error beside the id has no place before the loop.
func withError(ctx context.Context, c *payments.Client) (err error) {
	for i := 0; i < 3; i++ {
		id, _ := uuid.NewRandom() // want `makes a new idempotencyKey`
		if err = c.Refund(ctx, id.String(), 100); err == nil {
			return nil
		}
	}
	return err
}
