// Package shop holds what both checkout services share: what they sell and how
// they read an HTTP answer. It retries nothing.
package shop

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
)

// An Order is what a customer wants to buy.
type Order struct {
	ID          string `json:"order"`
	AmountCents int64  `json:"amount_cents"`
	Currency    string `json:"currency"`
}

// A Receipt is the payment service's word that an order was charged.
type Receipt struct {
	ID    string `json:"id"`
	Order string `json:"order"`
}

// NewRequest makes a request with the value as its JSON body, or none for nil.
func NewRequest(ctx context.Context, method, url string, value any) (*http.Request, error) {
	if value == nil {
		return http.NewRequestWithContext(ctx, method, url, nil)
	}
	body, err := json.Marshal(value)
	if err != nil {
		return nil, fmt.Errorf("encoding the body of %s %s: %w", method, url, err)
	}
	req, err := http.NewRequestWithContext(ctx, method, url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	return req, nil
}

// maxAnswer bounds how much of an answer is read, in bytes.
const maxAnswer = 1 << 20

// Decode reads the answer to its end, closes it and decodes it into value, which
// may be nil. A status that is not a success is a *StatusError.
func Decode(resp *http.Response, value any) error {
	defer resp.Body.Close()
	data, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
	if err != nil {
		return fmt.Errorf("reading the answer: %w", err)
	}
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		return &StatusError{Code: resp.StatusCode, Header: resp.Header}
	}
	if value == nil {
		return nil
	}
	if err := json.Unmarshal(data, value); err != nil {
		return fmt.Errorf("decoding the answer: %w", err)
	}
	return nil
}

// A StatusError is an HTTP answer that is not a success.
type StatusError struct {
	Code   int
	Header http.Header
}

func (e *StatusError) Error() string {
	return fmt.Sprintf("%d %s", e.Code, http.StatusText(e.Code))
}

// StatusCode returns the HTTP status.
func (e *StatusError) StatusCode() int { return e.Code }
