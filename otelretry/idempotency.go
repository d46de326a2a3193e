package otelretry

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"encoding/hex"
)

// callersKey is an idempotency key that the caller brought.
type callersKey string

// ContextWithIdempotencyKey makes key the idempotency key of every request
// that is started with the returned context: for callers whose key comes from
// further away, such as an order number or an incoming header. An empty key
// changes nothing.
func ContextWithIdempotencyKey(ctx context.Context, key string) context.Context {
	if key == "" {
		return ctx
	}
	return context.WithValue(ctx, idempotencyKeyKey, callersKey(key))
}

// IdempotencyKey gives the idempotency key of the request that ctx belongs
// to: the caller's own (see [ContextWithIdempotencyKey]), or a random UUID of
// version 7 (RFC 9562) that is made once per request, so that every attempt
// sends the same. Reading it tells the policy that the server can recognise a
// repeat: ambiguous failures of that request, such as a timeout, are retried
// from then on.
//
// A request made inside an attempt of another one has a key of its own. It
// is "" outside a request that has none.
func IdempotencyKey(ctx context.Context) string {
	switch v := ctx.Value(idempotencyKeyKey).(type) {
	case *attempt:
		return v.req.idempotencyKey()
	case callersKey:
		return string(v)
	}
	return ""
}

// IdempotencyReplayed reports that the server answered the current attempt
// with the stored result of an earlier one. It counts on the metric
// otelretry.idempotency.replays, at most once per request; outside an attempt
// it does nothing.
func IdempotencyReplayed(ctx context.Context) {
	a, ok := ctx.Value(attemptKey).(*attempt)
	if !ok || !a.req.replayed.CompareAndSwap(false, true) {
		return
	}
	a.req.op.telemetry.replayed(ctx)
}

// idempotencyKey gives the request's key, making it at first.
func (r *request) idempotencyKey() string {
	if key := r.key.Load(); key != nil {
		return *key
	}
	key, brought := r.callersKey()
	if !brought {
		key = r.op.policy.newKey()
	}
	if !r.key.CompareAndSwap(nil, &key) {
		return *r.key.Load()
	}
	return key
}

func (r *request) callersKey() (string, bool) {
	key, ok := r.ctx.Value(idempotencyKeyKey).(callersKey)
	return string(key), ok
}

// keyed reports whether the function sends an idempotency key, as far as can
// be known: it read the key, or its caller brought one.
func (r *request) keyed() bool {
	if r.key.Load() != nil {
		return true
	}
	_, brought := r.callersKey()
	return brought
}

// newKey makes a UUID of version 7: 48 bits of Unix time in milliseconds and
// 74 random bits (RFC 9562, section 5.7).
func (p *Policy) newKey() string {
	var u [16]byte
	if p.clock == nil {
		rand.Read(u[:]) // never fails: see crypto/rand.Read
	} else {
		binary.BigEndian.PutUint64(u[:8], p.clock.Uint64())
		binary.BigEndian.PutUint64(u[8:], p.clock.Uint64())
	}
	milliseconds := uint64(p.timeOfDay().UnixMilli())
	binary.BigEndian.PutUint64(u[:8], milliseconds<<16|uint64(u[6])<<8|uint64(u[7]))
	u[6] = u[6]&0x0f | 0x70
	u[8] = u[8]&0x3f | 0x80

	var text [36]byte
	hex.Encode(text[:8], u[:4])
	hex.Encode(text[9:13], u[4:6])
	hex.Encode(text[14:18], u[6:8])
	hex.Encode(text[19:23], u[8:10])
	hex.Encode(text[24:], u[10:])
	text[8], text[13], text[18], text[23] = '-', '-', '-', '-'
	return string(text[:])
}
