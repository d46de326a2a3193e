package otelretry

// Breaker is a circuit breaker: it decides whether a dependency gets calls at
// all. It is asked before every attempt, the first included, and must be safe
// for concurrent use. sony/gobreaker's TwoStepCircuitBreaker has this shape.
type Breaker interface {
	// Allow lets an attempt pass, or refuses it with an error. After an
	// attempt that passed, done is called once with the attempt's error, nil
	// when it succeeded; done may be nil.
	Allow() (done func(err error), err error)
}
