package main

import (
	"bytes"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"go.uber.org/goleak"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestRun(t *testing.T) {
	for _, tc := range []struct {
		name     string
		failures int64
		code     codes.Code
		printed  string
		fails    codes.Code
		calls    int64
	}{
		{name: "at once", printed: "SERVING, attempts: 1\n", calls: 1},
		{name: "fails twice", failures: 2, code: codes.Unavailable, printed: "SERVING, attempts: 3\n", calls: 3},
		{name: "never recovers", failures: 9, code: codes.Unavailable, fails: codes.Unavailable, calls: 4},
		{name: "is refused", failures: 9, code: codes.PermissionDenied, fails: codes.PermissionDenied, calls: 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &server{failures: tc.failures, code: tc.code}
				var printed bytes.Buffer
				err := run(t.Context(), s, &printed)
				assert.Equal(t, tc.fails, status.Code(err), "%v", err)
				assert.Equal(t, tc.printed, printed.String())
				assert.Equal(t, tc.calls, s.calls.Load())
			})
		})
	}
}
