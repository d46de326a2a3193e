package endless

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"
)

// A code is an error, though its variables are not of type error.
type code uint32

func (c code) Error() string { return fmt.Sprintf("code %d", uint32(c)) }

var (
	codeOK   = code(0)
	codeBad  = code(1)
	codeNone = code(2)
)

type message struct{ result code }

// send hands the answer to a function.
func (l *lock) send(ctx context.Context, name string, then func(any) error) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://localhost/"+name, nil)
	if err != nil {
		return err
	}
	resp, err := l.client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	m := new(message)
	if err := json.NewDecoder(resp.Body).Decode(m); err != nil {
		return err
	}
	return then(m)
}

func fill(v any, m **message) error {
	var ok bool
	if *m, ok = v.(*message); !ok {
		return errors.New("no message")
	}
	return nil
}

// A failure leaves; it goes on with the next message until there is none.
func (l *lock) messages(ctx context.Context) error {
	for {
		var m *message
		err := l.send(ctx, "next", func(v any) error { return fill(v, &m) })
		switch {
		case err == codeNone:
			return nil
		case err != nil:
			return err
		default:
			status := codeBad
			if m != nil {
				status = m.result
			}
			if status != codeOK {
				return status
			}
		}
		time.Sleep(time.Second)
	}
}

// The twin comes back where it went badly.
func (l *lock) patient(ctx context.Context) error {
	for { // want `retries l.send for as long as it fails`
		var m *message
		err := l.send(ctx, "next", func(v any) error { return fill(v, &m) })
		switch {
		case err == codeNone:
			return nil
		case err != nil:
			fmt.Println(err)
		default:
			return nil
		}
		time.Sleep(time.Second)
	}
}
