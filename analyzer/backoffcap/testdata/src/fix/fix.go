package fix

import (
	"math"
	"net/http"
	"time"
)

func product(client *http.Client, req *http.Request, attempts int) (resp *http.Response, err error) {
	delay := 100 * time.Millisecond
	for i := 0; i < attempts; i++ {
		if resp, err = client.Do(req); err == nil {
			return resp, nil
		}
		time.Sleep(delay) // want `doubles without limit`
		delay *= 2
	}
	return nil, err
}

func factor(client *http.Client, req *http.Request, attempts int) (resp *http.Response, err error) {
	delay := time.Second
	for i := 0; i < attempts; i++ {
		if resp, err = client.Do(req); err == nil {
			return resp, nil
		}
		time.Sleep(delay) // want `doubles without limit`
		delay = time.Duration(float64(delay) * 1.5)
	}
	return nil, err
}

func shift(client *http.Client, req *http.Request, attempts int) (resp *http.Response, err error) {
	for i := 0; i < attempts; i++ {
		if resp, err = client.Do(req); err == nil {
			return resp, nil
		}
		time.Sleep(time.Second << i) // want `doubles without limit`
	}
	return nil, err
}

func shiftBackoff(attempt uint) time.Duration {
	return time.Duration(1<<attempt) * 100 * time.Millisecond // want `doubles without limit`
}

func powerBackoff(attempt int) time.Duration {
	return time.Duration(math.Pow(2, float64(attempt))) * time.Second // want `doubles without limit`
}

type Backoff struct{ current time.Duration }

func (b *Backoff) Next() time.Duration {
	d := b.current
	b.current *= 2 // want `doubles without limit`
	return d
}

// A longer wait than the limit of the fix is meant: no fix.
func LongBackoff(attempt uint) time.Duration {
	return time.Minute << attempt // want `doubles without limit`
}

// A larger base overflows sooner than the fix allows for: no fix.
func PowerOfTenBackoff(attempt int) time.Duration {
	return time.Duration(math.Pow(10, float64(attempt))) * time.Second // want `doubles without limit`
}

// The limit that was meant is not applied: no fix.
type Limited struct {
	attempts     uint
	Initial, Max time.Duration
}

func (b *Limited) Backoff() time.Duration {
	b.attempts++
	return b.Initial << b.attempts // want `doubles without limit`
}

// No time.Duration where it grows: no fix.
func SecondsBackoff(attempt int) time.Duration {
	seconds := math.Pow(2, float64(attempt)) // want `doubles without limit`
	return time.Duration(seconds) * time.Second
}

// The limit is put around the whole computation, whatever else it does.
func HalvedBackoff(attempt uint) time.Duration {
	return 100 * time.Millisecond * time.Duration((1<<attempt)>>1) // want `doubles without limit`
}
