package rules_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/retrykit/retrykit/internal/rules"
)

func TestPrometheusRulesHaveNamesOfKubernetes(t *testing.T) {
	for _, tt := range []struct {
		object rules.Object
		want   string // "" is fine
	}{
		{rules.Object{Name: "retrykit"}, ""},
		{rules.Object{Name: "retry.rules-1", Namespace: "monitoring", Labels: map[string]string{"release": "prom", "example.com/Team_a": "", "a": "B.c"}}, ""},
		{rules.Object{Name: "A B"}, `name "A B": Kubernetes takes`},
		{rules.Object{Name: ""}, `name ""`},
		{rules.Object{Name: strings.Repeat("a", 254)}, "name"},
		{rules.Object{Name: "a", Namespace: "a.b"}, `namespace "a.b"`},
		{rules.Object{Name: "a", Labels: map[string]string{"a b": "c"}}, `object label "a b"`},
		{rules.Object{Name: "a", Labels: map[string]string{"Bad/a": "c"}}, `object label "Bad/a"`},
		{rules.Object{Name: "a", Labels: map[string]string{"a": "c d"}}, `object label a="c d"`},
	} {
		var out bytes.Buffer
		err := rules.File{}.WritePrometheusRule(&out, tt.object, nil)
		if tt.want == "" {
			assert.NoError(t, err)
			continue
		}
		assert.ErrorContains(t, err, tt.want)
		assert.Empty(t, out.String())
	}
}
