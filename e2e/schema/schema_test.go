package schema_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/google/go-jsonnet"
	"github.com/grafana/grafana-foundation-sdk/go/cog/plugins"
	"github.com/grafana/grafana-foundation-sdk/go/dashboard"
	sdk "github.com/perses/perses/go-sdk/common"
	perses "github.com/perses/perses/pkg/model/api/v1"
	persesdashboard "github.com/perses/perses/pkg/model/api/v1/dashboard"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	ours "github.com/retrykit/retrykit/internal/dashboard"
	"github.com/retrykit/retrykit/internal/rules"
)

func TestGrafanaTakesTheDashboard(t *testing.T) {
	plugins.RegisterDefaultPlugins() // the schemas of panels and queries
	everyNaming(t, func(t *testing.T, s rules.Settings) {
		var text bytes.Buffer
		require.NoError(t, ours.WriteGrafana(&text, s))
		var strict, d dashboard.Dashboard
		require.Empty(t, complaints(strict.UnmarshalJSONStrict(text.Bytes())))
		require.NoError(t, json.Unmarshal(text.Bytes(), &d))
		require.Empty(t, complaints(d.Validate()))
		assert.Equal(t, ours.UID, *d.Uid)
		ids := map[uint32]bool{}
		for _, p := range d.Panels {
			switch {
			case p.RowPanel != nil:
				assert.False(t, ids[p.RowPanel.Id], "id %d twice", p.RowPanel.Id)
				ids[p.RowPanel.Id] = true
			case p.Panel != nil:
				assert.False(t, ids[*p.Panel.Id], "id %d twice", *p.Panel.Id)
				ids[*p.Panel.Id] = true
				assert.NotEmpty(t, p.Panel.Targets, *p.Panel.Title)
				assert.LessOrEqual(t, p.Panel.GridPos.X+p.Panel.GridPos.W, uint32(24))
			}
		}
		assert.Greater(t, len(ids), 20)
	})
}

// complaints is what an error says: the SDK's has no text, but is not nil, when
// it has nothing to complain about.
func complaints(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestPersesTakesTheDashboard(t *testing.T) {
	everyNaming(t, func(t *testing.T, s rules.Settings) {
		var text bytes.Buffer
		require.NoError(t, ours.WritePerses(&text, s, "shop"))
		var d perses.Dashboard
		strict := json.NewDecoder(bytes.NewReader(text.Bytes()))
		strict.DisallowUnknownFields()
		require.NoError(t, strict.Decode(&d))
		placed := map[string]int{}
		for _, layout := range d.Spec.Layouts {
			grid, ok := layout.Spec.(*persesdashboard.GridLayoutSpec)
			require.True(t, ok)
			for _, item := range grid.Items {
				assert.LessOrEqual(t, item.X+item.Width, 24)
				placed[item.Content.Path[len(item.Content.Path)-1]]++
			}
		}
		for name, p := range d.Spec.Panels {
			assert.Equal(t, 1, placed[name], "panel %s is on the dashboard once", name)
			assert.NotEmpty(t, p.Spec.Queries)
			assert.Contains(t, []string{"TimeSeriesChart", "Table", "StatusHistoryChart"}, p.Spec.Plugin.Kind)
			var spec struct {
				YAxis      struct{ Format sdk.Format } `json:"yAxis"`
				Thresholds sdk.Thresholds              `json:"thresholds"`
				Transforms []sdk.Transform             `json:"transforms"`
			}
			data, err := json.Marshal(p.Spec.Plugin.Spec)
			require.NoError(t, err)
			require.NoError(t, json.Unmarshal(data, &spec), name)
		}
	})
}

// TestTheMixinIsOne evaluates it as the monitoring mixins' tools do.
func TestTheMixinIsOne(t *testing.T) {
	vm := jsonnet.MakeVM()
	vm.Importer(&jsonnet.FileImporter{})
	out, err := vm.EvaluateAnonymousSnippet("test", `
		local m = import '../../mixin/mixin.libsonnet';
		{rules: m.prometheusRules, alerts: m.prometheusAlerts, dashboards: m.grafanaDashboards}`)
	require.NoError(t, err)
	var got struct {
		Rules, Alerts struct {
			Groups []struct{ Rules []map[string]any }
		}
		Dashboards map[string]map[string]any
	}
	require.NoError(t, json.Unmarshal([]byte(out), &got))
	require.NotEmpty(t, got.Rules.Groups)
	assert.Equal(t, "retry:requests:rate5m", got.Rules.Groups[0].Rules[0]["record"])
	require.NotEmpty(t, got.Alerts.Groups)
	assert.NotEmpty(t, got.Alerts.Groups[0].Rules[0]["alert"])
	assert.Equal(t, ours.Title, got.Dashboards["retries.json"]["title"])
}
