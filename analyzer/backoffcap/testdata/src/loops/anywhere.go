package loops

import (
	"errors"
	"math"
	"time"
)

type partitioner interface {
	Partition(id string) (string, error)
}

type table map[string]string

func (t table) Partition(id string) (string, error) {
	if t[id] == "" {
		return "", errors.New("missing")
	}
	return t[id], nil
}

// Wherever it goes: that it waits longer each time shows what it is for.
func partition(p partitioner, id string) string {
	for n := 1; ; n++ {
		key, err := p.Partition(id)
		if err == nil {
			return key
		}
		time.Sleep(10 * time.Millisecond * time.Duration(math.Pow(2, float64(n)))) // want `the wait before the next p.Partition doubles without limit`
	}
}

func shortly(p partitioner, id string) string {
	delay := 10 * time.Millisecond
	for {
		key, err := p.Partition(id)
		if err == nil {
			return key
		}
		time.Sleep(delay)
		delay = min(2*delay, time.Second)
	}
}

// Twice as long after one kind of failure, and no longer the next time.
func twiceAtMost(p partitioner, id string) string {
	for {
		key, err := p.Partition(id)
		if err == nil {
			return key
		}
		delay := 10 * time.Millisecond
		if errors.Is(err, errors.ErrUnsupported) {
			delay *= 2
		}
		time.Sleep(delay)
	}
}
