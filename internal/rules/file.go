package rules

import (
	"bytes"
	"fmt"
	"io"
	"strings"

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

// WritePrometheusRule writes the rules as a PrometheusRule object, the custom
// resource that the Prometheus operator loads.
func (f File) WritePrometheusRule(w io.Writer, meta Object, remarks []string) error {
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

func write(w io.Writer, remarks []string, v any) error {
	var buf bytes.Buffer
	for _, remark := range remarks {
		for line := range strings.SplitSeq(remark, "\n") {
			buf.WriteString(strings.TrimRight("# "+line, " ") + "\n")
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
