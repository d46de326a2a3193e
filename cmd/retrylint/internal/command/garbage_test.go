package command

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// percent is how much the heap may grow between two collections.
func percent() int {
	read := []metrics.Sample{{Name: "/gc/gogc:percent"}}
	metrics.Read(read)
	return int(read[0].Value.Uint64())
}

// Not parallel: it is about the whole process.
func TestGarbageIsCollectedAsUsualAfterTheFirstTime(t *testing.T) {
	before := debug.SetGCPercent(100)
	defer debug.SetGCPercent(before)

	t.Setenv("GOGC", "30")
	collectLater()
	require.Equal(t, 100, percent(), "who sets GOGC decides")

	t.Setenv("GOGC", "")
	collectLater()
	assert.Equal(t, 100*firstCollection, percent())
	assert.Eventually(t, func() bool {
		runtime.GC()
		return percent() == 100
	}, 10*time.Second, time.Millisecond)
}
