// Package other holds loops that are left alone.
package other

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"time"
)

func get(ctx context.Context, url string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

func more(ctx context.Context, url string) (err error) {
	for attempt := 0; attempt < 4; attempt++ {
		if err = get(ctx, url); err == nil {
			return nil
		}
		log.Print("again")
		time.Sleep(time.Second)
	}
	return err
}

func counted(ctx context.Context, url string) (err error) {
	for attempt := 0; attempt < 4; attempt++ {
		if err = get(ctx, url); err == nil {
			return nil
		}
		time.Sleep(time.Duration(attempt) * time.Second)
	}
	return err
}

func variable(ctx context.Context, url string, n int) (err error) {
	for attempt := 0; attempt < n; attempt++ {
		if err = get(ctx, url); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

func wrapped(ctx context.Context, url string) (err error) {
	for attempt := 0; attempt < 4; attempt++ {
		if err = get(ctx, url); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return fmt.Errorf("no luck: %w", err)
}

func goesOn(ctx context.Context, url string) (err error) {
	for attempt := 0; attempt < 4; attempt++ {
		if err = get(ctx, url); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	log.Print(err)
	return err
}

func elsewhere(ctx context.Context, url string) error {
	var err error
	defer func() { log.Print(err) }()
	for attempt := 0; attempt < 4; attempt++ {
		if err = get(ctx, url); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

func noContext(url string) (err error) {
	for attempt := 0; attempt < 4; attempt++ {
		if _, err = http.Get(url); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

var takenOperation int

func taken(ctx context.Context, url string) (err error) {
	for attempt := 0; attempt < 4; attempt++ {
		if err = get(ctx, url); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

func shadowed(ctx context.Context, url string) (err error) {
	for attempt := 0; attempt < 4; attempt++ {
		if err := get(ctx, url); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}
