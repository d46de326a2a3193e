package main

import (
	"time"

	"github.com/retrykit/retrykit/examples/flakyserver"
)

// dependencies is what the service calls: four services, each unwell in its own
// way. Which order meets what is settled by the seed alone.
func dependencies(seed uint64) (*flakyserver.Server, *flakyserver.Ledger, error) {
	// One attempt in seven fails.
	customers, err := flakyserver.Sometimes(0.14)
	if err != nil {
		return nil, nil, err
	}
	guests, err := flakyserver.Mix(
		flakyserver.Share{Of: 0.06, Meet: flakyserver.Missing()}, // no such customer
		flakyserver.Share{Of: 0.94, Meet: customers},
	)
	if err != nil {
		return nil, nil, err
	}
	stock, err := flakyserver.Mix(
		flakyserver.Share{Of: 0.08, Meet: flakyserver.Throttled(time.Second)},
		flakyserver.Share{Of: 0.02, Meet: flakyserver.Throttled(time.Minute)}, // longer than a checkout can wait
	)
	if err != nil {
		return nil, nil, err
	}
	quotes, err := flakyserver.Mix(
		flakyserver.Share{Of: 0.05, Meet: flakyserver.First(1, flakyserver.Hangs())},
		flakyserver.Share{Of: 0.03, Meet: flakyserver.Hangs()},
	)
	if err != nil {
		return nil, nil, err
	}
	charges, err := flakyserver.Mix(
		flakyserver.Share{Of: 0.10, Meet: flakyserver.First(1, flakyserver.Down())},
		flakyserver.Share{Of: 0.05, Meet: flakyserver.First(1, flakyserver.Hangs())}, // charged, and the answer lost
		flakyserver.Share{Of: 0.02, Meet: flakyserver.Down()},
	)
	if err != nil {
		return nil, nil, err
	}

	flaky := flakyserver.NewServer(seed)
	flaky.Route("GET /customers/{id}", guests)
	flaky.Route("PUT /stock/{id}", stock)
	flaky.Route("GET /quotes/{id}", quotes)
	ledger := flakyserver.NewLedger(0)
	flaky.RouteCharges("POST /charges", ledger, charges)
	return flaky, ledger, nil
}
