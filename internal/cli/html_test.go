package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
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
	code, html, stderr := run(t, "", "report", "-f", "html", input)
	require.Equal(t, 0, code, stderr)
	report := filepath.Join(t.TempDir(), "report.html")
	require.NoError(t, os.WriteFile(report, []byte(html), 0o600))

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
	screenReadersHaveIt(t, limited)
	paperHasIt(t, limited)
	mu.Lock()
	defer mu.Unlock()
	assert.Empty(t, exceptions)
}

// screenReadersHaveIt looks at what the browser tells assistive technology:
// every picture and table has a name, headings lead through the page, and what
// scrolls can be reached by keyboard.
func screenReadersHaveIt(t *testing.T, ctx context.Context) {
	t.Helper()
	tree, err := chromedp.Call(ctx, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{})
	require.NoError(t, err)
	named := map[string]int{}
	for _, node := range tree.Nodes {
		if node.Ignored || node.Role == nil {
			continue
		}
		var role, name string
		require.NoError(t, json.Unmarshal(node.Role.Value, &role))
		if node.Name != nil {
			require.NoError(t, json.Unmarshal(node.Name.Value, &name))
		}
		switch role {
		case "image", "table", "region", "heading", "columnheader":
			assert.NotEmpty(t, name, "a %s without a name", role)
			named[role]++
		}
	}
	assert.Equal(t, 4, named["image"], "the plots")
	assert.GreaterOrEqual(t, named["table"], 1)
	assert.GreaterOrEqual(t, named["heading"], 4)
	assert.Greater(t, named["columnheader"], 10)
	for script, want := range map[string]int{
		`document.documentElement.lang === "en" ? 1 : 0`: 1,
		`document.querySelectorAll("h1").length`:         1,
		`[...document.querySelectorAll("table:not(.u-legend)")].filter(t => !t.caption && !t.getAttribute("aria-labelledby")).length`:         0,
		`[...document.querySelectorAll("table:not(.u-legend) th")].filter(h => !h.scope).length`:                                              0,
		`[...document.querySelectorAll("[aria-labelledby]")].filter(e => !document.getElementById(e.getAttribute("aria-labelledby"))).length`: 0,
		`[...document.querySelectorAll(".wide")].filter(e => e.tabIndex !== 0).length`:                                                        0,
		`new Set([...document.querySelectorAll("[id]")].map(e => e.id)).size - document.querySelectorAll("[id]").length`:                      0,
	} {
		got, err := chromedp.Run(ctx, chromedp.Evaluate[int](script))
		require.NoError(t, err, script)
		assert.Equal(t, want, got, script)
	}
}

// paperHasIt prints the page: nothing is cut off at the side, the plots are on
// it, and what unfolds on a screen is left out.
func paperHasIt(t *testing.T, ctx context.Context) {
	t.Helper()
	printed, err := chromedp.Call(ctx, page.PrintToPDF, page.PrintToPDFParams{})
	require.NoError(t, err)
	assert.True(t, bytes.HasPrefix(printed.Data, []byte("%PDF-")))
	assert.Greater(t, len(printed.Data), 20_000, "text and pictures")
	_, err = chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"})
	require.NoError(t, err)
	for script, want := range map[string]int{
		`[...document.querySelectorAll("details")].filter(e => getComputedStyle(e).display !== "none").length`:     0,
		`[...document.querySelectorAll(".plot canvas")].filter(c => c.getBoundingClientRect().height < 50).length`: 0,
		`getComputedStyle(document.querySelector(".wide")).overflowX === "visible" ? 1 : 0`:                        1,
		`getComputedStyle(document.querySelector("figure")).breakInside === "avoid" ? 1 : 0`:                       1,
	} {
		got, err := chromedp.Run(ctx, chromedp.Evaluate[int](script))
		require.NoError(t, err, script)
		assert.Equal(t, want, got, script)
	}
}
