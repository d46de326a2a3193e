package loops

import (
	"context"
	"net"
	"net/http"
	"time"
)

type sender struct {
	conn  net.Conn
	pause time.Duration
}

// What pauses before it connects again stands between two attempts.
func (s *sender) send(ctx context.Context, client *http.Client, req *http.Request) (*http.Response, error) {
	recovered := func() {
		time.Sleep(s.pause)
		s.conn, _ = net.Dial("tcp", req.Host)
	}
	for {
		resp, err := client.Do(req.WithContext(ctx))
		if err == nil {
			return resp, nil
		}
		if ne, ok := err.(net.Error); !ok || !ne.Timeout() {
			return nil, err
		}
		recovered() // want `waits before retrying client.Do, so a cancelled ctx still waits it out`
	}
}

// A status that is kept under another type is one of a failure all the same.
type answer struct {
	StatusCode int
	Headers    map[string][]string
}

func ask(client *http.Client, req *http.Request) (*answer, error) {
	resp, err := client.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	return &answer{StatusCode: resp.StatusCode, Headers: resp.Header}, nil
}

func throttled(client *http.Client, req *http.Request) (*answer, error) {
	for {
		a, err := ask(client, req)
		if err != nil {
			return nil, err
		}
		if a.StatusCode != http.StatusTooManyRequests {
			return a, nil
		}
		time.Sleep(time.Second) // want `waits 1s with time.Sleep before retrying ask`
	}
}

// What the answer says in its own words ends the loop or comes back, too.
type welcome struct{ Refusal string }

func (w *welcome) unpack(n int) error {
	if n < 0 {
		return net.ErrClosed
	}
	return nil
}

func (s *sender) joins(request []byte) bool {
	joined, reply := false, &welcome{}
	for i := 0; i < 5; i++ {
		n, err := s.conn.Write(request)
		if err != nil {
			time.Sleep(s.pause) // want `waits with time.Sleep before retrying conn.Write`
			continue
		}
		if err := reply.unpack(n); err != nil {
			time.Sleep(s.pause)
			continue
		}
		if reply.Refusal != "" {
			time.Sleep(s.pause)
			continue
		}
		joined = true
		break
	}
	return joined
}
