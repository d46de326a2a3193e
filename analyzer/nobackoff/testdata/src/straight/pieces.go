package straight

import (
	"io"
	"net/http"
)

type pieces struct {
	client *http.Client
	url    string
	left   int
	err    error
}

func (p *pieces) nextPiece() (body io.ReadCloser, n int, err error) {
	resp, err := p.client.Get(p.url)
	if err != nil {
		return nil, 0, err
	}
	return resp.Body, int(resp.ContentLength), nil
}

func (p *pieces) goesOn(n int, err error) (bool, error) {
	if err != nil && err != io.EOF {
		return false, err
	}
	p.left -= n
	return p.left > 0, nil
}

// One piece after the other is taken, until the last.
func (p *pieces) all(out chan<- io.ReadCloser) {
	var err error
	for err == nil {
		var (
			body io.ReadCloser
			n    int
			more bool
		)
		body, n, err = p.nextPiece()
		more, err = p.goesOn(n, err)
		if !more {
			p.err = err
			break
		}
		out <- body
	}
}
