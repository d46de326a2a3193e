package sites_test

import (
	"bytes"
	"encoding/json"
	"go/token"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/retrykit/retrykit/analyzer/inventory"
	"github.com/retrykit/retrykit/cmd/retrylint/internal/sites"
)

func site(function string, line int, attempts int64, callees ...string) *inventory.Site {
	s := &inventory.Site{
		Position: token.Position{Filename: "/src/" + function[:1] + ".go", Line: line}, Function: function,
		Kind: "loop", Operation: "op", Reach: "remote", Callees: callees, Attempts: inventory.Attempts{Bound: "const", Max: &attempts},
		Time: inventory.Time{Limit: "none"}, Context: inventory.Context{Origin: "param"}, Waits: []inventory.Wait{}, Inspections: []string{}, Inside: -1,
	}
	if attempts == 0 {
		s.Attempts = inventory.Attempts{Bound: "none"}
	}
	return s
}

// chain is a -> helper -> b -> c, across three packages, and a loop of two
// sites that call each other.
func chain() []sites.Package {
	inside := site("c.C", 9, 2)
	inside.Inside = 0
	return []sites.Package{
		{Package: &inventory.Package{Sites: []*inventory.Site{site("a.A", 1, 3, "a.helper")}, Calls: map[string][]string{"a.helper": {"b.B", "x.unknown"}}}},
		{Package: &inventory.Package{Sites: []*inventory.Site{site("b.B", 2, 4, "c.C")}, Calls: map[string][]string{"b.B": {"c.C"}}}},
		{Package: &inventory.Package{Sites: []*inventory.Site{site("c.C", 3, 5), inside}}},
		{Package: &inventory.Package{Sites: []*inventory.Site{site("p.P", 1, 2, "q.Q")}}},
		{Package: &inventory.Package{Sites: []*inventory.Site{site("q.Q", 1, 2, "p.P")}}},
		{Package: &inventory.Package{Sites: []*inventory.Site{site("u.U", 1, 0)}}},
		{Package: &inventory.Package{Sites: []*inventory.Site{site("v.V", 1, 2, "u.U")}}},
		// The variant for tests of the first package.
		{Package: &inventory.Package{Sites: []*inventory.Site{site("a.A", 1, 3, "a.helper")}, Calls: map[string][]string{"a.helper": {"b.B"}}}},
	}
}

func TestOf(t *testing.T) {
	inv := sites.Of(chain())
	worst := make(map[string]any)
	for _, s := range inv.Sites {
		key := s.Function
		if s.Inside >= 0 {
			key += " inner"
		}
		worst[key] = nil
		if s.WorstAttempts != nil {
			worst[key] = *s.WorstAttempts
		}
	}
	assert.Equal(t, map[string]any{
		"a.A": int64(3 * 4 * 5 * 2), "b.B": int64(4 * 5 * 2), "c.C": int64(10), "c.C inner": int64(2),
		"p.P": nil, "q.Q": nil, // below themselves
		"u.U": nil, "v.V": nil, // not bounded
	}, worst)
}

func TestTree(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, sites.Of(chain()).Tree(&out, "/src"))
	assert.Equal(t, `a.go:1  op  3 x 40 = 120 attempts
└─ b.go:2  op  4 x 10 = 40 attempts, through a.helper -> b.B
   └─ c.go:3  op  5 x 2 = 10 attempts, through c.C
      └─ c.go:9  op  2 attempts
p.go:1  op  2 attempts
└─ q.go:1  op  2 attempts, through q.Q
   └─ p.go:1  op  2 attempts, through p.P
      └─ again, and so on
q.go:1  op  2 attempts
└─ p.go:1  op  2 attempts, through p.P
   └─ q.go:1  op  2 attempts, through q.Q
      └─ again, and so on
v.go:1  op  2 attempts
└─ u.go:1  op  attempts without a bound, through u.U
`, out.String())
}

func TestTableAndJSON(t *testing.T) {
	one, half := 1.0, 0.5
	s := site("a.A", 1, 3)
	s.Library, s.Kind = "backoff.Retry", "library"
	s.Time = inventory.Time{Limit: "context", Seconds: &one, PerAttempt: true}
	s.Waits = []inventory.Wait{{How: "library", Seconds: &half, Grows: "yes", Capped: "yes", Jittered: "yes"}, {How: "timer"}}
	s.Inspections = []string{"errors.Is", "status"}
	inv := sites.Of([]sites.Package{{Package: &inventory.Package{Sites: []*inventory.Site{s}}, Module: "example.com/m@v1.2.3", ModuleDir: "/src"}})

	var table bytes.Buffer
	require.NoError(t, inv.Table(&table, "/src"))
	assert.Contains(t, table.String(), "a.go:1  op         backoff.Retry  3         1s, each attempt  library 500ms, grows to a cap, jitter and 1 more  param    errors.Is, status  3 attempts, 1s")

	var object bytes.Buffer
	require.NoError(t, inv.JSON(&object))
	var parsed struct {
		Sites []map[string]any `json:"sites"`
	}
	require.NoError(t, json.Unmarshal(object.Bytes(), &parsed))
	require.Len(t, parsed.Sites, 1)
	assert.Equal(t, "/src/a.go", parsed.Sites[0]["file"])
	assert.EqualValues(t, 3, parsed.Sites[0]["worst_attempts"])

	assert.Equal(t, "example.com/m@v1.2.3", parsed.Sites[0]["module"])

	var elsewhere bytes.Buffer
	require.NoError(t, inv.Table(&elsewhere, "/home"))
	assert.Contains(t, elsewhere.String(), "\nexample.com/m@v1.2.3/a.go:1 ")

	var empty bytes.Buffer
	require.NoError(t, sites.Of(nil).JSON(&empty))
	assert.Contains(t, empty.String(), `"sites": []`)
}
