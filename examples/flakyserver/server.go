package flakyserver

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// A Server answers HTTP requests as its routes' behaviours say. It is an
// [http.Handler] and safe for concurrent use.
type Server struct {
	seed   uint64
	mux    *http.ServeMux
	closed chan struct{}
	once   sync.Once

	mu       sync.Mutex
	requests map[requestKey]requestState
	answers  map[answerKey]int
}

type requestKey struct{ route, id string }

// requestState is kept from the first attempt of a request until one succeeds,
// so memory is bounded by the requests that have not.
type requestState struct {
	attempts int
	answered time.Time // when the last answer left, zero if none has
}

type answerKey struct {
	route  string
	status int
}

// NewServer returns a server with no routes. The seed fixes all of its
// randomness.
func NewServer(seed uint64) *Server {
	return &Server{
		seed:     seed,
		mux:      http.NewServeMux(),
		closed:   make(chan struct{}),
		requests: map[requestKey]requestState{},
		answers:  map[answerKey]int{},
	}
}

// NewStandard returns a server with one route for each behaviour, as the
// flakyserver command serves it: /recovers/{id}, /missing/{id},
// /throttled/{id}, /down/{id}, /hangs/{id}, /sometimes/{id}, and POST /charges
// with the ledger. The error names the setting that is out of bounds.
func NewStandard(seed uint64, retryAfter time.Duration, failing float64) (*Server, *Ledger, error) {
	if retryAfter <= 0 {
		return nil, nil, fmt.Errorf("flakyserver: Retry-After must be positive, got %v", retryAfter)
	}
	sometimes, err := Sometimes(failing)
	if err != nil {
		return nil, nil, err
	}
	s := NewServer(seed)
	s.Route("/recovers/{id}", First(4, Down()))
	s.Route("/missing/{id}", Missing())
	s.Route("/throttled/{id}", Throttled(retryAfter))
	s.Route("/down/{id}", Down())
	s.Route("/hangs/{id}", Hangs())
	s.Route("/sometimes/{id}", sometimes)
	ledger := NewLedger(0)
	s.RouteCharges("POST /charges", ledger, Fine())
	return s, ledger, nil
}

// Route serves the pattern, in the syntax of [http.ServeMux] and with an {id}
// in it, as the behaviour says. It must be called before the server serves.
func (s *Server) Route(pattern string, b Behaviour) {
	s.mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
		id := r.PathValue("id")
		s.answer(w, r, pattern, id, s.decide(pattern, id, b), func(w http.ResponseWriter, status int) {
			w.Header().Set("Content-Type", "text/plain; charset=utf-8")
			w.WriteHeader(status)
			fmt.Fprintf(w, "%d %s\n", status, strings.ToLower(http.StatusText(status)))
		})
	})
}

// ServeHTTP answers one attempt.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.mux.ServeHTTP(w, r) }

// Close ends every hanging attempt by cutting its connection, so that a
// graceful shutdown does not wait for them; hand it to
// [http.Server.RegisterOnShutdown]. It may be called more than once.
func (s *Server) Close() { s.once.Do(func() { close(s.closed) }) }

// decide counts the attempt and asks the behaviour.
func (s *Server) decide(route, id string, b Behaviour) Answer {
	s.mu.Lock()
	defer s.mu.Unlock()
	key := requestKey{route, id}
	state := s.requests[key]
	state.attempts++
	s.requests[key] = state
	a := Attempt{Route: route, ID: id, Number: state.attempts, seed: s.seed}
	if !state.answered.IsZero() {
		a.Since = time.Since(state.answered)
	}
	return b(a)
}

// answer plays the answer; write sends the body of one that is not kept back.
func (s *Server) answer(w http.ResponseWriter, r *http.Request, route, id string, a Answer, write func(http.ResponseWriter, int)) {
	if a.Hang {
		s.record(route, id, 0)
		s.hang(r)
	}
	if a.Delay > 0 && !s.wait(r, a.Delay) {
		s.record(route, id, 0)
		panic(http.ErrAbortHandler)
	}
	status := a.Status
	if status == 0 {
		status = http.StatusOK
	}
	if a.RetryAfter > 0 {
		w.Header().Set("Retry-After", retryAfter(a.RetryAfter))
	}
	s.record(route, id, status)
	write(w, status)
}

// wait lets d pass. It reports false when the caller goes away or the server is
// closed before.
func (s *Server) wait(r *http.Request, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-r.Context().Done():
		return false
	case <-s.closed:
		return false
	}
}

// hang waits for the caller to go away or the server to be closed, and does not
// return: ErrAbortHandler is net/http's way to cut the connection unanswered.
func (s *Server) hang(r *http.Request) {
	select {
	case <-r.Context().Done():
	case <-s.closed:
	}
	panic(http.ErrAbortHandler)
}

// record counts an answer, and forgets the request when it succeeded. Status 0
// stands for no answer.
func (s *Server) record(route, id string, status int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answers[answerKey{route, status}]++
	key := requestKey{route, id}
	if status >= 200 && status < 300 {
		delete(s.requests, key)
		return
	}
	// A charge without a key is refused before it is counted as an attempt.
	if state, ok := s.requests[key]; ok {
		state.answered = time.Now()
		s.requests[key] = state
	}
}

// A Count says how many attempts at a route got a status; 0 is no answer.
type Count struct {
	Route  string
	Status int
	Count  int
}

// Counts returns what the server answered so far, by route and status.
func (s *Server) Counts() []Count {
	s.mu.Lock()
	defer s.mu.Unlock()
	counts := make([]Count, 0, len(s.answers))
	for k, n := range s.answers {
		counts = append(counts, Count{Route: k.route, Status: k.status, Count: n})
	}
	slices.SortFunc(counts, func(a, b Count) int {
		return cmp.Or(cmp.Compare(a.Route, b.Route), cmp.Compare(a.Status, b.Status))
	})
	return counts
}

// retryAfter renders a wait in the header's whole seconds, never too short.
func retryAfter(d time.Duration) string {
	return strconv.FormatInt(int64((d+time.Second-1)/time.Second), 10)
}
