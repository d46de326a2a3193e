// Package try has the signatures of github.com/matryer/try.
package try

var MaxRetries = 10

type Func func(attempt int) (retry bool, err error)

func Do(fn Func) error { return nil }
