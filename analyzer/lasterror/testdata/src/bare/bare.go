// Package bare imports nothing that could wait or leave the process: what is
// retried is handed in.
package bare

import "errors"

var MaxRetries = 10

var errMaxRetriesReached = errors.New("exceeded retry limit")

type Func func(attempt int) (retry bool, err error)

func Do(fn Func) error {
	var err error
	var again bool
	attempt := 1
	for {
		again, err = fn(attempt)
		if !again || err == nil {
			break
		}
		attempt++
		if attempt > MaxRetries {
			return errMaxRetriesReached // want `gives up without the last error from fn`
		}
	}
	return err
}

func Kept(fn Func) (err error) {
	for attempt := 1; attempt <= MaxRetries; attempt++ {
		var again bool
		if again, err = fn(attempt); !again || err == nil {
			return err
		}
	}
	return errors.Join(errMaxRetriesReached, err)
}
