package promapi_test

import (
	"testing"

	"go.uber.org/goleak"
)

// Connections to a server are not kept past the question: watch asks for days.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
