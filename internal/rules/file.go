package rules

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/prometheus/common/model"
	"go.yaml.in/yaml/v3"
)

// File is what a Prometheus rule file holds.
type File struct {
	Groups []Group `yaml:"groups"`
}

// Group is a group of rules that are evaluated one after the other.
type Group struct {
	Name     string         `yaml:"name"`
	Interval model.Duration `yaml:"interval,omitempty"`
	Rules    []Rule         `yaml:"rules"`
}

// Rule is a recording rule or an alert.
type Rule struct {
	Record      string            `yaml:"record,omitempty"`
	Alert       string            `yaml:"alert,omitempty"`
	Expr        string            `yaml:"expr"`
	For         model.Duration    `yaml:"for,omitempty"`
	Labels      map[string]string `yaml:"labels,omitempty"`
	Annotations map[string]string `yaml:"annotations,omitempty"`
}

// Split takes the recording rules and the alerts apart.
func (f File) Split() (recordings, alerts File) {
	for _, g := range f.Groups {
		if g.Rules[0].Alert != "" {
			alerts.Groups = append(alerts.Groups, g)
		} else {
			recordings.Groups = append(recordings.Groups, g)
		}
	}
	return recordings, alerts
}

// Write writes the file as Prometheus reads it, with remarks as comments above.
func (f File) Write(w io.Writer, remarks []string) error {
	return write(w, remarks, f)
}

// Object names the PrometheusRule object that holds the rules on Kubernetes.
type Object struct {
	Name      string            `yaml:"name"`
	Namespace string            `yaml:"namespace,omitempty"`
	Labels    map[string]string `yaml:"labels,omitempty"`
}

// Names on Kubernetes, https://kubernetes.io/docs/concepts/overview/working-with-objects/names/
// and .../labels/.
var (
	objectName    = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`)
	namespaceName = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`)
	labelPart     = regexp.MustCompile(`^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$`)
)

// Validate refuses what Kubernetes would.
func (o Object) Validate() error {
	if !objectName.MatchString(o.Name) || len(o.Name) > 253 {
		return fmt.Errorf("name %q: Kubernetes takes lower-case letters, digits, dots and hyphens", o.Name)
	}
	if o.Namespace != "" && (!namespaceName.MatchString(o.Namespace) || len(o.Namespace) > 63) {
		return fmt.Errorf("namespace %q: Kubernetes takes up to 63 lower-case letters, digits and hyphens", o.Namespace)
	}
	for _, key := range slices.Sorted(maps.Keys(o.Labels)) {
		prefix, name, ok := strings.Cut(key, "/")
		if !ok {
			prefix, name = "", key
		}
		if !labelPart.MatchString(name) || len(name) > 63 || ok && !objectName.MatchString(prefix) {
			return fmt.Errorf("object label %q: Kubernetes takes up to 63 letters, digits, dots, hyphens and underscores, after a domain and a slash if any", key)
		}
		if value := o.Labels[key]; value != "" && !labelPart.MatchString(value) || len(value) > 63 {
			return fmt.Errorf("object label %s=%q: Kubernetes takes up to 63 letters, digits, dots, hyphens and underscores", key, value)
		}
	}
	return nil
}

// WritePrometheusRule writes the rules as a PrometheusRule object, the custom
// resource that the Prometheus operator loads.
func (f File) WritePrometheusRule(w io.Writer, meta Object, remarks []string) error {
	if err := meta.Validate(); err != nil {
		return err
	}
	return write(w, remarks, struct {
		APIVersion string `yaml:"apiVersion"`
		Kind       string `yaml:"kind"`
		Metadata   Object `yaml:"metadata"`
		Spec       File   `yaml:"spec"`
	}{"monitoring.coreos.com/v1", "PrometheusRule", meta, f})
}

// Write writes the settings as YAML that Read reads.
func (s *Settings) Write(w io.Writer, remarks []string) error {
	return write(w, remarks, s)
}

// comment keeps what ends a line in YAML, or is no text, out of a comment: names
// from telemetry may have any character.
func comment(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' {
			return '?'
		}
		return r
	}, strings.ToValidUTF8(text, "?"))
}

func write(w io.Writer, remarks []string, v any) error {
	var buf bytes.Buffer
	for _, remark := range remarks {
		for line := range strings.SplitSeq(remark, "\n") {
			buf.WriteString(strings.TrimRight("# "+comment(line), " ") + "\n")
		}
	}
	enc := yaml.NewEncoder(&buf)
	enc.SetIndent(2)
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("write rules: %w", err)
	}
	if err := enc.Close(); err != nil {
		return fmt.Errorf("write rules: %w", err)
	}
	_, err := w.Write(buf.Bytes())
	return err
}
