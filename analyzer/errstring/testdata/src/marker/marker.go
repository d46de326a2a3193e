package marker

import (
	"context"
	"errors"
	"regexp"
	"time"

	"github.com/cenkalti/backoff/v4"
)

var conflict = regexp.MustCompile(`name .* is already in use`)

func classify(err error) error {
	switch {
	case conflict.MatchString(err.Error()), // want `the text of err`
		errors.Is(err, context.DeadlineExceeded):
		return err
	default:
		return backoff.Permanent(err)
	}
}

// Marks nothing.
func annotate(err error, at time.Time) error {
	if conflict.MatchString(err.Error()) {
		return errors.Join(err, errors.New("taken"))
	}
	return err
}
