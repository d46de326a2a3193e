package instep

import (
	"encoding/json"
	"net/http"
	"time"
)

type answer struct{ After, Min time.Duration }

type server struct {
	client *http.Client
	base   answer
}

func (s *server) ask(req *http.Request) (answer, error) {
	var a answer
	resp, err := s.client.Do(req)
	if err != nil {
		return a, err
	}
	defer resp.Body.Close()
	return a, json.NewDecoder(resp.Body).Decode(&a)
}

// The other side says how long.
func told(s *server, req *http.Request) error {
	for {
		a, err := s.ask(req)
		if err == nil {
			return nil
		}
		time.Sleep(a.After)
	}
}

// What is set is the same for all.
func set(s *server, req *http.Request) error {
	base := s.base
	for {
		_, err := s.ask(req)
		if err == nil {
			return nil
		}
		time.Sleep(base.After) // want `the wait before the next s.ask is the same number for every client`
	}
}
