package silent

import (
	"context"
	"errors"
	"log"
	"net/http"

	"github.com/google/uuid"

	"payments"
)

func outside(ctx context.Context, c *payments.Client) (err error) {
	key := uuid.NewString()
	for i := 0; i < 3; i++ {
		if err = c.Refund(ctx, key, 100); err == nil {
			return nil
		}
	}
	return err
}

func once(ctx context.Context, c *payments.Client) (err error) {
	var key string
	for i := 0; i < 3; i++ {
		if key == "" {
			key = uuid.NewString()
		}
		if err = c.Refund(ctx, key, 100); err == nil {
			return nil
		}
	}
	return err
}

func perItem(ctx context.Context, c *payments.Client, orders []payments.Order) {
	for _, o := range orders {
		o.IdempotencyKey = uuid.NewString()
		if err := c.Charge(ctx, o); err != nil {
			log.Print(err)
		}
	}
}

func logged(ctx context.Context, c *payments.Client, o payments.Order) (err error) {
	for i := 0; i < 3; i++ {
		log.Print("attempt ", uuid.NewString())
		if err = c.Charge(ctx, o); err == nil {
			return nil
		}
	}
	return err
}

func traced(client *http.Client, req *http.Request) (resp *http.Response, err error) {
	for i := 0; i < 3; i++ {
		req.Header.Set("Traceparent", uuid.NewString())
		req.Header.Set("X-Request-Id", uuid.NewString())
		if resp, err = client.Do(req); err == nil {
			return resp, nil
		}
	}
	return nil, err
}

func collision(ctx context.Context, c *payments.Client) (err error) {
	for i := 0; i < 3; i++ {
		err = c.Create(ctx, uuid.NewString())
		if !errors.Is(err, payments.ErrExists) {
			return err
		}
	}
	return err
}
