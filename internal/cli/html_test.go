package cli_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/retrykit/retrykit/internal/telemetrygen"
)

// TestHTMLInABrowser opens the HTML report in a real browser: its plots are
// drawn, scripts raise nothing, and it asks the network for nothing.
func TestHTMLInABrowser(t *testing.T) {
	browser := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			browser = path
			break
		}
	}
	if browser == "" {
		if os.Getenv("RETRYKIT_REQUIRE_E2E") == "1" {
			t.Fatal("a Chromium is required")
		}
		t.Skip("no Chromium is installed")
	}
	input := filepath.Join(t.TempDir(), "in.jsonl")
	require.NoError(t, os.WriteFile(input, generated(t, telemetrygen.Config{Requests: 3000}), 0o600))
	code, page, stderr := run(t, "", "report", "-f", "html", input)
	require.Equal(t, 0, code, stderr)
	report := filepath.Join(t.TempDir(), "report.html")
	require.NoError(t, os.WriteFile(report, []byte(page), 0o600))

	ctx, cancel := chromedp.NewExecAllocator(t.Context(), append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(browser), chromedp.NoSandbox, chromedp.WindowSize(1200, 1400), chromedp.WSURLReadTimeout(90*time.Second))...)
	defer cancel()
	ctx, cancel = chromedp.NewContext(ctx)
	defer cancel()
	var mu sync.Mutex
	var exceptions []string
	require.NoError(t, chromedp.Listen(ctx, func(event any) {
		if e, ok := event.(*runtime.EventExceptionThrown); ok {
			mu.Lock()
			defer mu.Unlock()
			exceptions = append(exceptions, e.ExceptionDetails.Text)
		}
	}))
	limited, cancel := context.WithTimeout(ctx, 2*time.Minute)
	defer cancel()
	require.NoError(t, chromedp.Do(limited, chromedp.Navigate("file://"+report), chromedp.WaitVisible("html[data-plots] canvas")))
	title, err := chromedp.Run(limited, chromedp.Title())
	require.NoError(t, err)
	assert.Equal(t, "What retries cost", title)
	for script, want := range map[string]int{
		`Number(document.documentElement.dataset.plots)`:                                                                                                      4,
		`document.querySelectorAll("#operations ~ .wide tbody tr").length`:                                                                                    3, // two operations and the total
		`[...document.querySelectorAll("[role=img]")].filter(e => e.getAttribute("aria-label").includes("from ")).length`:                                     4,
		`document.querySelectorAll("figure details table").length`:                                                                                            4,
		`[...document.querySelectorAll(".plot canvas")].filter(c => c.getContext("2d").getImageData(0, 0, c.width, c.height).data.some(x => x !== 0)).length`: 4,
		`performance.getEntriesByType("resource").length`:                                                                                                     0, // nothing is asked of a network
	} {
		got, err := chromedp.Run(limited, chromedp.Evaluate[int](script))
		require.NoError(t, err, script)
		assert.Equal(t, want, got, script)
	}
	mu.Lock()
	defer mu.Unlock()
	assert.Empty(t, exceptions)
}
