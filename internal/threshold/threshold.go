// Package threshold holds summaries against limits. A limit on something that
// was not measured fails: what is not there is not fine.
package threshold

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/retrykit/retrykit/internal/figures"
	"github.com/retrykit/retrykit/internal/summary"
)

// Threshold is one limit, such as attempts_per_request < 1.2 of one operation.
type Threshold struct {
	Figure     string  `yaml:"figure"`
	Class      string  `yaml:"class"`      // error class, for figures by class
	Op         string  `yaml:"op"`         // <, <=, > or >=
	Value      float64 `yaml:"value"`      // in the figure's unit: ratios from 0 to 1, seconds
	Unit       Unit    `yaml:"-"`          // how Value was written, and is shown
	Dependency string  `yaml:"dependency"` // "" stands for the total, unless Each
	Operation  string  `yaml:"operation"`
	Each       bool    `yaml:"each"` // every operation (of the dependency, if given)
}

// Unit is how people write a value. The zero Unit is the figure's own.
type Unit string

// The units of values.
const (
	Percent      Unit = "%"
	Milliseconds Unit = "ms"
	Seconds      Unit = "s"
)

// shift is by how many decimal places a unit is smaller than the figure's own.
func (u Unit) shift() int {
	switch u {
	case Percent:
		return 2
	case Milliseconds:
		return 3
	}
	return 0
}

// Text shows a figure's value in the unit, with so many digits at most.
func (u Unit) Text(v float64, digits int) string {
	return strconv.FormatFloat(v*math.Pow10(u.shift()), 'g', digits, 64) + string(u)
}

// Result is what a threshold found for one subject.
type Result struct {
	Threshold Threshold
	Subject   string // "total" or "dependency/operation"
	Value     *float64
	Passed    bool
}

// figure finds a figure by its ID, or by its ID and the class in brackets.
func (t *Threshold) figure() (figures.Figure, error) {
	f, ok := figures.Find(t.Figure)
	if !ok || f.Value == nil {
		var known []string
		for _, f := range figures.Table() {
			if f.Value != nil {
				known = append(known, f.ID)
			}
		}
		return f, fmt.Errorf("unknown figure %q: use one of %s", t.Figure, strings.Join(known, ", "))
	}
	if f.ByClass && t.Class == "" {
		return f, fmt.Errorf("figure %s has a value per error class: name one, as in %s[503]", f.ID, f.ID)
	}
	if !f.ByClass && t.Class != "" {
		return f, fmt.Errorf("figure %s has no classes", f.ID)
	}
	return f, nil
}

func (t *Threshold) check() error {
	if _, err := t.figure(); err != nil {
		return err
	}
	switch t.Op {
	case "<", "<=", ">", ">=":
	default:
		return fmt.Errorf("unknown comparison %q: use <, <=, > or >=", t.Op)
	}
	if t.Operation != "" && t.Dependency == "" && !t.Each {
		return errors.New("an operation needs its dependency")
	}
	return nil
}

// Parse parses [SUBJECT:]FIGURE[CLASS] OP VALUE, such as
// "attempts_per_request<1.2" or "payments/charge:first_attempt_success>=99%".
// A subject is dependency/operation, a dependency (each of its operations), or
// * (each operation); without one the total is meant.
func Parse(text string) (Threshold, error) {
	fail := func(err error) (Threshold, error) {
		return Threshold{}, fmt.Errorf("threshold %q: %w", text, err)
	}
	i := strings.LastIndexAny(text, "<>")
	if i <= 0 {
		return fail(errors.New("expected [SUBJECT:]FIGURE, one of <, <=, > and >=, and a value, as in payments/charge:attempts_per_request<=1.2"))
	}
	t := Threshold{Op: text[i : i+1]}
	value := text[i+1:]
	if rest, ok := strings.CutPrefix(value, "="); ok {
		t.Op += "="
		value = rest
	}
	var err error
	if t.Value, t.Unit, err = parseValue(strings.TrimSpace(value)); err != nil {
		return fail(err)
	}
	left := strings.TrimSpace(text[:i])
	if j := strings.LastIndexByte(left, ':'); j >= 0 {
		subject := left[:j]
		left = left[j+1:]
		switch {
		case subject == "*":
			t.Each = true
		case strings.Contains(subject, "/"):
			t.Dependency, t.Operation, _ = strings.Cut(subject, "/")
		default:
			t.Dependency, t.Each = subject, true
		}
	}
	if name, class, ok := strings.Cut(left, "["); ok {
		t.Class = strings.TrimSuffix(class, "]")
		left = name
	}
	t.Figure = strings.TrimSpace(left)
	if err := t.check(); err != nil {
		return fail(err)
	}
	return t, nil
}

func parseValue(text string) (float64, Unit, error) {
	var unit Unit
	for _, u := range []Unit{Percent, Milliseconds, Seconds} {
		if rest, ok := strings.CutSuffix(text, string(u)); ok {
			text, unit = rest, u
			break
		}
	}
	text = strings.TrimSpace(text)
	v, err := strconv.ParseFloat(text, 64)
	if err == nil && !strings.ContainsAny(text, "eEpPxXiI") {
		// As one decimal number, 1.1 % is 0.011; divided by 100 it is a little more.
		v, err = strconv.ParseFloat(fmt.Sprintf("%se-%d", text, unit.shift()), 64)
	} else {
		v /= math.Pow10(unit.shift())
	}
	if err != nil || v != v {
		return 0, "", fmt.Errorf("%q is no number (units: %%, s, ms)", text)
	}
	return v, unit, nil
}

// ParseYAML reads {thresholds: [...]}; an entry is a text for Parse or the
// fields of Threshold.
func ParseYAML(r io.Reader) ([]Threshold, error) {
	data, err := io.ReadAll(io.LimitReader(r, 1<<20))
	if err != nil {
		return nil, err
	}
	var file struct {
		Thresholds []yaml.Node `yaml:"thresholds"`
	}
	d := yaml.NewDecoder(bytes.NewReader(data))
	d.KnownFields(true)
	if err := d.Decode(&file); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, errors.New("no thresholds: the file is empty")
		}
		return nil, err
	}
	if len(file.Thresholds) == 0 {
		return nil, errors.New("no thresholds: expected a list under the key thresholds")
	}
	var out []Threshold
	for i := range file.Thresholds {
		n := &file.Thresholds[i]
		var t Threshold
		if n.Kind == yaml.ScalarNode {
			t, err = Parse(n.Value)
		} else if err = n.Decode(&t); err == nil {
			err = t.check()
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n.Line, err)
		}
		out = append(out, t)
	}
	return out, nil
}

// Check holds a summary against thresholds.
func Check(s *summary.Summary, thresholds []Threshold) []Result {
	var out []Result
	for _, t := range thresholds {
		found := false
		if t.Dependency == "" && !t.Each {
			out = append(out, result(t, "total", &s.Total))
			continue
		}
		for i := range s.Operations {
			op := &s.Operations[i]
			if t.Dependency != "" && op.Dependency != t.Dependency || t.Operation != "" && op.Operation != t.Operation {
				continue
			}
			found = true
			out = append(out, result(t, op.Dependency+"/"+op.Operation, &op.Figures))
		}
		if !found {
			subject := t.Dependency
			if t.Operation != "" {
				subject += "/" + t.Operation
			}
			if subject == "" {
				subject = "every operation"
			}
			out = append(out, Result{Threshold: t, Subject: subject})
		}
	}
	return out
}

func result(t Threshold, subject string, f *summary.Figures) Result {
	r := Result{Threshold: t, Subject: subject}
	figure, err := t.figure()
	if err != nil {
		return r
	}
	v, ok := figure.Value(f)[t.Class]
	if !ok && figure.ByClass && f.RetriesByClass != nil && f.Requests != nil && *f.Requests > 0 && figure.ID == "retry_ratio_by_class" {
		v, ok = 0, true // retries are counted by class, and there was none of this one
	}
	if !ok {
		return r
	}
	r.Value = &v
	switch t.Op {
	case "<":
		r.Passed = v < t.Value
	case "<=":
		r.Passed = v <= t.Value
	case ">":
		r.Passed = v > t.Value
	case ">=":
		r.Passed = v >= t.Value
	}
	return r
}

// limitDigits are as many as anybody writes, and few enough to hide what is lost
// when a value is turned into its unit.
const limitDigits = 12

// String is the threshold as Parse takes it, without its subject.
func (t Threshold) String() string {
	name := t.Figure
	if t.Class != "" {
		name += "[" + t.Class + "]"
	}
	return fmt.Sprintf("%s %s %s", name, t.Op, t.Unit.Text(t.Value, limitDigits))
}
