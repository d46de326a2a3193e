package dialect

import "github.com/retrykit/retrykit/internal/contract"

// Table returns every dialect, otelretry's own first.
func Table() []Dialect {
	return []Dialect{own(), grpc(), awsSDKGoV2(), envoy(), resilience4j(), polly(), linkerd(), failsafe()}
}

// counter and histogram are short for the metrics of the table.
func counter(name, unit string) contract.Metric {
	return contract.Metric{Name: name, Instrument: contract.Counter, Unit: unit}
}

func histogram(name, unit string) contract.Metric {
	return contract.Metric{Name: name, Instrument: contract.Histogram, Unit: unit}
}

func grpc() Dialect {
	dep, op, status := []string{"grpc.target"}, []string{"grpc.method"}, []string{"grpc.status"}
	call := histogram("grpc.client.call.duration", "s")
	return Dialect{
		Name:     "gRPC",
		Source:   "gRFC A66 and A96",
		CantTell: "which attempt succeeded, what retries were for, and the latency that they added; hedges count as retries",
		Rules: []Rule{
			{Metric: call, Role: Requests, Part: Count, Dependency: dep, Operation: op, Partial: true, Outcome: "grpc.status", Outcomes: map[string]string{
				"OK": OutcomeSuccess, "CANCELLED": contract.Canceled, "DEADLINE_EXCEEDED": contract.DeadlineExceeded, "": OutcomeFailure,
			}},
			{Metric: call, Role: RequestDuration, Dependency: dep, Operation: op, Class: status},
			{Metric: histogram("grpc.client.attempt.duration", "s"), Role: Attempts, Part: Count, Dependency: dep, Operation: op, Class: status},
			{Metric: histogram("grpc.client.call.retries", "{retry}"), Role: RetryTotal, Part: Total, Dependency: dep, Operation: op},
			{Metric: histogram("grpc.client.call.hedges", "{hedge}"), Role: RetryTotal, Part: Total, Dependency: dep, Operation: op},
			{Metric: histogram("grpc.client.call.transparent_retries", "{transparent_retry}"), Role: RetryTotal, Part: Total, Dependency: dep, Operation: op},
		},
	}
}

func awsSDKGoV2() Dialect {
	dep, op := []string{"rpc.service"}, []string{"rpc.method"}
	call := histogram("client.call.duration", "s")
	return Dialect{
		Name:     "AWS SDK for Go v2",
		Source:   "the SDK's guide to metrics; names of smithy-go's metrics",
		CantTell: "which calls failed in the end: its errors count attempts",
		Rules: []Rule{
			{Metric: call, Role: Requests, Part: Count, Dependency: dep, Operation: op},
			{Metric: call, Role: RequestDuration, Dependency: dep, Operation: op},
			{Metric: counter("client.call.attempts", "{attempt}"), Role: Attempts, Dependency: dep, Operation: op},
		},
	}
}

func envoy() Dialect {
	dep := []string{"envoy_cluster_name", "envoy.cluster_name"}
	plain := func(name string, role Role) Rule {
		return Rule{Metric: counter(name, ""), Role: role, Dependency: dep}
	}
	completed := plain("envoy_cluster_upstream_rq_xx", Requests)
	completed.Partial = true
	completed.Outcome = "envoy_response_code_class"
	completed.Outcomes = map[string]string{"5": OutcomeFailure, "": OutcomeSuccess}
	byCode := plain("envoy_cluster_retry_upstream_rq", Retries)
	byCode.Class = []string{"envoy_response_code"}
	return Dialect{
		Name:     "Envoy",
		Source:   "Envoy's cluster manager and router statistics, as its Prometheus endpoint names them",
		CantTell: "which attempt succeeded, and the latency that retries added; 4xx counts as success",
		Rules: []Rule{
			completed,
			plain("envoy_cluster_upstream_rq_total", Attempts),
			plain("envoy_cluster_upstream_rq_retry", RetryTotal),
			byCode,
			plain("envoy_cluster_upstream_rq_retry_overflow", BudgetRejections),
		},
	}
}

func resilience4j() Dialect {
	return Dialect{
		Name:     "Resilience4j",
		Source:   "Resilience4j's Micrometer module",
		CantTell: "how many attempts there were, what they failed of, and how long they took",
		Rules: []Rule{{
			Metric: counter("resilience4j.retry.calls", ""), Role: Requests, Dependency: []string{"name"}, Partial: true,
			Outcome: "kind", Outcomes: map[string]string{
				"successful_without_retry": contract.FirstAttemptSuccess,
				"successful_with_retry":    contract.RetriedSuccess,
				"failed_with_retry":        contract.AttemptsExhausted,
				"failed_without_retry":     contract.NotRetryable,
			},
		}},
	}
}

func polly() Dialect {
	dep, op, class := []string{"pipeline.name"}, []string{"operation.key"}, []string{"exception.type"}
	pipeline := histogram("resilience.polly.pipeline.duration", "ms")
	attempt := histogram("resilience.polly.strategy.attempt.duration", "ms")
	firstSuccess := map[string]string{"attempt.number": "0", "attempt.handled": "false", "exception.type": ""}
	return Dialect{
		Name:     "Polly",
		Source:   "Polly's documentation of its telemetry",
		CantTell: "the latency that retries added, and why a request failed",
		Rules: []Rule{
			{Metric: pipeline, Role: RequestDuration, Factor: 1e-3, Dependency: dep, Operation: op},
			{Metric: pipeline, Role: Requests, Part: Count, Dependency: dep, Operation: op, Partial: true, Only: map[string]string{"exception.type": "*"}, Fixed: OutcomeFailure},
			// Successes of the pipeline are retried ones but for those of a first
			// attempt.
			{Metric: pipeline, Role: Requests, Part: Count, Dependency: dep, Operation: op, Partial: true, Only: map[string]string{"exception.type": ""}, Fixed: contract.RetriedSuccess},
			{Metric: attempt, Role: Requests, Part: Count, Dependency: dep, Operation: op, Partial: true, Only: firstSuccess, Fixed: contract.FirstAttemptSuccess},
			{Metric: attempt, Role: Requests, Part: Count, Factor: -1, Dependency: dep, Operation: op, Partial: true, Only: firstSuccess, Fixed: contract.RetriedSuccess},
			{Metric: attempt, Role: Attempts, Part: Count, Dependency: dep, Operation: op, Class: class},
			{Metric: counter("resilience.polly.strategy.events", ""), Role: Retries, Dependency: dep, Operation: op, Class: class, Only: map[string]string{"event.name": "OnRetry"}},
		},
	}
}

func linkerd() Dialect {
	outbound := map[string]string{"direction": "outbound"}
	dep, op := []string{"dst"}, []string{"rt_route"}
	parent, route := []string{"parent_name"}, []string{"route_name"}
	plain := func(name string, role Role) Rule {
		return Rule{Metric: counter(name, ""), Role: role, Dependency: parent, Operation: route}
	}
	return Dialect{
		Name:     "Linkerd",
		Source:   "Linkerd's reference of proxy metrics and of retries",
		CantTell: "which attempt succeeded, what retries were for, and the latency that they added",
		Rules: []Rule{
			// Of service profiles: effective and actual.
			{Metric: counter("route_response_total", ""), Role: Requests, Dependency: dep, Operation: op, Only: outbound, Partial: true,
				Outcome: "classification", Outcomes: map[string]string{"success": OutcomeSuccess, "": OutcomeFailure}},
			{Metric: counter("route_actual_response_total", ""), Role: Attempts, Dependency: dep, Operation: op, Only: outbound},
			// Of HTTPRoutes and Services.
			plain("outbound_http_route_request_statuses_total", Requests),
			plain("outbound_http_route_retry_requests_total", RetryTotal),
			plain("outbound_http_route_retry_overflow_total", BudgetRejections),
		},
	}
}

func failsafe() Dialect {
	dep := []string{"failsafe.retry_policy.name"}
	return Dialect{
		Name:     "OpenTelemetry Java, Failsafe",
		Source:   "the instrumentation's documentation, failsafe-3.0",
		CantTell: "which attempt succeeded, what retries were for, and how long they took",
		Rules: []Rule{
			{Metric: counter("failsafe.retry_policy.execution.count", "{execution}"), Role: Requests, Dependency: dep, Partial: true,
				Outcome: "failsafe.retry_policy.outcome", Outcomes: map[string]string{"success": OutcomeSuccess, "": OutcomeFailure}},
			{Metric: histogram("failsafe.retry_policy.attempts", "{attempt}"), Role: RequestAttempts, Dependency: dep},
			{Metric: histogram("failsafe.retry_policy.attempts", "{attempt}"), Role: Attempts, Part: Total, Dependency: dep},
		},
	}
}
