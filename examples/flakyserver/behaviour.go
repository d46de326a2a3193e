package flakyserver

import (
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"net/http"
	"time"
)

// An Attempt is what a behaviour knows about the attempt that it answers.
type Attempt struct {
	Route  string // the pattern of the route, "GET /prices/{id}"
	ID     string // the request, the {id} of the path
	Number int    // 1 for the first attempt of the request

	// Since is the time since the answer to the attempt before; 0 for the first.
	Since time.Duration

	seed uint64
}

// Draw returns a number in [0, 1) that belongs to this attempt.
func (a Attempt) Draw() float64 { return draw(a.seed, a.Route, a.ID, a.Number) }

// DrawRequest returns a number in [0, 1) that belongs to the request: the same
// for all of its attempts.
func (a Attempt) DrawRequest() float64 { return draw(a.seed, a.Route, a.ID, 0) }

func draw(seed uint64, route, id string, number int) float64 {
	h := fnv.New64a()
	fmt.Fprintf(h, "%s\x00%s\x00%d", route, id, number)
	return rand.New(rand.NewPCG(seed, h.Sum64())).Float64()
}

// An Answer is what an attempt gets.
type Answer struct {
	Status int // the HTTP status; 0 means 200

	// RetryAfter is sent as the Retry-After header, in whole seconds rounded up;
	// 0 sends none.
	RetryAfter time.Duration

	// Delay passes before the answer.
	Delay time.Duration

	// Hang keeps the answer back until the caller goes away or the server is
	// closed; the other fields mean nothing then.
	Hang bool
}

// A Behaviour decides what an attempt meets. It is called by many requests at
// once and keeps no state of its own: all it needs is in the attempt.
type Behaviour func(Attempt) Answer

// Fine answers 200 at once.
func Fine() Behaviour {
	return func(Attempt) Answer { return Answer{} }
}

// Down answers 503, always.
func Down() Behaviour {
	return func(Attempt) Answer { return Answer{Status: http.StatusServiceUnavailable} }
}

// Missing answers 404, always.
func Missing() Behaviour {
	return func(Attempt) Answer { return Answer{Status: http.StatusNotFound} }
}

// Hangs never answers.
func Hangs() Behaviour {
	return func(Attempt) Answer { return Answer{Hang: true} }
}

// Slow answers 200 after d.
func Slow(d time.Duration) Behaviour {
	return func(Attempt) Answer { return Answer{Delay: d} }
}

// Throttled answers 429 with a Retry-After of wait to the first attempt, and to
// every later one that comes sooner than wait after the answer before: asking
// too early spends the quota again. Whoever waited gets 200.
func Throttled(wait time.Duration) Behaviour {
	return func(a Attempt) Answer {
		if a.Number > 1 && a.Since >= wait {
			return Answer{}
		}
		return Answer{Status: http.StatusTooManyRequests, RetryAfter: wait}
	}
}

// First gives the first n attempts of each request to b and answers 200 to the
// later ones.
func First(n int, b Behaviour) Behaviour {
	return func(a Attempt) Answer {
		if a.Number > n {
			return Answer{}
		}
		return b(a)
	}
}

// Sometimes answers 503 to a random share of the attempts, 0 to 1, and 200 to
// the others.
func Sometimes(share float64) (Behaviour, error) {
	if !(share >= 0 && share <= 1) {
		return nil, fmt.Errorf("flakyserver: a share of failing attempts is a number from 0 to 1, got %v", share)
	}
	return func(a Attempt) Answer {
		if a.Draw() < share {
			return Answer{Status: http.StatusServiceUnavailable}
		}
		return Answer{}
	}, nil
}

// A Share is a part of the requests, 0 to 1, and what they meet.
type Share struct {
	Of   float64
	Meet Behaviour
}

// Mix splits the requests of a route: each share meets its behaviour with all
// of its attempts, and what is left over meets Fine.
func Mix(shares ...Share) (Behaviour, error) {
	total := 0.0
	for _, s := range shares {
		if !(s.Of >= 0 && s.Of <= 1) {
			return nil, fmt.Errorf("flakyserver: a share of the requests is a number from 0 to 1, got %v", s.Of)
		}
		if s.Meet == nil {
			return nil, errors.New("flakyserver: a share of the requests has no behaviour to meet")
		}
		total += s.Of
	}
	// Shares written as decimals may add up to a hair more than 1.
	if total > 1+1e-9 {
		return nil, fmt.Errorf("flakyserver: the shares of a mix add up to %v, more than all requests", total)
	}
	return func(a Attempt) Answer {
		at := a.DrawRequest()
		for _, s := range shares {
			if at < s.Of {
				return s.Meet(a)
			}
			at -= s.Of
		}
		return Answer{}
	}, nil
}
