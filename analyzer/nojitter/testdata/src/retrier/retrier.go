package retrier

import "time"

type config struct {
	attempts uint
	delay    time.Duration
	growth   func(n uint, c *config) time.Duration
}

func double(n uint, c *config) time.Duration { return c.delay * (1 << n) }

func do(f func() error, opts ...func(*config)) error {
	c := &config{attempts: 10, delay: time.Second, growth: double}
	for _, o := range opts {
		o(c)
	}
	var err error
	for n := uint(0); n < c.attempts; n++ {
		if err = f(); err == nil {
			return nil
		}
		time.Sleep(c.growth(n, c)) // want `growing but the same for every client`
	}
	return err
}

// What it is used for is not known.
func fixed(f func() error) (err error) {
	for range 3 {
		if err = f(); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}
