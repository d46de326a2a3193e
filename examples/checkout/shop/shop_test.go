package shop

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func answer(status int, body string) (*http.Response, *closer) {
	c := &closer{Reader: strings.NewReader(body)}
	return &http.Response{StatusCode: status, Header: http.Header{"Retry-After": {"3"}}, Body: c}, c
}

type closer struct {
	io.Reader
	closed bool
}

func (c *closer) Close() error { c.closed = true; return nil }

func TestDecode(t *testing.T) {
	resp, body := answer(http.StatusCreated, `{"id":"ch_1","order":"o1"}`)
	var receipt Receipt
	require.NoError(t, Decode(resp, &receipt))
	assert.Equal(t, Receipt{ID: "ch_1", Order: "o1"}, receipt)
	assert.True(t, body.closed)

	resp, body = answer(http.StatusServiceUnavailable, "down")
	err := Decode(resp, &receipt)
	status, ok := errors.AsType[*StatusError](err)
	require.True(t, ok)
	assert.Equal(t, http.StatusServiceUnavailable, status.Code)
	assert.Equal(t, "3", status.Header.Get("Retry-After"))
	assert.EqualError(t, err, "503 Service Unavailable")
	assert.True(t, body.closed, "a refused attempt does not leak its connection")

	resp, _ = answer(http.StatusOK, "<html>")
	require.ErrorContains(t, Decode(resp, &receipt), "decoding the answer")

	resp, _ = answer(http.StatusOK, "200 ok")
	require.NoError(t, Decode(resp, nil))
}

func TestNewRequestSendsJSON(t *testing.T) {
	req, err := NewRequest(t.Context(), http.MethodPost, "http://shop/charges", Order{ID: "o1", AmountCents: 5, Currency: "EUR"})
	require.NoError(t, err)
	data, err := io.ReadAll(req.Body)
	require.NoError(t, err)
	assert.JSONEq(t, `{"order":"o1","amount_cents":5,"currency":"EUR"}`, string(data))
	assert.Equal(t, "application/json", req.Header.Get("Content-Type"))

	_, err = NewRequest(t.Context(), http.MethodPost, "http://shop", make(chan int))
	require.ErrorContains(t, err, "POST http://shop")
}
