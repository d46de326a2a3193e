package calculated

import "time"

func rebrand(d time.Duration) time.Duration { return d }

// Nothing is drawn in what only has such a name.
func rebrandedBackoff(attempt int) time.Duration {
	return rebrand(min(time.Second<<min(attempt, 10), time.Minute)) // want `the wait that rebrandedBackoff computes grows but is the same for every client`
}

func again(attempt int) { time.Sleep(rebrandedBackoff(attempt)) }

// A default that can be set otherwise.
func DefaultBackoff(attempt int) time.Duration {
	return min(time.Second<<min(attempt, 10), time.Minute) // want `the wait that DefaultBackoff computes grows but is the same for every client`
}

type options struct{ backoff func(int) time.Duration }

var defaults = options{backoff: DefaultBackoff}
