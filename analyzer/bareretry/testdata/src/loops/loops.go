package loops

import (
	"context"
	"errors"
	"fmt"
	"log"
	"math/rand"
	"net/http"
	"time"

	"payments"
)

func counted(ctx context.Context, c *payments.Client, o payments.Order) error {
	var err error
	for attempt := 0; attempt < 4; attempt++ { // want `retries every error from c.Charge, so one that is permanent \(a 400, a refused login\) is sent 4 times; decide with errors.Is or errors.As`
		if err = c.Charge(ctx, o); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

func ranged(ctx context.Context, c *payments.Client, o payments.Order) (err error) {
	for range 3 { // want `is sent 3 times`
		err = c.Charge(ctx, o)
		if err == nil {
			break
		}
		log.Printf("charge: %v", err)
		time.Sleep(time.Second)
	}
	return err
}

func countedDown(ctx context.Context, c *payments.Client, o payments.Order) (err error) {
	for left := 5; left > 0; left-- { // want `is sent 5 times`
		if err = c.Charge(ctx, o); err != nil {
			continue
		}
		return nil
	}
	return fmt.Errorf("charge: %w", err)
}

func limitInside(ctx context.Context, c *payments.Client, o payments.Order) error {
	tries := 0
	for { // want `is sent 3 times`
		err := c.Charge(ctx, o)
		if err == nil {
			return nil
		}
		tries++
		if tries >= 3 {
			return err
		}
		time.Sleep(time.Second)
	}
}

func flagged(ctx context.Context, c *payments.Client, o payments.Order) {
	done := false
	for !done { // want `again and again`
		err := c.Charge(ctx, o)
		done = err == nil
		if !done {
			time.Sleep(time.Second)
		}
	}
}

func conditioned(ctx context.Context, c *payments.Client, o payments.Order) {
	err := c.Charge(ctx, o)
	for err != nil { // want `retries every error from c.Charge`
		time.Sleep(time.Second)
		err = c.Charge(ctx, o)
	}
}

func inCondition(ctx context.Context, c *payments.Client, o payments.Order) {
	for c.Charge(ctx, o) != nil { // want `retries every error from c.Charge`
		time.Sleep(time.Second)
	}
}

func inverted(ctx context.Context, c *payments.Client, o payments.Order) error {
	var last error
	for i := 0; ; i++ { // want `is sent 3 times`
		last = c.Charge(ctx, o)
		if nil != last {
			if i+1 == 3 {
				return last
			}
			time.Sleep(time.Second)
		} else {
			return nil
		}
	}
}

func jumping(ctx context.Context, c *payments.Client, o payments.Order) error {
	tries := 0
again: // want `retries every error from c.Charge`
	err := c.Charge(ctx, o)
	if err != nil {
		if tries++; tries < 3 {
			time.Sleep(time.Second)
			goto again
		}
		return err
	}
	return nil
}

func labelled(ctx context.Context, c *payments.Client, o payments.Order) error {
	ticks := make(chan int)
attempts:
	for i := 0; i < 3; i++ { // want `is sent 3 times`
		err := c.Charge(ctx, o)
		if err == nil {
			return nil
		}
		for n := range ticks {
			if n > 3 {
				continue attempts
			}
		}
	}
	return nil
}

func literal(ctx context.Context, c *payments.Client, o payments.Order) {
	go func() {
		for i := 0; i < 3; i++ { // want `is sent 3 times`
			if err := c.Charge(ctx, o); err == nil {
				return
			}
			time.Sleep(time.Second)
		}
	}()
}

func viaHelper(ctx context.Context, c *payments.Client, o payments.Order) (err error) {
	for i := 0; i < 3; i++ { // want `retries every error from charge, .* is sent 3 times`
		if err = charge(ctx, c, o); err == nil {
			return nil
		}
		pause()
	}
	return err
}

func charge(ctx context.Context, c *payments.Client, o payments.Order) error {
	if err := c.Charge(ctx, o); err != nil {
		return fmt.Errorf("charge: %w", err)
	}
	return nil
}

func pause() { time.Sleep(time.Second) }

func param(op func() error) (err error) {
	for i := 0; i < 3; i++ { // want `retries every error from op`
		if err = op(); err == nil {
			return nil
		}
	}
	return err
}

func generic[T any](op func() (T, error)) (v T, err error) {
	for i := 0; i < 3; i++ { // want `retries every error from op`
		if v, err = op(); err == nil {
			return v, nil
		}
	}
	return v, err
}

func get(url string) (resp *http.Response, err error) {
	for i := 0; i < 3; i++ { // want `retries every error from http.Get`
		resp, err = http.Get(url)
		if err == nil {
			return resp, nil
		}
		time.Sleep(time.Second)
	}
	return nil, err
}

func anonymous(ctx context.Context, c *payments.Client, o payments.Order) error {
	for i := 0; i < 3; i++ { // want `is sent 3 times`
		err := func() error {
			ctx, cancel := context.WithTimeout(ctx, time.Second)
			defer cancel()
			return c.Charge(ctx, o)
		}()
		if err == nil {
			return nil
		}
	}
	return nil
}

func withAttempt(ctx context.Context, send func(ctx context.Context, attempt int) error) (err error) {
	for attempt := 1; attempt <= 3; attempt++ { // want `is sent 3 times`
		if err = send(ctx, attempt); err == nil {
			return nil
		}
		time.Sleep(time.Duration(attempt) * time.Second)
	}
	return err
}

// A pool's pick with a bound on attempts is still a retry.
func pooled(ctx context.Context, clients []*payments.Client, o payments.Order) (err error) {
	for i := 0; i < 3; i++ { // want `is sent 3 times`
		c := clients[i%len(clients)]
		if err = c.Charge(ctx, o); err == nil {
			return nil
		}
	}
	return err
}

// Whether the caller gave up says nothing about the failure.
func onlyCancelled(ctx context.Context, c *payments.Client, o payments.Order) (err error) {
	for i := 0; i < 3; i++ { // want `is sent 3 times`
		err = c.Charge(ctx, o)
		if err == nil || errors.Is(err, context.Canceled) {
			return err
		}
	}
	return err
}

// The next attempt's number is one up.
func numbered(ctx context.Context, send func(attempt int) error) (err error) {
	for attempt := 0; attempt < 3; attempt++ { // want `is sent 3 times`
		if err = send(attempt + 1); err == nil {
			return nil
		}
	}
	return err
}

// A counter beside the error is no look at it, and a generator is no draw.
func counterBeside(seed int64, send func(r *rand.Rand) error) (err error) {
	for attempt := 0; attempt == 0 || err != nil && attempt < 4; attempt++ { // want `retries every error from send`
		r := rand.New(rand.NewSource(seed))
		err = send(r)
	}
	return err
}

func pickClient(clients []*payments.Client, last *payments.Client) *payments.Client {
	if clients[0] == last {
		return clients[1]
	}
	return clients[0]
}

// An error that is the order's own fault is had from each that is picked.
func another(ctx context.Context, clients []*payments.Client, o payments.Order) (err error) {
	var c *payments.Client
	for i := 0; i < 3; i++ { // want `is sent 3 times`
		c = pickClient(clients, c)
		if err = c.Charge(ctx, o); err == nil {
			return nil
		}
	}
	return err
}

// Nobody asks whether the other call did any good, and it goes on after a failure
// of any kind.
func noted(ctx context.Context, c *payments.Client, o payments.Order) (err error) {
	for i := 0; i < 2; i++ { // want `is sent 2 times`
		if err = c.Charge(ctx, o); err == nil {
			break
		}
		if other := c.Cancel(ctx, o); other != nil {
			log.Print(other)
		}
	}
	return err
}

// The other call does not stand on every way back.
func sometimes(ctx context.Context, c *payments.Client, o payments.Order, held bool) (err error) {
	for i := 0; i < 2; i++ { // want `is sent 2 times`
		if err = c.Charge(ctx, o); err == nil {
			break
		}
		if held {
			if err = c.Cancel(ctx, o); err != nil {
				break
			}
		}
	}
	return err
}
