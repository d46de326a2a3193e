// Package bench measures otelretry beside other retry libraries. It is a
// module of its own, so that those never reach the go.sum of users.
package bench
