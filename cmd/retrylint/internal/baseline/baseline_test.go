package baseline_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/retrykit/retrykit/cmd/retrylint/internal/baseline"
	"github.com/retrykit/retrykit/cmd/retrylint/internal/finding"
)

func found(check, function, snippet string, line int) finding.Finding {
	return finding.Finding{Check: check, Package: strings.SplitN(function, ".", 2)[0], Function: function, Snippet: snippet, Range: finding.Range{Start: finding.Position{Line: line}}}
}

func always(string) bool { return true }

func TestFilter(t *testing.T) {
	known := baseline.Of([]finding.Finding{
		found("bareretry", "p.F", "for {", 3),
		found("bareretry", "p.F", "for {", 9),
		found("freshkey", "p.F", "id := uuid.New()", 4),
		found("blindsleep", "p.G", "time.Sleep(d)", 30),
		found("other", "p.G", "x", 31),
		found("bareretry", "q.H", "x", 31),
	})
	fresh, stale := known.Filter([]finding.Finding{
		found("bareretry", "p.F", "for {", 103),           // moved
		found("bareretry", "p.F", "for  {", 109),          // formatted
		found("bareretry", "p.F", "for {", 120),           // one more
		found("freshkey", "p.F", "id := uuid.NewV7()", 4), // changed
		found("freshkey", "p.G", "id := uuid.New()", 4),   // elsewhere
	}, func(check string) bool { return check != "other" }, func(pkg string) bool { return pkg == "p" })

	assert.Equal(t, []finding.Finding{
		found("bareretry", "p.F", "for {", 120),
		found("freshkey", "p.F", "id := uuid.NewV7()", 4),
		found("freshkey", "p.G", "id := uuid.New()", 4),
	}, fresh)
	assert.Equal(t, []finding.Key{
		{Check: "freshkey", Function: "p.F", Snippet: "id := uuid.New()"},
		{Check: "blindsleep", Function: "p.G", Snippet: "time.Sleep(d)"},
	}, stale, "what did not run, or was not analysed, is not stale")
}

// What was written knows all it was made of, and nothing of it is stale.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		findings := rapid.SliceOf(rapid.Custom(func(t *rapid.T) finding.Finding {
			return found(rapid.SampledFrom([]string{"a", "b"}).Draw(t, "check"), rapid.StringMatching(`[a-zé.]*`).Draw(t, "function"),
				rapid.String().Draw(t, "snippet"), rapid.Int().Draw(t, "line"))
		})).Draw(t, "findings")
		b, err := baseline.Parse(baseline.Of(findings).JSON())
		require.NoError(t, err)
		fresh, stale := b.Filter(findings, always, always)
		assert.Empty(t, fresh)
		assert.Empty(t, stale)
	})
}

func TestReadRefuses(t *testing.T) {
	tests := map[string]struct{ content, want string }{
		"other JSON":  {`{"findings": [], "more": 1}`, "unknown field"},
		"no JSON":     {"go 1.26", "is no baseline"},
		"empty":       {"", "EOF"},
		"version":     {`{"version": 7, "findings": []}`, "version 7"},
		"no count":    {`{"version": 1, "findings": [{"check": "a"}]}`, "count below 1"},
		"two objects": {`{"version": 1} {"version": 1}`, "follows"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "b.json")
			require.NoError(t, os.WriteFile(file, []byte(tt.content), 0o644))
			_, err := baseline.Read(file)
			assert.ErrorContains(t, err, tt.want)
			assert.ErrorContains(t, err, "-write-baseline="+file)
		})
	}
	_, err := baseline.Read(filepath.Join(t.TempDir(), "nosuch"))
	assert.ErrorIs(t, err, os.ErrNotExist)
}

func FuzzParse(f *testing.F) {
	f.Add(baseline.Of([]finding.Finding{found("a", "p.F", "x", 1)}).JSON())
	f.Add([]byte(`{"version":1,"findings":[{"check":"a","count":9223372036854775807},{"check":"a","count":1}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		b, err := baseline.Parse(data)
		if err != nil {
			return
		}
		again, err := baseline.Parse(b.JSON())
		require.NoError(t, err)
		assert.Equal(t, len(b.Entries), len(again.Entries))
		b.Filter([]finding.Finding{found("a", "p.F", "x", 1)}, always, always)
	})
}
