package rules_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/retrykit/retrykit/internal/promname"
	"github.com/retrykit/retrykit/internal/rules"
)

func TestGolden(t *testing.T) {
	write := func(s rules.Settings) func(*bytes.Buffer) error {
		return func(b *bytes.Buffer) error {
			file, err := rules.Build(s)
			if err != nil {
				return err
			}
			return file.Write(b, []string{"Rules.", "", "Two\nlines."})
		}
	}
	native := settings(ownThresholds)
	native.Naming, native.Native = promname.NoTranslation, true
	tests := map[string]func(*bytes.Buffer) error{
		"own_thresholds.yaml": write(settings(ownThresholds)),
		"native_utf8.yaml":    write(native),
		"native_utf8_test.yaml": func(b *bytes.Buffer) error {
			s := native
			s.Off = []string{rules.FirstAttemptSuccessBurn}
			s.Operations, s.Only = s.Operations[:1], true
			return rules.WriteUnitTests(b, s, []string{"rules.yaml"}, nil)
		},
		"prometheusrule.yaml": func(b *bytes.Buffer) error {
			file, err := rules.Build(settings(selected))
			if err != nil {
				return err
			}
			return file.WritePrometheusRule(b, rules.Object{Name: "retries", Namespace: "monitoring", Labels: map[string]string{"release": "prom"}}, nil)
		},
		"settings.yaml": func(b *bytes.Buffer) error {
			s := settings(ownThresholds)
			return s.Write(b, []string{"The default settings, and two operations."})
		},
	}
	for name, make := range tests {
		t.Run(name, func(t *testing.T) {
			var got bytes.Buffer
			require.NoError(t, make(&got))
			path := filepath.Join("testdata", name)
			if *update {
				require.NoError(t, os.MkdirAll("testdata", 0o755))
				require.NoError(t, os.WriteFile(path, got.Bytes(), 0o644))
			}
			want, err := os.ReadFile(path)
			require.NoError(t, err)
			assert.Equal(t, string(want), got.String(), "if this is meant, run the test with -update")
		})
	}
}
