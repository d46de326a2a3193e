package flakyserver

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"
)

// Headers of the charge endpoint.
const (
	// IdempotencyKeyHeader carries the key that all attempts of one charge share.
	IdempotencyKeyHeader = "Idempotency-Key"
	// CallerHeader names the caller; keys of different callers never meet.
	CallerHeader = "X-Caller"
	// ReplayedHeader is "true" on an answer that was stored by an earlier attempt.
	ReplayedHeader = "Idempotent-Replayed"
)

const (
	maxChargeBody   = 64 << 10       // bytes
	maxKeyLength    = 255            // bytes
	keepKeys        = 24 * time.Hour // far longer than any client goes on retrying
	inProgressRetry = time.Second    // what a 409 tells the client to wait
)

// A Charge is the body that a caller posts.
type Charge struct {
	Order       string `json:"order"`
	AmountCents int64  `json:"amount_cents"`
	Currency    string `json:"currency"`
}

// A Receipt is what a charge is answered with.
type Receipt struct {
	ID string `json:"id"`
	Charge
}

// A Ledger holds charges by idempotency key. It is safe for concurrent use.
//
// A key is claimed before the charge is made and atomically: of two attempts
// that carry it at the same moment, one charges and the other is told to come
// back. It is bound to the caller and to the payload, and kept for 24 hours.
type Ledger struct {
	latency time.Duration

	mu      sync.Mutex
	entries map[ledgerKey]*ledgerEntry
	expiry  []expiry // in order of time
	made    []Receipt
}

type ledgerKey struct{ caller, key string }

type ledgerEntry struct {
	fingerprint [sha256.Size]byte
	receipt     *Receipt // nil while the charge is in progress
}

type expiry struct {
	key ledgerKey
	at  time.Time
}

// NewLedger returns an empty ledger in which making a charge takes latency.
func NewLedger(latency time.Duration) *Ledger {
	return &Ledger{latency: latency, entries: map[ledgerKey]*ledgerEntry{}}
}

// Receipts returns the charges that were made, in order. An order that is in it
// twice was charged twice.
func (l *Ledger) Receipts() []Receipt {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.made)
}

// The ways in which a charge can be refused.
var (
	errInProgress = errors.New("a charge with this idempotency key is in progress; ask again later")
	errOtherBody  = errors.New("this idempotency key was used with another payload; a new charge needs a new key")
)

// charge makes the charge, or returns what the key's first attempt made and
// true.
func (l *Ledger) charge(key ledgerKey, c Charge) (receipt Receipt, replayed bool, err error) {
	fingerprint, err := fingerprintOf(c)
	if err != nil {
		return Receipt{}, false, err
	}
	entry, fresh := l.claim(key, fingerprint)
	if !fresh {
		return l.stored(entry, fingerprint)
	}
	// The caller may go away now; the charge is made all the same. That is what
	// makes a timeout ambiguous.
	if l.latency > 0 {
		timer := time.NewTimer(l.latency)
		<-timer.C
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	r := Receipt{ID: fmt.Sprintf("ch_%06d", len(l.made)+1), Charge: c}
	l.made = append(l.made, r)
	entry.receipt = &r
	return r, false, nil
}

// claim returns the key's entry and whether this call made it.
func (l *Ledger) claim(key ledgerKey, fingerprint [sha256.Size]byte) (*ledgerEntry, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	for len(l.expiry) > 0 && !now.Before(l.expiry[0].at) {
		delete(l.entries, l.expiry[0].key)
		l.expiry = l.expiry[1:]
	}
	if entry, ok := l.entries[key]; ok {
		return entry, false
	}
	entry := &ledgerEntry{fingerprint: fingerprint}
	l.entries[key] = entry
	l.expiry = append(l.expiry, expiry{key, now.Add(keepKeys)})
	return entry, true
}

func (l *Ledger) stored(entry *ledgerEntry, fingerprint [sha256.Size]byte) (Receipt, bool, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case entry.fingerprint != fingerprint:
		return Receipt{}, false, errOtherBody
	case entry.receipt == nil:
		return Receipt{}, false, errInProgress
	}
	return *entry.receipt, true, nil
}

// fingerprintOf identifies what is charged, whatever the spacing and the order
// of fields in the body that said so.
func fingerprintOf(c Charge) ([sha256.Size]byte, error) {
	canonical, err := json.Marshal(c)
	if err != nil {
		return [sha256.Size]byte{}, fmt.Errorf("fingerprint of the charge: %w", err)
	}
	return sha256.Sum256(canonical), nil
}

// RouteCharges serves the ledger at the pattern. The faults come first: an
// answer of theirs that is not a success is given in the ledger's place, with
// nothing charged, and one that hangs charges and then loses the answer, which
// is the failure that idempotency keys are for. The request's id is the order,
// whatever the key: a caller that makes a new key for every attempt is known by
// it.
//
// 201 has made the charge or, with the Idempotent-Replayed header, had made it
// before; 400 is no key or a body that is not a charge, 409 a charge in
// progress, 413 a body over 64 KiB, 422 an amount that can't be charged or a
// key that was used for another payload.
func (s *Server) RouteCharges(pattern string, l *Ledger, faults Behaviour) {
	s.mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
		key := ledgerKey{caller: r.Header.Get(CallerHeader), key: r.Header.Get(IdempotencyKeyHeader)}
		a := Attempt{Route: pattern}
		refuse := func(status int, reason error) {
			s.record(a, status)
			http.Error(w, reason.Error(), status)
		}
		if key.key == "" || len(key.key) > maxKeyLength {
			refuse(http.StatusBadRequest, fmt.Errorf("a charge needs an %s header of 1 to %d bytes", IdempotencyKeyHeader, maxKeyLength))
			return
		}
		var c Charge
		if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxChargeBody)).Decode(&c); err != nil {
			status := http.StatusBadRequest
			if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
				status = http.StatusRequestEntityTooLarge
			}
			refuse(status, fmt.Errorf("the body is not a charge: %w", err))
			return
		}
		if c.Order == "" || c.AmountCents <= 0 || c.Currency == "" {
			refuse(http.StatusUnprocessableEntity, errors.New("a charge needs an order, a positive amount_cents and a currency"))
			return
		}

		a = s.count(pattern, key.caller+"/"+c.Order)
		fault := faults(a)
		if fault.Status >= 300 {
			s.answer(w, r, a, fault, func(w http.ResponseWriter, status int) {
				http.Error(w, "the ledger is not available", status)
			})
			return
		}
		receipt, replayed, err := l.charge(key, c)
		switch {
		case errors.Is(err, errInProgress):
			w.Header().Set("Retry-After", retryAfter(inProgressRetry))
			refuse(http.StatusConflict, err)
			return
		case errors.Is(err, errOtherBody):
			refuse(http.StatusUnprocessableEntity, err)
			return
		case err != nil:
			refuse(http.StatusInternalServerError, err)
			return
		}
		fault.Status = http.StatusCreated
		s.answer(w, r, a, fault, func(w http.ResponseWriter, status int) {
			w.Header().Set("Content-Type", "application/json")
			if replayed {
				w.Header().Set(ReplayedHeader, "true")
			}
			w.WriteHeader(status)
			// The caller that does not read its answer asks again with the same key.
			_ = json.NewEncoder(w).Encode(receipt)
		})
	})
}
