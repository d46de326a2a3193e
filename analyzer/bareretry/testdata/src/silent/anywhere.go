package silent

import (
	"errors"
	"time"
)

type index interface {
	Place(id string) (string, error)
}

type inMemory map[string]string

func (m inMemory) Place(id string) (string, error) {
	if m[id] == "" {
		return "", errors.New("nowhere")
	}
	return m[id], nil
}

// It need not go anywhere that could answer with a 400.
func anywhere(places index, id string) (place string, err error) {
	delay := time.Millisecond
	for range 9 {
		if place, err = places.Place(id); err == nil {
			return place, nil
		}
		time.Sleep(delay)
		delay *= 2
	}
	return "", err
}
