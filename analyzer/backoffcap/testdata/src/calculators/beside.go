package calculators

import (
	"math"
	"time"
)

type option func()

func withMax(n uint) option                                          { return func() {} }
func withBackoff(f func(attempt uint) time.Duration) option          { return func() {} }
func client(opts ...option) []option                                 { return opts }
func limited(max time.Duration, f func(uint) time.Duration) []option { return nil }

// Six attempts do not get far.
func few() []option {
	return client(withMax(6), withBackoff(func(attempt uint) time.Duration {
		return 60 * time.Millisecond * time.Duration(math.Pow(3, float64(attempt)))
	}))
}

type settings struct{ MaxBackoff time.Duration }

// Whoever takes it is told the longest wait.
func capped(s settings) []option {
	return limited(s.MaxBackoff, func(attempt uint) time.Duration {
		return 10 * time.Millisecond * time.Duration(math.Pow(3, float64(attempt)))
	})
}

func alone() []option {
	return client(withBackoff(func(attempt uint) time.Duration {
		return 60 * time.Millisecond * time.Duration(math.Pow(3, float64(attempt))) // want `the wait that alone computes doubles without limit`
	}))
}
