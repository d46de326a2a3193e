// Package errors stands in for the standard one.
package errors

type annotated struct {
	error
	text string
}

func Annotate(err error, text string) error {
	if err == nil {
		return nil
	}
	return &annotated{err, text}
}
