package cli

import (
	"fmt"
	"time"

	"github.com/retrykit/retrykit/internal/reader"
)

// showProgress shows on a terminal how far reading is, once it takes longer
// than a moment; the function that it returns ends that.
func showProgress(env Env, p *reader.Progress) (stop func()) {
	if env.Terminal == nil || !env.Terminal(env.Stderr) {
		return func() {}
	}
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		start := time.Now()
		ticker := time.NewTicker(500 * time.Millisecond)
		defer ticker.Stop()
		shown := false
		for {
			select {
			case <-done:
				if shown {
					fmt.Fprint(env.Stderr, "\r\x1b[K")
				}
				return
			case now := <-ticker.C:
				fmt.Fprint(env.Stderr, "\r\x1b[K"+progressLine(p, now.Sub(start)))
				shown = true
			}
		}
	}()
	return func() { close(done); <-ended }
}

func progressLine(p *reader.Progress, elapsed time.Duration) string {
	read, total := p.Done()
	rate := float64(read) / elapsed.Seconds()
	line := fmt.Sprintf("read %.1f MB at %.0f MB/s", float64(read)/1e6, rate/1e6)
	if total > 0 && rate > 0 {
		left := time.Duration(float64(total-read) / rate * float64(time.Second))
		line += fmt.Sprintf(", %.0f %%, %s left", 100*float64(read)/float64(total), left.Round(time.Second))
	}
	return line
}
