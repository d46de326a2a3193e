package mixin_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/retrykit/retrykit/internal/contract"
	"github.com/retrykit/retrykit/internal/mixin"
	"github.com/retrykit/retrykit/internal/promname"
	"github.com/retrykit/retrykit/internal/rules"
)

// folder is the mixin of this repository; `make mixin` writes it.
const folder = "../../mixin"

func TestTheFolderIsCurrent(t *testing.T) {
	files, err := mixin.Files(rules.Default())
	require.NoError(t, err)
	for path, want := range files {
		got, err := os.ReadFile(filepath.Join(folder, path))
		require.NoError(t, err, "run: retrystat dashboard --mixin mixin")
		assert.Equal(t, string(want), string(got), "%s is out of date; run: retrystat dashboard --mixin mixin", path)
	}
	err = fs.WalkDir(os.DirFS(folder), ".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && path != "README.md" {
			assert.Contains(t, files, path, "nothing writes it")
		}
		return err
	})
	require.NoError(t, err)
}

func TestEveryAlertHasARunbook(t *testing.T) {
	file, err := rules.Build(rules.Default())
	require.NoError(t, err)
	_, alerts := file.Split()
	seen := map[string]bool{}
	for _, group := range alerts.Groups {
		for _, rule := range group.Rules {
			seen[rule.Alert] = true
			assert.Equal(t, rules.DefaultRunbookURL+"/"+rule.Alert+".md", rule.Annotations["runbook_url"])
			assert.NotEmpty(t, rule.Annotations["summary"])
			assert.NotEmpty(t, rule.Annotations["description"])
			assert.Contains(t, []string{"page", "ticket"}, rule.Labels["severity"])
		}
	}
	for _, alert := range rules.Alerts() {
		assert.True(t, seen[alert], "%s is not among the rules", alert)
		text, err := os.ReadFile(filepath.Join("../../docs/runbooks", alert+".md"))
		require.NoError(t, err)
		for _, heading := range []string{"# " + alert, "## What it means", "## Which layer is it?", "## What to do first"} {
			assert.Contains(t, string(text), heading+"\n", "%s", alert)
		}
	}
}

// What a runbook asks for is there to be asked: recorded series, and the
// metrics and labels that otelretry's are translated to.
func TestRunbooksAskForWhatThereIs(t *testing.T) {
	file, err := rules.Build(rules.Default())
	require.NoError(t, err)
	recorded := map[string]bool{}
	for _, group := range file.Groups {
		for _, rule := range group.Rules {
			recorded[rule.Record] = true
		}
	}
	metrics := map[string]bool{}
	for _, m := range contract.Metrics() {
		metrics[promname.UnderscoreEscapingWithSuffixes.Metric(m)] = true
	}
	pages, err := filepath.Glob("../../docs/runbooks/*.md")
	require.NoError(t, err)
	series := regexp.MustCompile(`retry:[a-z0-9_]+:[a-z0-9_]+`)
	metric := regexp.MustCompile(`otelretry_[a-z_]+[a-z]\b`)
	for _, page := range pages {
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		for _, name := range series.FindAllString(string(text), -1) {
			assert.True(t, recorded[name], "%s: no rule records %s", page, name)
		}
		for _, name := range metric.FindAllString(string(text), -1) {
			assert.True(t, metrics[name], "%s: no metric is called %s", page, name)
		}
	}
}
