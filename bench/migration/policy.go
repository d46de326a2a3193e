package migration

import (
	"time"

	"github.com/retrykit/retrykit/otelretry"
)

func newShop(client Client) (*shop, error) {
	//doc: policy
	payments, err := otelretry.New("payments",
		otelretry.WithMaxAttempts(4), // one call and three retries
		otelretry.WithDeadline(15*time.Second),
		otelretry.WithBackoff(otelretry.FullJitter(200*time.Millisecond, 3*time.Second)))
	if err != nil {
		return nil, err
	}
	charge := payments.Operation("charge") // a POST: ambiguous failures need an idempotency key
	balance := payments.Operation("balance", otelretry.Idempotent())
	//doc:end
	return &shop{client: client, charge: charge, balance: balance}, nil
}
