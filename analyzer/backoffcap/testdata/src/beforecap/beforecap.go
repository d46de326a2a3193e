// Package beforecap has waits that overflow before they are limited.
package beforecap

import (
	"context"
	"math"
	"net/http"
	"time"
)

// The shift is negative or nothing before min is asked.
func shiftedBackoff(base, most time.Duration, attempt uint) time.Duration {
	return min(base<<attempt, most) // want `the wait that shiftedBackoff computes overflows before it is limited`
}

func comparedBackoff(base, most time.Duration, attempt uint) time.Duration {
	d := base * (1 << attempt) // want `the wait that comparedBackoff computes overflows before it is limited`
	if d > most {
		d = most
	}
	return d
}

func powerBackoff(base, most time.Duration, attempt int) time.Duration {
	d := time.Duration(float64(base) * math.Pow(2, float64(attempt))) // want `the wait that powerBackoff computes overflows before it is limited`
	if d > most {
		return most
	}
	return d
}

func askedBackoff(base, most time.Duration, attempt uint) time.Duration {
	d := base << attempt
	if d > most || d <= 0 {
		d = most
	}
	return d
}

func fewBackoff(base, most time.Duration, attempt uint) time.Duration {
	return min(base<<min(attempt, 16), most)
}

func checkedBackoff(base, most time.Duration, attempt uint) time.Duration {
	if attempt > 10 {
		return most
	}
	return min(base<<attempt, most)
}

// A float does not wrap.
func floatBackoff(base, most time.Duration, attempt int) time.Duration {
	d := float64(base) * math.Pow(2, float64(attempt))
	if d > float64(most) {
		d = float64(most)
	}
	return time.Duration(d)
}

func leastBackoff(base, most time.Duration, attempt int) time.Duration {
	return time.Duration(math.Min(float64(base)*math.Pow(2, float64(attempt)), float64(most)))
}

func returnedBackoff(base, most time.Duration, attempt int) time.Duration {
	mult := math.Pow(2, float64(attempt)) * float64(base)
	d := time.Duration(mult)
	if float64(d) != mult || d > most {
		d = most
	}
	return d
}

// What is kept stays small.
type kept struct{ cur, most time.Duration }

func (k *kept) NextBackoff() time.Duration {
	d := k.cur
	k.cur = min(k.cur*2, k.most)
	return d
}

func fetch(ctx context.Context, url string) error {
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

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// It goes on until it works, however long that takes.
func forever(ctx context.Context, url string) error {
	for attempt := 0; ; attempt++ {
		err := fetch(ctx, url)
		if err == nil {
			return nil
		}
		if err := pause(ctx, min(time.Second<<attempt, time.Minute)); err != nil { // want `the wait before the next fetch overflows before it is limited`
			return err
		}
	}
}

func counted(ctx context.Context, url string) (err error) {
	for attempt := range 5 {
		if err = fetch(ctx, url); err == nil {
			return nil
		}
		if err := pause(ctx, min(time.Second<<attempt, time.Minute)); err != nil {
			return err
		}
	}
	return err
}

// Its callers make six attempts.
func smallBackoff(attempt int) time.Duration {
	return min(time.Second<<attempt, time.Minute)
}

func six(ctx context.Context, url string) (err error) {
	for attempt := range 6 {
		if err = fetch(ctx, url); err == nil {
			return nil
		}
		if err := pause(ctx, smallBackoff(attempt)); err != nil {
			return err
		}
	}
	return err
}

type policy struct {
	maxRetries int
	base, most time.Duration
}

// It depends on how many retries there are.
func (p policy) delay(retry int) time.Duration {
	return min(p.base<<retry, p.most)
}

func fewerBackoff(attempts int, base, most time.Duration) func(int) time.Duration {
	return func(i int) time.Duration { return min(base<<i, most) }
}

// It is used where nothing counts.
func longBackoff(attempt int) time.Duration {
	return min(time.Second<<attempt, time.Minute) // want `the wait that longBackoff computes overflows before it is limited`
}

func long(ctx context.Context, url string) error {
	for attempt := 0; ; attempt++ {
		err := fetch(ctx, url)
		if err == nil {
			return nil
		}
		if err := pause(ctx, longBackoff(attempt)); err != nil {
			return err
		}
	}
}

// Whoever asks says how far it goes.
func toldBackoff(base, most time.Duration) func(retries, maxRetries int) time.Duration {
	return func(retries, maxRetries int) time.Duration { return min(base<<retries, most) }
}
