package loops

import (
	"context"
	"database/sql"
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
		req.Header.Set("Idempotency-Key", uuid.NewString()) // want `makes a new Idempotency-Key with uuid.NewString for each attempt, so the server can't tell a retry of client.Do from a second request; make it once, before the retry`
		if resp, err = client.Do(req); err == nil {
			return resp, nil
		}
	}
	return nil, err
}

func field(ctx context.Context, c *payments.Client) (err error) {
	for i := 0; i < 3; i++ {
		o := payments.Order{IdempotencyKey: uuid.New().String()} // want `makes a new IdempotencyKey with uuid.New`
		if err = c.Charge(ctx, o); err == nil {
			return nil
		}
	}
	return err
}

func primaryKey(ctx context.Context, c *payments.Client) (err error) {
	for i := 0; i < 3; i++ {
		if err = c.Charge(ctx, payments.Order{ID: uuid.NewString()}); err == nil { // want `makes a new ID with`
			return nil
		}
	}
	return err
}

func argument(ctx context.Context, c *payments.Client) (err error) {
	for i := 0; i < 3; i++ {
		if err = c.Refund(ctx, "refund-"+uuid.NewString(), 100); err == nil { // want `makes a new idempotencyKey`
			return nil
		}
	}
	return err
}

func variable(ctx context.Context, c *payments.Client) (err error) {
	for i := 0; i < 3; i++ {
		id, _ := uuid.NewRandom() // want `makes a new idempotencyKey`
		key := id.String()
		if err = c.Refund(ctx, key, 100); err == nil {
			return nil
		}
	}
	return err
}

func viaMaker(ctx context.Context, c *payments.Client) (err error) {
	for i := 0; i < 3; i++ {
		if err = c.Refund(ctx, newKey(), 100); err == nil { // want `makes a new idempotencyKey with newKey`
			return nil
		}
	}
	return err
}

func newKey() string { return "k-" + uuid.NewString() }

func viaAttempt(ctx context.Context, c *payments.Client) (err error) {
	for i := 0; i < 3; i++ {
		if err = attempt(ctx, c); err == nil {
			return nil
		}
	}
	return err
}

func attempt(ctx context.Context, c *payments.Client) error {
	return c.Refund(ctx, uuid.NewString(), 100) // want `makes a new idempotencyKey with uuid.NewString in attempt, so for each attempt`
}

func insert(ctx context.Context, db *sql.DB) (err error) {
	for i := 0; i < 3; i++ {
		_, err = db.ExecContext(ctx, "INSERT INTO orders (id) VALUES ($1)", uuid.New()) // want `makes a new id for the INSERT with uuid.New for each attempt`
		if err == nil {
			return nil
		}
	}
	return err
}
