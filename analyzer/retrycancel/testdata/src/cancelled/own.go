package cancelled

import (
	"context"
	"net/http"
	"time"
)

type server struct {
	ctx      context.Context
	stopping chan struct{}
}

func (s *server) publish(ctx context.Context) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPut, "http://localhost", nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// The context is the attempt's; what ends the loop is the channel.
func (s *server) untilPublished() {
	for {
		select {
		case <-s.stopping:
			return
		default:
		}
		ctx, cancel := context.WithTimeout(s.ctx, time.Second)
		err := s.publish(ctx)
		cancel()
		if err == nil {
			return
		}
	}
}
