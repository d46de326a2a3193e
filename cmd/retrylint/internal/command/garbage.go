package command

import (
	"os"
	"runtime"
	"runtime/debug"
)

// firstCollection is how large the heap may become, in units of 4 MiB, before
// garbage is collected for the first time.
const firstCollection = 10

// collectLater puts off the first collection of garbage until the heap has 40
// MiB. What is loaded of a package stays, so that the six or seven collections
// that a growing heap has before that find next to nothing; together they take
// a tenth of a run over a module of middle size. From then on the heap may grow
// to twice of what is in use, as always. A GOGC that is set decides by itself.
// It is for a whole process, and called once.
func collectLater() {
	if os.Getenv("GOGC") != "" {
		return
	}
	usual := debug.SetGCPercent(firstCollection * 100) // of 4 MiB, as long as nothing is known to be in use
	type witness struct{ _ *byte }                     // which the first collection finds unused
	runtime.AddCleanup(&witness{}, func(percent int) { debug.SetGCPercent(percent) }, usual)
}
