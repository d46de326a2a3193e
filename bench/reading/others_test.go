package reading

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/pmetric"
	"go.opentelemetry.io/collector/pdata/ptrace"

	"github.com/retrykit/retrykit/internal/telemetrygen"
)

// spansOfOthers are those for each span about retries: a request that one
// service makes of another comes with those of its handler, its queries of a
// database and its messages.
const spansOfOthers = 4

// others makes the telemetry that comes with an export where retries are not
// alone: spans of a server, a database and a queue, and the metrics of an HTTP
// server and of a runtime, with the attributes of the semantic conventions.
type others struct {
	random  *rand.Rand
	metrics pmetric.Metrics
	spans   ptrace.Traces
}

func newOthers(e *telemetrygen.Export) *others {
	o := &others{random: rand.New(rand.NewPCG(uint64(e.Time.UnixNano()), uint64(e.Replica))), metrics: pmetric.NewMetrics(), spans: ptrace.NewTraces()}
	at := pcommon.NewTimestampFromTime(e.Time)
	rs := o.spans.ResourceSpans().AppendEmpty()
	o.resource(rs.Resource(), e)
	for i, scope := range []string{"go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp", "github.com/XSAM/otelsql", "messaging"} {
		ss := rs.ScopeSpans().AppendEmpty()
		ss.Scope().SetName(scope)
		for range len(e.Spans) * spansOfOthers / 3 {
			o.span(ss.Spans().AppendEmpty(), i, at)
		}
	}
	rm := o.metrics.ResourceMetrics().AppendEmpty()
	o.resource(rm.Resource(), e)
	sm := rm.ScopeMetrics().AppendEmpty()
	sm.Scope().SetName("go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp")
	for _, name := range []string{"http.server.request.duration", "http.server.request.body.size", "http.server.response.body.size"} {
		m := sm.Metrics().AppendEmpty()
		m.SetName(name)
		h := m.SetEmptyHistogram()
		h.SetAggregationTemporality(pmetric.AggregationTemporalityCumulative)
		for route := range 20 {
			p := h.DataPoints().AppendEmpty()
			p.SetStartTimestamp(at - 3600e9)
			p.SetTimestamp(at)
			p.Attributes().PutStr("http.request.method", "GET")
			p.Attributes().PutStr("http.route", fmt.Sprintf("/v1/resource-%d/{id}", route))
			p.Attributes().PutInt("http.response.status_code", 200)
			p.Attributes().PutStr("network.protocol.version", "1.1")
			p.ExplicitBounds().FromRaw([]float64{.005, .01, .025, .05, .075, .1, .25, .5, .75, 1, 2.5, 5, 7.5, 10})
			counts := make([]uint64, 15)
			for i := range counts {
				counts[i] = o.random.Uint64N(10000)
			}
			p.BucketCounts().FromRaw(counts)
			p.SetCount(o.random.Uint64N(150000))
			p.SetSum(o.random.Float64() * 10000)
		}
	}
	return o
}

func (o *others) resource(r pcommon.Resource, e *telemetrygen.Export) {
	r.Attributes().PutStr("service.name", "checkout")
	r.Attributes().PutStr("service.instance.id", fmt.Sprint("replica-", e.Replica))
	r.Attributes().PutStr("k8s.pod.name", fmt.Sprintf("checkout-6c5b8f7d9-%05d", e.Replica))
	r.Attributes().PutStr("telemetry.sdk.language", "go")
}

func (o *others) span(s ptrace.Span, kind int, at pcommon.Timestamp) {
	var trace pcommon.TraceID
	var id, parent pcommon.SpanID
	for i := range trace {
		trace[i] = byte(o.random.Uint32())
	}
	for i := range id {
		id[i], parent[i] = byte(o.random.Uint32()), byte(o.random.Uint32())
	}
	s.SetTraceID(trace)
	s.SetSpanID(id)
	s.SetParentSpanID(parent)
	s.SetStartTimestamp(at - pcommon.Timestamp(o.random.Uint64N(1e9)))
	s.SetEndTimestamp(at)
	a := s.Attributes()
	switch kind {
	case 0:
		s.SetName("GET /v1/resource/{id}")
		s.SetKind(ptrace.SpanKindServer)
		a.PutStr("http.request.method", "GET")
		a.PutStr("http.route", "/v1/resource/{id}")
		a.PutStr("url.path", fmt.Sprintf("/v1/resource/%d", o.random.Uint64N(1e6)))
		a.PutStr("url.scheme", "https")
		a.PutStr("server.address", "checkout.example.com")
		a.PutInt("http.response.status_code", 200)
		a.PutStr("user_agent.original", "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36")
	case 1:
		s.SetName("SELECT orders")
		s.SetKind(ptrace.SpanKindClient)
		a.PutStr("db.system.name", "postgresql")
		a.PutStr("db.namespace", "orders")
		a.PutStr("db.query.text", `SELECT "id", "total" FROM orders WHERE customer = $1 AND state = 'open' ORDER BY id LIMIT 20`)
		a.PutStr("server.address", "orders.db.internal")
		a.PutInt("server.port", 5432)
	case 2:
		s.SetName("send order-events")
		s.SetKind(ptrace.SpanKindProducer)
		a.PutStr("messaging.system", "kafka")
		a.PutStr("messaging.destination.name", "order-events")
		a.PutInt("messaging.kafka.offset", int64(o.random.Uint64N(1e9)))
		a.PutStr("messaging.client.id", "checkout-1")
	}
}

func mixedJSON(t testing.TB) func(*telemetrygen.Export) [][]byte {
	return func(e *telemetrygen.Export) [][]byte {
		o := newOthers(e)
		m, err := (&pmetric.JSONMarshaler{}).MarshalMetrics(o.metrics)
		require.NoError(t, err)
		s, err := (&ptrace.JSONMarshaler{}).MarshalTraces(o.spans)
		require.NoError(t, err)
		return append(jsonLines(e), append(m, '\n'), append(s, '\n'))
	}
}

func mixedFrames(t testing.TB) func(*telemetrygen.Export) [][]byte {
	return func(e *telemetrygen.Export) [][]byte {
		o := newOthers(e)
		m, err := (&pmetric.ProtoMarshaler{}).MarshalMetrics(o.metrics)
		require.NoError(t, err)
		s, err := (&ptrace.ProtoMarshaler{}).MarshalTraces(o.spans)
		require.NoError(t, err)
		return append(protoFrames(e), telemetrygen.Prefixed(m), telemetrygen.Prefixed(s))
	}
}
