package otelretry

import (
	"reflect"
	"sync"
)

// gRPC's status codes, https://grpc.github.io/grpc/core/md_doc_statuscodes.html.
// The core doesn't import gRPC.
const (
	grpcOK                = 0
	grpcCanceled          = 1
	grpcDeadlineExceeded  = 4
	grpcResourceExhausted = 8
	grpcUnavailable       = 14
	grpcLastCode          = 16
)

var grpcCodeNames = [grpcLastCode + 1]string{
	"OK", "CANCELLED", "UNKNOWN", "INVALID_ARGUMENT", "DEADLINE_EXCEEDED", "NOT_FOUND", "ALREADY_EXISTS",
	"PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION", "ABORTED", "OUT_OF_RANGE", "UNIMPLEMENTED",
	"INTERNAL", "UNAVAILABLE", "DATA_LOSS", "UNAUTHENTICATED",
}

// ClassifyGRPC knows errors that carry a gRPC status (a method GRPCStatus with
// a result that has a method Code), as [GRPCCodeClass] says.
func ClassifyGRPC(err error) Class { return visit(err, grpcClass) }

func grpcClass(err error) Class {
	if code, ok := grpcCode(err); ok {
		return GRPCCodeClass(code)
	}
	return ClassUnknown
}

// GRPCCodeClass classifies a gRPC status code: UNAVAILABLE is transient;
// DEADLINE_EXCEEDED is ambiguous; the rest is permanent. RESOURCE_EXHAUSTED
// is worth a retry only with a hint of the server (see [RetryAfter]), and
// ABORTED only together with the whole transaction (see [Retryable]). CANCELLED
// is unknown, as context.Canceled is, and so not retried; OK and numbers that
// aren't codes are unknown too.
func GRPCCodeClass(code uint32) Class {
	switch {
	case code == grpcUnavailable:
		return ClassTransient
	case code == grpcDeadlineExceeded:
		return ClassAmbiguous
	case code != grpcOK && code != grpcCanceled && code <= grpcLastCode:
		return ClassPermanent
	}
	return ClassUnknown
}

// grpcCode reads GRPCStatus().Code() by reflection, so that gRPC stays out of
// the build of those who don't use it. The names are constants in the calls:
// otherwise the linker would have to keep every method of the program.
func grpcCode(err error) (uint32, bool) {
	if !hasGRPCStatus(err) {
		return 0, false
	}
	status := result(reflect.ValueOf(err).MethodByName("GRPCStatus"))
	if !status.IsValid() || status.Kind() == reflect.Pointer && status.IsNil() {
		return 0, false
	}
	code := result(status.MethodByName("Code"))
	if !code.IsValid() || !code.CanUint() {
		return 0, false
	}
	return uint32(code.Uint()), true
}

// grpcStatusTypes remembers which types of error have a method GRPCStatus:
// the search costs more than everything else on the way of a failure.
var grpcStatusTypes sync.Map // reflect.Type to bool

func hasGRPCStatus(err error) bool {
	t := reflect.TypeOf(err)
	if known, ok := grpcStatusTypes.Load(t); ok {
		return known.(bool)
	}
	_, has := t.MethodByName("GRPCStatus")
	grpcStatusTypes.Store(t, has)
	return has
}

// result calls a method without arguments and with one result.
func result(method reflect.Value) reflect.Value {
	if !method.IsValid() || method.Type().NumIn() != 0 || method.Type().NumOut() != 1 {
		return reflect.Value{}
	}
	return method.Call(nil)[0]
}
