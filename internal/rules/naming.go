package rules

import (
	"context"
	"fmt"
	"strings"
	"time"

	v1 "github.com/prometheus/client_golang/api/prometheus/v1"
	"github.com/prometheus/common/model"

	"github.com/retrykit/retrykit/internal/contract"
	"github.com/retrykit/retrykit/internal/promname"
)

// Discovery is how a live server stores the metrics of the contract.
type Discovery struct {
	Naming promname.Naming
	Native bool // histograms are native ones
}

// Discover asks a server under which of the four translations it has stored
// the contract's metrics between start and end, and whether its histograms are
// native. It is an error when there are none, or when there are several: the
// rules can ask for one only.
func Discover(ctx context.Context, server v1.API, start, end time.Time) (Discovery, error) {
	values, _, _, err := server.LabelValues(ctx, model.MetricNameLabel, []string{`{__name__=~"otelretry.+"}`}, start, end)
	if err != nil {
		return Discovery{}, fmt.Errorf("ask for the names of metrics: %w", err)
	}
	have := map[string]bool{}
	for _, v := range values {
		have[string(v)] = true
	}
	var found []promname.Naming
	for _, n := range promname.All() {
		if have[n.Metric(contract.Requests)] {
			found = append(found, n)
		}
	}
	switch len(found) {
	case 0:
		return Discovery{}, fmt.Errorf("no series of %s from %s to %s, under any of its four names: name the translation with --naming",
			contract.Requests.Name, start.Format(time.RFC3339), end.Format(time.RFC3339))
	case 1:
		n := found[0]
		return Discovery{n, have[n.Metric(contract.RequestAttempts)] && !have[n.Part(contract.RequestAttempts, "count")]}, nil
	}
	names := make([]string, len(found))
	for i, n := range found {
		names[i] = n.Metric(contract.Requests) + " (" + string(n) + ")"
	}
	return Discovery{}, fmt.Errorf("%s is stored under several names, %s: choose one with --naming, and one part of the series with --selector",
		contract.Requests.Name, strings.Join(names, " and "))
}
