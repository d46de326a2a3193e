package schema_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"cuelang.org/go/cue"
	"cuelang.org/go/cue/cuecontext"
	"cuelang.org/go/cue/errors"
	"cuelang.org/go/cue/load"
	cuejson "cuelang.org/go/encoding/json"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	ours "github.com/retrykit/retrykit/internal/dashboard"
	"github.com/retrykit/retrykit/internal/rules"
)

// persesSchemas are Perses' CUE definitions, with what the plugins take in
// terms of them. A context is not safe for concurrent use.
type persesSchemas struct {
	ctx   *cue.Context
	value cue.Value
}

// newPersesSchemas loads the definitions from Perses' module, at the version of
// go.mod, with testdata/plugins.cue as if it were a package of them.
func newPersesSchemas(t *testing.T) persesSchemas {
	t.Helper()
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/perses/perses").Output()
	require.NoError(t, err)
	root := filepath.Join(strings.TrimSpace(string(dir)), "cue")
	plugins, err := os.ReadFile("testdata/plugins.cue")
	require.NoError(t, err)
	instances := load.Instances([]string{"./retrykit"}, &load.Config{
		Dir: root, Overlay: map[string]load.Source{filepath.Join(root, "retrykit", "plugins.cue"): load.FromBytes(plugins)},
	})
	require.Len(t, instances, 1)
	require.NoError(t, instances[0].Err)
	s := persesSchemas{ctx: cuecontext.New()}
	s.value = s.ctx.BuildInstance(instances[0])
	require.NoError(t, s.value.Err())
	return s
}

// complaints is what the definition at path has against the JSON.
func (s persesSchemas) complaints(t *testing.T, path string, data []byte) string {
	t.Helper()
	schema := s.value.LookupPath(cue.ParsePath(path))
	if !schema.Exists() {
		return "no schema for " + path
	}
	expr, err := cuejson.Extract(path, data)
	require.NoError(t, err)
	err = schema.Unify(s.ctx.BuildExpr(expr)).Validate(cue.Concrete(true), cue.Final())
	if err == nil {
		return ""
	}
	return errors.Details(err, nil)
}

// eachPlugin calls do with every plugin in a Perses resource: whatever has a
// kind and a spec and stands under the key plugin, and the transforms' are left
// to the plugin that holds them.
func eachPlugin(node any, do func(kind string, spec any)) {
	switch n := node.(type) {
	case map[string]any:
		for key, value := range n {
			if plugin, ok := value.(map[string]any); ok && key == "plugin" {
				kind, _ := plugin["kind"].(string)
				do(kind, plugin["spec"])
				continue
			}
			eachPlugin(value, do)
		}
	case []any:
		for _, value := range n {
			eachPlugin(value, do)
		}
	}
}

// TestPersesSchemasTakeTheDashboard holds each panel, each layout and the spec of
// each plugin of the dashboard against Perses' CUE definitions.
func TestPersesSchemasTakeTheDashboard(t *testing.T) {
	schemas := newPersesSchemas(t)
	everyNaming(t, func(t *testing.T, s rules.Settings) {
		var text bytes.Buffer
		require.NoError(t, ours.WritePerses(&text, s, "shop"))
		var d map[string]any
		require.NoError(t, json.Unmarshal(text.Bytes(), &d))
		var parts struct {
			Spec struct {
				Panels  map[string]json.RawMessage
				Layouts []json.RawMessage
			}
		}
		require.NoError(t, json.Unmarshal(text.Bytes(), &parts))
		require.NotEmpty(t, parts.Spec.Panels)
		for name, panel := range parts.Spec.Panels {
			assert.Empty(t, schemas.complaints(t, "#panel", panel), name)
		}
		require.NotEmpty(t, parts.Spec.Layouts)
		for _, layout := range parts.Spec.Layouts {
			assert.Empty(t, schemas.complaints(t, "#layout", layout))
		}
		kinds := map[string]int{}
		eachPlugin(d, func(kind string, spec any) {
			kinds[kind]++
			data, err := json.Marshal(spec)
			require.NoError(t, err)
			assert.Empty(t, schemas.complaints(t, "#plugins."+kind, data), "%s: %s", kind, data)
		})
		for _, kind := range []string{
			"TimeSeriesChart", "Table", "StatusHistoryChart", "PrometheusTimeSeriesQuery",
			"PrometheusLabelValuesVariable", "StaticListVariable", "DatasourceVariable",
		} {
			assert.Positive(t, kinds[kind], kind)
		}
	})
}

// TestPersesSchemasRefuse shows that the definitions can say no.
func TestPersesSchemasRefuse(t *testing.T) {
	schemas := newPersesSchemas(t)
	for name, bad := range map[string]struct{ path, spec, want string }{
		"unknown field":      {"#plugins.TimeSeriesChart", `{"colour":"red"}`, "colour"},
		"unknown unit":       {"#plugins.TimeSeriesChart", `{"yAxis":{"format":{"unit":"furlongs"}}}`, "unit"},
		"unknown position":   {"#plugins.StatusHistoryChart", `{"legend":{"position":"left"}}`, "position"},
		"colour by its name": {"#plugins.StatusHistoryChart", `{"mappings":[{"kind":"Value","spec":{"value":"0","result":{"value":"none","color":"green"}}}]}`, "color"},
		"no query":           {"#plugins.PrometheusTimeSeriesQuery", `{"query":""}`, "query"},
		"unknown transform":  {"#plugins.Table", `{"transforms":[{"kind":"Pivot","spec":{}}]}`, "transforms"},
		"unknown plugin":     {"#plugins.PieChart", `{}`, "no schema"},
		"no plugin":          {"#panel", `{"kind":"Panel","spec":{"display":{"name":"a"}}}`, "plugin"},
		"no row of a place":  {"#layout", `{"kind":"Grid","spec":{"display":{"title":"a"},"items":[{"x":0,"y":"top","width":1,"height":1}]}}`, "y"},
	} {
		assert.Contains(t, schemas.complaints(t, bad.path, []byte(bad.spec)), bad.want, name)
	}
}
