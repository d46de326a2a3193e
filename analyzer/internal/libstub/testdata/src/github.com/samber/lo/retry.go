// Package lo has the signatures of github.com/samber/lo.
package lo

import "time"

func Attempt(maxIteration int, f func(index int) error) (int, error) { return 0, nil }
func AttemptWithDelay(maxIteration int, delay time.Duration, f func(index int, duration time.Duration) error) (int, time.Duration, error) {
	return 0, 0, nil
}
