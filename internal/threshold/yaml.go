package threshold

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

const maxConfig = 1 << 20 // bytes

// ParseYAML reads {thresholds: [...], classes: [...]}; a threshold is a text for
// Parse or a mapping of figure, class, op, value, dependency, operation and each.
func ParseYAML(r io.Reader) (Config, error) {
	var out Config
	data, err := io.ReadAll(io.LimitReader(r, maxConfig+1))
	if err != nil {
		return out, err
	}
	if len(data) > maxConfig {
		return out, fmt.Errorf("longer than %d bytes, which is more than thresholds take", maxConfig)
	}
	d := yaml.NewDecoder(bytes.NewReader(data))
	var document yaml.Node
	if err := d.Decode(&document); err != nil {
		if errors.Is(err, io.EOF) {
			err = fmt.Errorf("no thresholds: %s", nothing(data))
		}
		return out, err
	}
	if err := d.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		if err != nil {
			return out, err
		}
		return out, errors.New("more than one YAML document: put all thresholds into one list")
	}
	err = fields(&document, "the file", []string{"thresholds", "classes"}, func(key string, value *yaml.Node) error {
		if value.Kind != yaml.SequenceNode {
			return fmt.Errorf("expected a list under the key %s", key)
		}
		for _, n := range value.Content {
			if key == "classes" {
				if n = target(n); n.Kind != yaml.ScalarNode || n.Value == "" {
					return errors.New("an error class must be a text")
				}
				out.Classes = append(out.Classes, n.Value)
				continue
			}
			t, err := parseNode(n)
			if err != nil {
				return at(n, err)
			}
			out.Thresholds = append(out.Thresholds, t)
		}
		return nil
	})
	if err == nil && len(out.Thresholds) == 0 {
		err = errors.New("no thresholds: expected a list under the key thresholds")
	}
	return out, err
}

// nothing says what a file has in which YAML finds no document.
func nothing(data []byte) string {
	rest, marked := bytes.CutPrefix(data, []byte("\ufeff"))
	switch {
	case len(data) == 0:
		return "the file is empty"
	case marked && len(bytes.TrimSpace(rest)) == 0:
		return "a byte order mark is all there is in the file"
	}
	return "expected a list under the key thresholds, and found nothing but white space and comments"
}

// parseNode parses one threshold.
func parseNode(n *yaml.Node) (Threshold, error) {
	var t Threshold
	if n = target(n); n.Kind == yaml.ScalarNode {
		return Parse(n.Value)
	}
	given := map[string]bool{}
	known := []string{"figure", "class", "op", "value", "dependency", "operation", "each"}
	err := fields(n, "a threshold", known, func(key string, value *yaml.Node) (err error) {
		given[key] = true
		if value.Kind != yaml.ScalarNode {
			return fmt.Errorf("%s must be a text or a number", key)
		}
		switch key {
		case "figure":
			t.Figure = value.Value
		case "class":
			t.Class = value.Value
		case "op":
			t.Op = value.Value
		case "value":
			t.Value, t.Unit, err = parseValue(value.Value)
		case "dependency":
			t.Dependency = value.Value
		case "operation":
			t.Operation = value.Value
		case "each":
			if value.Decode(&t.Each) != nil {
				err = fmt.Errorf("each must be true or false, and is %q", value.Value)
			}
		}
		return err
	})
	if err != nil {
		return t, err
	}
	for _, key := range []string{"figure", "op", "value"} {
		if !given[key] {
			return t, fmt.Errorf("%s is missing: a threshold has figure, op and value", key)
		}
	}
	return t, t.check()
}

// fields calls f for each key of a mapping, which must be a known one.
func fields(n *yaml.Node, what string, known []string, f func(string, *yaml.Node) error) error {
	n = target(n)
	if n.Kind != yaml.MappingNode {
		return at(n, fmt.Errorf("expected %s to be a mapping with the keys %s", what, strings.Join(known, ", ")))
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i].Value
		if !slices.Contains(known, key) {
			return at(n.Content[i], fmt.Errorf("unknown key %q: use %s", key, strings.Join(known, ", ")))
		}
		if seen[key] {
			return at(n.Content[i], fmt.Errorf("the key %s is there twice", key))
		}
		seen[key] = true
		if err := f(key, target(n.Content[i+1])); err != nil {
			return at(n.Content[i+1], err)
		}
	}
	return nil
}

// lineError is an error with the line of the file that it is about.
type lineError struct {
	line int
	err  error
}

func (e *lineError) Error() string { return fmt.Sprintf("line %d: %v", e.line, e.err) }

func (e *lineError) Unwrap() error { return e.err }

// at says where an error is, unless it is known more exactly.
func at(n *yaml.Node, err error) error {
	if e := (*lineError)(nil); errors.As(err, &e) {
		return err
	}
	return &lineError{n.Line, err}
}

// target goes through a document and aliases to what they stand for.
func target(n *yaml.Node) *yaml.Node {
	for {
		switch {
		case n.Kind == yaml.DocumentNode && len(n.Content) == 1:
			n = n.Content[0]
		case n.Kind == yaml.AliasNode:
			n = n.Alias
		default:
			return n
		}
	}
}
