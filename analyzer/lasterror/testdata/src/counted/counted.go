// Package counted leaves in the last round, so that nothing follows the loop.
package counted

import (
	"fmt"
	"net/http"
	"time"
)

func lastOfInt(n int, url string) error {
	for i := range n {
		_, err := http.Get(url)
		if err == nil {
			return nil
		}
		if i == n-1 {
			return fmt.Errorf("gave up: %w", err)
		}
		time.Sleep(time.Second)
	}
	return nil
}

func lastOfConst(url string) error {
	for i := range 4 {
		_, err := http.Get(url)
		if err == nil {
			return nil
		}
		if i < 3 {
			time.Sleep(time.Second)
			continue
		}
		return fmt.Errorf("gave up: %w", err)
	}
	return nil
}

func lastOfList(url string, waits []time.Duration) error {
	for i, wait := range waits {
		_, err := http.Get(url)
		if err == nil {
			return nil
		}
		if i == len(waits)-1 {
			return fmt.Errorf("gave up: %w", err)
		}
		time.Sleep(wait)
	}
	return nil
}

// The check is for another round than the last one.
func notTheLast(n int, url string) error {
	for i := range n {
		_, err := http.Get(url)
		if err == nil {
			return nil
		}
		if i == n-2 {
			return fmt.Errorf("gave up: %w", err)
		}
		time.Sleep(time.Second)
	}
	return nil // want `returns nil when the attempts are used up`
}
