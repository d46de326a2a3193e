package otelretry

import (
	"context"
	"reflect"
	"sync"
	"sync/atomic"
	"weak"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	noopmetric "go.opentelemetry.io/otel/metric/noop"
)

// Bounds of cardinality, per meter provider. The metric with the most
// attributes, otelretry.retried_requests, stays at 65*13*2 = 1690 series,
// under the SDK's limit of 2000 per instrument.
const (
	maxOperations = 64
	maxErrorTypes = 12
	maxBudgets    = 16
)

// Attributes of spans and metrics.
const (
	keyDependency = attribute.Key("retry.dependency")
	keyOperation  = attribute.Key("retry.operation")
	keyOutcome    = attribute.Key("retry.outcome")
	keySaved      = attribute.Key("retry.saved")
	keyBudget     = attribute.Key("retry.budget.name")
	keyErrorType  = attribute.Key("error.type")
)

// meter holds the instruments of one meter provider, and which operations,
// error types and budgets it tells apart.
type meter struct {
	provider        metric.MeterProvider // kept alive with the meter
	requests        metric.Int64Counter
	attempts        metric.Int64Counter
	retries         metric.Int64Counter
	retriedRequests metric.Int64Counter
	requestAttempts metric.Int64Histogram
	requestDuration metric.Float64Histogram
	addedDuration   metric.Float64Histogram
	rejections      metric.Int64Counter
	replays         metric.Int64Counter

	mu         sync.RWMutex
	operations map[operationID]*operationMetrics
	errorTypes map[string]bool
	budgets    map[budgetID]*budgetMetrics
}

type operationID struct{ dependency, operation string }

// meters finds the meter of a provider, so that the bounds hold for all the
// policies that share it. It keeps neither the provider nor the meter alive.
var meters = struct {
	sync.Mutex
	byProvider map[uintptr]weak.Pointer[meter]
}{byProvider: map[uintptr]weak.Pointer[meter]{}}

// newMeter gives the meter of a provider; nil for one that measures nothing.
func newMeter(provider metric.MeterProvider) *meter {
	if _, noop := provider.(noopmetric.MeterProvider); noop {
		return nil
	}
	v := reflect.ValueOf(provider)
	if v.Kind() != reflect.Pointer {
		return makeMeter(provider)
	}
	meters.Lock()
	defer meters.Unlock()
	// The meter's instruments keep their provider alive, so the address of a
	// provider stands for it for as long as its meter lives.
	if m := meters.byProvider[v.Pointer()].Value(); m != nil {
		return m
	}
	for address, m := range meters.byProvider {
		if m.Value() == nil {
			delete(meters.byProvider, address)
		}
	}
	m := makeMeter(provider)
	m.provider = provider
	meters.byProvider[v.Pointer()] = weak.Make(m)
	return m
}

// durationBounds are those of the semantic conventions for durations in
// seconds, and 30 and 60 for requests with waits in them.
var durationBounds = []float64{0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 30, 60}

func makeMeter(provider metric.MeterProvider) *meter {
	m := &meter{
		operations: map[operationID]*operationMetrics{},
		errorTypes: map[string]bool{},
		budgets:    map[budgetID]*budgetMetrics{},
	}
	api := provider.Meter(ScopeName, metric.WithInstrumentationVersion(Version()))
	var failed error
	keep := func(err error) {
		if err != nil {
			failed = err
		}
	}
	counter := func(name, unit, description string) metric.Int64Counter {
		c, err := api.Int64Counter(name, metric.WithUnit(unit), metric.WithDescription(description))
		keep(err)
		return c
	}
	seconds := func(name, description string) metric.Float64Histogram {
		h, err := api.Float64Histogram(name, metric.WithUnit("s"), metric.WithDescription(description),
			metric.WithExplicitBucketBoundaries(durationBounds...))
		keep(err)
		return h
	}
	m.requests = counter("otelretry.requests", "{request}", "Requests that ended, by outcome.")
	m.attempts = counter("otelretry.attempts", "{attempt}", "Attempts that ended.")
	m.retries = counter("otelretry.retries", "{retry}", "Attempts after the first that started, by what caused them.")
	m.retriedRequests = counter("otelretry.retried_requests", "{request}",
		"Requests with more than one attempt, by the first failure and whether a retry saved them.")
	m.rejections = counter("otelretry.budget.rejections", "{rejection}", "Retries that the budget refused.")
	m.replays = counter("otelretry.idempotency.replays", "{replay}",
		"Requests that the server answered with the stored result of an earlier attempt.")
	m.requestDuration = seconds("otelretry.request.duration", "Time from the start of a request to its end, waits included.")
	m.addedDuration = seconds("otelretry.request.added_duration",
		"Time from the end of the first attempt to the end of the request, of requests with more than one attempt.")
	var err error
	m.requestAttempts, err = api.Int64Histogram("otelretry.request.attempts", metric.WithUnit("{attempt}"),
		metric.WithDescription("Attempts per request."), metric.WithExplicitBucketBoundaries(1, 2, 3, 4, 5, 8, 13))
	keep(err)
	_, err = api.Int64ObservableUpDownCounter("otelretry.attempts.in_flight", metric.WithUnit("{attempt}"),
		metric.WithDescription("Attempts that run now."), metric.WithInt64Callback(m.observeInFlight))
	keep(err)
	_, err = api.Float64ObservableGauge("otelretry.budget.utilization", metric.WithUnit("1"),
		metric.WithDescription("Share of the retry budget that is spent."), metric.WithFloat64Callback(m.observeBudgets))
	keep(err)
	if failed != nil {
		otel.Handle(failed)
	}
	return m
}

func (m *meter) observeInFlight(_ context.Context, o metric.Int64Observer) error {
	m.mu.RLock()
	defer m.mu.RUnlock()
	for _, om := range m.operations {
		o.Observe(om.inFlight.Load(), om.observe...)
	}
	return nil
}

// operationMetrics holds the attribute sets of one operation, made once.
type operationMetrics struct {
	meter    *meter
	base     []attribute.KeyValue
	inFlight atomic.Int64
	atZero   atomic.Bool // startAtZero was heard

	observe      []metric.ObserveOption
	add          []metric.AddOption
	record       []metric.RecordOption
	addByOutcome [outcomeCount][]metric.AddOption
	failures     atomic.Pointer[map[string]*failureOptions]
	failuresMu   sync.Mutex
}

// failureOptions are the attribute sets of one operation and error type.
type failureOptions struct {
	add         []metric.AddOption
	record      []metric.RecordOption
	saved, lost []metric.AddOption
}

// operation gives the metrics of an operation, with its counters at 0, or
// those that all operations past the bound share.
func (m *meter) operation(dependency, operation string) *operationMetrics {
	m.mu.Lock()
	defer m.mu.Unlock()
	id := operationID{dependency, operation}
	if om := m.operations[id]; om != nil {
		return om
	}
	if len(m.operations) >= maxOperations {
		id = operationID{other, other}
		if om := m.operations[id]; om != nil {
			return om
		}
	}
	om := &operationMetrics{meter: m, base: []attribute.KeyValue{
		keyDependency.String(id.dependency), keyOperation.String(id.operation),
	}}
	set := metric.WithAttributeSet(attribute.NewSet(om.base...))
	om.observe = []metric.ObserveOption{set}
	om.add = []metric.AddOption{set}
	om.record = []metric.RecordOption{set}
	for outcome := range om.addByOutcome {
		om.addByOutcome[outcome] = []metric.AddOption{om.with(keyOutcome.String(Outcome(outcome).String()))}
	}
	om.failures.Store(&map[string]*failureOptions{})
	m.operations[id] = om
	if m.requests.Enabled(context.Background()) {
		om.startAtZero()
	}
	return om
}

// startAtZero makes the first count of an operation an increase from 0 and
// not a new series.
func (om *operationMetrics) startAtZero() {
	if om.atZero.Swap(true) {
		return
	}
	ctx, m := context.Background(), om.meter
	for _, options := range om.addByOutcome {
		m.requests.Add(ctx, 0, options...)
	}
	unknown := om.makeFailure(other)
	m.attempts.Add(ctx, 0, om.add...)
	m.attempts.Add(ctx, 0, unknown.add...)
	m.retries.Add(ctx, 0, unknown.add...)
	m.retriedRequests.Add(ctx, 0, unknown.saved...)
	m.retriedRequests.Add(ctx, 0, unknown.lost...)
	m.replays.Add(ctx, 0, om.add...)
}

func (om *operationMetrics) with(extra ...attribute.KeyValue) metric.MeasurementOption {
	return metric.WithAttributeSet(attribute.NewSet(append(extra, om.base...)...))
}

// failure gives the attribute sets for an error type.
func (om *operationMetrics) failure(errorType string) *failureOptions {
	if f := (*om.failures.Load())[errorType]; f != nil {
		return f
	}
	bounded := om.meter.boundErrorType(errorType)
	om.failuresMu.Lock()
	defer om.failuresMu.Unlock()
	known := *om.failures.Load()
	f := known[bounded]
	if f == nil {
		f = om.makeFailure(bounded)
	}
	if bounded != errorType && known[bounded] != nil {
		return f // not remembered by the name that is one of too many
	}
	grown := make(map[string]*failureOptions, len(known)+1)
	for name, options := range known {
		grown[name] = options
	}
	grown[bounded] = f
	om.failures.Store(&grown)
	return f
}

func (om *operationMetrics) makeFailure(errorType string) *failureOptions {
	kind := keyErrorType.String(errorType)
	set := om.with(kind)
	return &failureOptions{
		add:    []metric.AddOption{set},
		record: []metric.RecordOption{set},
		saved:  []metric.AddOption{om.with(kind, keySaved.Bool(true))},
		lost:   []metric.AddOption{om.with(kind, keySaved.Bool(false))},
	}
}

// boundErrorType gives the error type, or "_OTHER" when there are too many.
func (m *meter) boundErrorType(errorType string) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	if errorType == other || m.errorTypes[errorType] {
		return errorType
	}
	if len(m.errorTypes) >= maxErrorTypes {
		return other
	}
	m.errorTypes[errorType] = true
	return errorType
}

// enabled reports whether anyone takes the measurements.
func (om *operationMetrics) enabled(ctx context.Context) bool {
	if om == nil || !om.meter.requests.Enabled(ctx) {
		return false
	}
	if !om.atZero.Load() { // the global provider got its SDK after the operation was made
		om.startAtZero()
		om.meter.budgetsAtZero()
	}
	return true
}

func (om *operationMetrics) replayed(ctx context.Context) {
	if om != nil {
		om.meter.replays.Add(ctx, 1, om.add...)
	}
}

func (om *operationMetrics) retryStarted(ctx context.Context, cause string) {
	om.meter.retries.Add(ctx, 1, om.failure(cause).add...)
}

// attemptEnded counts an attempt; failed is "" for a success.
func (om *operationMetrics) attemptEnded(ctx context.Context, failed string) {
	om.inFlight.Add(-1)
	if failed == "" {
		om.meter.attempts.Add(ctx, 1, om.add...)
		return
	}
	om.meter.attempts.Add(ctx, 1, om.failure(failed).add...)
}

// requestEnded counts a request.
func (om *operationMetrics) requestEnded(ctx context.Context, r *request, outcome Outcome, seconds, added float64) {
	m := om.meter
	m.requests.Add(ctx, 1, om.addByOutcome[outcome]...)
	m.requestAttempts.Record(ctx, int64(r.count), om.record...)
	if outcome.Success() {
		m.requestDuration.Record(ctx, seconds, om.record...)
	} else {
		m.requestDuration.Record(ctx, seconds, om.failure(r.lastType).record...)
	}
	if r.count < 2 {
		return
	}
	m.addedDuration.Record(ctx, added, om.record...)
	first := om.failure(r.firstType)
	if outcome.Success() {
		m.retriedRequests.Add(ctx, 1, first.saved...)
	} else {
		m.retriedRequests.Add(ctx, 1, first.lost...)
	}
}
