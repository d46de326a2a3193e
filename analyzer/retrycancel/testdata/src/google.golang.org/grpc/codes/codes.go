// Package codes stands in for the real one.
package codes

type Code uint32

const (
	OK               Code = 0
	Canceled         Code = 1
	DeadlineExceeded Code = 4
	Unavailable      Code = 14
)
