// Package otelretrygobreaker lets a circuit breaker of sony/gobreaker decide
// whether a policy of package otelretry may call its dependency at all.
//
//	breaker := otelretrygobreaker.New(gobreaker.Settings{Name: "payments"})
//	policy, err := otelretry.New("payments", otelretry.WithBreaker(breaker))
//
// The breaker is asked before every attempt, so that a request whose
// dependency is cut off stops retrying it. Make one per dependency and process
// and share it among policies.
package otelretrygobreaker
