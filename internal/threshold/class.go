package threshold

import (
	"slices"
	"strconv"

	"github.com/retrykit/retrykit/internal/contract"
	"github.com/retrykit/retrykit/internal/figures"
)

// classNames are the error classes that otelretry names itself, and gRPC's
// status codes, https://grpc.github.io/grpc/core/md_doc_statuscodes.html.
var classNames = []string{
	"attempt_timeout", "broken_pipe", "canceled", "connection_refused", "connection_reset", "dns", "timeout", "unexpected_eof",
	contract.Other, figures.UnknownClass,
	"CANCELLED", "UNKNOWN", "INVALID_ARGUMENT", "DEADLINE_EXCEEDED", "NOT_FOUND", "ALREADY_EXISTS", "PERMISSION_DENIED",
	"RESOURCE_EXHAUSTED", "FAILED_PRECONDITION", "ABORTED", "OUT_OF_RANGE", "UNIMPLEMENTED", "INTERNAL", "UNAVAILABLE",
	"DATA_LOSS", "UNAUTHENTICATED",
}

// KnownClass reports whether a class is one that otelretry may give an error of
// itself: a name of its own, a gRPC status, an HTTP status, or a SQLSTATE, which
// is five digits and capital letters. Others come from the user's own errors.
func KnownClass(class string) bool {
	if status, err := strconv.Atoi(class); err == nil && len(class) == 3 {
		return status >= 100 && status < 600
	}
	return slices.Contains(classNames, class) || sqlState(class)
}

func sqlState(class string) bool {
	digits := 0
	for _, c := range []byte(class) {
		switch {
		case c >= '0' && c <= '9':
			digits++
		case c < 'A' || c > 'Z':
			return false
		}
	}
	return len(class) == 5 && digits > 0
}
