package asked

import "context"

// Background is what a caller without a context uses.
var Background = context.Background

// A Strategy says whether there is another attempt.
type Strategy func(attempt uint) bool

// Retry stands in one condition with the counter and the strategies, which
// never see the error.
func Retry(action func(attempt uint) error, strategies ...Strategy) error {
	var err error
	for attempt := uint(0); (attempt == 0 || err != nil) && goOn(attempt, strategies...); attempt++ { // want `retries whatever action returns, context.Canceled included`
		err = action(attempt + 1)
	}
	return err
}

func goOn(attempt uint, strategies ...Strategy) bool {
	ok := true
	for i := 0; ok && i < len(strategies); i++ {
		ok = strategies[i](attempt)
	}
	return ok
}

// Decide sees the error.
func Decide(action func(attempt uint) error, again func(error) bool) error {
	var err error
	for attempt := uint(0); attempt == 0 || err != nil && again(err); attempt++ {
		err = action(attempt + 1)
	}
	return err
}
