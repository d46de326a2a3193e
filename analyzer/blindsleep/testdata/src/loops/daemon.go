package loops

import (
	"context"
	"log"
	"net/http"
	"time"
)

type spinner struct {
	client *http.Client
	req    *http.Request
}

func (s *spinner) once(ctx context.Context) error {
	resp, err := s.client.Do(s.req.WithContext(ctx))
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// All that is done about a failure is to say so and to wait.
func (s *spinner) spin(ctx context.Context) {
	for {
		err := s.once(ctx)
		select {
		case <-ctx.Done():
			return
		default:
		}
		if err != nil {
			log.Print(err)
			time.Sleep(time.Second) // want `waits 1s with time.Sleep before retrying s.once, so a cancelled ctx still waits it out`
		}
	}
}

// Here nothing but the log tells of it, and the pause is between any two rounds.
func (s *spinner) beat() {
	for {
		if err := s.once(context.Background()); err != nil {
			log.Print(err)
		}
		time.Sleep(time.Minute)
	}
}
