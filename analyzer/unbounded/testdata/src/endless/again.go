package endless

import (
	"errors"
	"time"
)

var errMoved = errors.New("moved")

func (r *reader) again(wait time.Duration) ([]byte, error) {
	b, err := r.line() // want `retries r.line for as long as it fails`
	if err != nil && !errors.Is(err, errMoved) {
		time.Sleep(wait)
		return r.again(wait)
	}
	return b, err
}

// Silent: it is counted.
func (r *reader) againFew(wait time.Duration, left int) ([]byte, error) {
	b, err := r.line()
	if err != nil && left > 0 {
		time.Sleep(wait)
		return r.againFew(wait, left-1)
	}
	return b, err
}
