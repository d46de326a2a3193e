package calculators

import "time"

func half(attempt uint) uint64 { return (1 << attempt) >> 1 }

// 2^62 of anything is no limit.
func bounded(attempt uint) uint64 {
	if attempt > 62 {
		return 1 << 62
	}
	return 1 << attempt
}

func few64(attempt uint) uint64 {
	if attempt > 6 {
		return 1 << 6
	}
	return 1 << attempt
}

// The number is computed elsewhere, and the wait here.
func BackoffByNumber(unit time.Duration) func(attempt uint) time.Duration {
	return func(attempt uint) time.Duration {
		return unit * time.Duration(half(attempt)) // want `the wait that BackoffByNumber computes doubles without limit`
	}
}

func BackoffByBoundedNumber(unit time.Duration, attempt uint) time.Duration {
	return unit * time.Duration(bounded(attempt)) // want `the wait that BackoffByBoundedNumber computes doubles without limit`
}

func BackoffByFew(unit time.Duration, attempt uint) time.Duration {
	return unit * time.Duration(few64(attempt))
}

func BackoffTooLate(unit time.Duration, attempt uint) time.Duration {
	if attempt > 50 {
		return time.Minute
	}
	return unit << attempt // want `the wait that BackoffTooLate computes doubles without limit`
}

func BackoffInTime(unit time.Duration, attempt uint) time.Duration {
	if attempt > 10 {
		return time.Minute
	}
	return unit << attempt
}
