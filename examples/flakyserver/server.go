package flakyserver

import (
	"cmp"
	"fmt"
	"maps"
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
	stats    map[string]*Stats // by route
}

type requestKey struct{ route, id string }

// requestState is kept from the first attempt of a request until one succeeds,
// so memory is bounded by the requests that have not.
type requestState struct {
	attempts int
	answered time.Time // when the last answer left, zero if none has
}

// NewServer returns a server with no routes. The seed fixes all of its
// randomness.
func NewServer(seed uint64) *Server {
	return &Server{
		seed:     seed,
		mux:      http.NewServeMux(),
		closed:   make(chan struct{}),
		requests: map[requestKey]requestState{},
		stats:    map[string]*Stats{},
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
		a := s.count(pattern, r.PathValue("id"))
		s.answer(w, r, a, b(a), func(w http.ResponseWriter, status int) {
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

// count starts an attempt at a request.
func (s *Server) count(route, id string) Attempt {
	s.mu.Lock()
	defer s.mu.Unlock()
	key := requestKey{route, id}
	state := s.requests[key]
	state.attempts++
	s.requests[key] = state
	if state.attempts == 1 {
		s.statsOf(route).Requests++
	}
	a := Attempt{Route: route, ID: id, Number: state.attempts, seed: s.seed}
	if !state.answered.IsZero() {
		a.Since = time.Since(state.answered)
	}
	return a
}

// answer plays the answer; write sends the body of one that is not kept back.
func (s *Server) answer(w http.ResponseWriter, r *http.Request, a Attempt, with Answer, write func(http.ResponseWriter, int)) {
	if with.Hang {
		s.record(a, 0)
		s.hang(r)
	}
	if with.Delay > 0 && !s.wait(r, with.Delay) {
		s.record(a, 0)
		panic(http.ErrAbortHandler)
	}
	status := with.Status
	if status == 0 {
		status = http.StatusOK
	}
	if with.RetryAfter > 0 {
		w.Header().Set("Retry-After", retryAfter(with.RetryAfter))
	}
	s.record(a, status)
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
func (s *Server) record(a Attempt, status int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	stats := s.statsOf(a.Route)
	stats.Attempts++
	stats.ByStatus[status]++
	key := requestKey{a.Route, a.ID}
	if status >= 200 && status < 300 {
		stats.Successes++
		if a.Number == 1 {
			stats.FirstAttemptSuccesses++
		}
		delete(s.requests, key)
		return
	}
	// A charge without a key is refused before it is an attempt at any request.
	if state, ok := s.requests[key]; ok {
		state.answered = time.Now()
		s.requests[key] = state
	}
}

func (s *Server) statsOf(route string) *Stats {
	if s.stats[route] == nil {
		s.stats[route] = &Stats{Route: route, ByStatus: map[int]int{}}
	}
	return s.stats[route]
}

// Stats is what a route has seen, from the side that was called: what the
// caller's telemetry says about itself can be held against it.
type Stats struct {
	Route                 string
	Requests              int
	Attempts              int         // answered, or given up on by the caller
	FirstAttemptSuccesses int         // requests whose first attempt got a 2xx
	Successes             int         // requests of which any attempt got a 2xx
	ByStatus              map[int]int // attempts; 0 is no answer
}

// Stats returns what each route that was called has seen so far, by route.
func (s *Server) Stats() []Stats {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := make([]Stats, 0, len(s.stats))
	for _, stats := range s.stats {
		stats := *stats
		stats.ByStatus = maps.Clone(stats.ByStatus)
		all = append(all, stats)
	}
	slices.SortFunc(all, func(a, b Stats) int { return cmp.Compare(a.Route, b.Route) })
	return all
}

// retryAfter renders a wait in the header's whole seconds, never too short.
func retryAfter(d time.Duration) string {
	return strconv.FormatInt(int64((d+time.Second-1)/time.Second), 10)
}
