package threshold

import (
	"fmt"
	"slices"
	"strings"

	"github.com/retrykit/retrykit/internal/misspelt"
	"github.com/retrykit/retrykit/internal/summary"
)

// Result is what a threshold found for one subject.
type Result struct {
	Threshold Threshold
	Subject   string // "total" or an operation's name
	Value     *float64
	Passed    bool
	Hint      string // why nothing was measured, where the name may be the cause
}

// Check holds a summary against thresholds.
func Check(s *summary.Summary, c Config) []Result {
	classes := seenClasses(s)
	var out []Result
	for _, t := range c.Thresholds {
		if t.Dependency == "" && !t.Each {
			out = append(out, c.result(t, "total", &s.Total, classes))
			continue
		}
		found := false
		for i := range s.Operations {
			if op := &s.Operations[i]; t.about(op) {
				found = true
				out = append(out, c.result(t, op.Name(), &op.Figures, classes))
			}
		}
		if !found {
			out = append(out, Result{Threshold: t, Subject: t.subjectText(), Hint: t.subjectHint(s)})
		}
	}
	return out
}

// about reports whether a threshold is about an operation. Dependencies and
// operations may have slashes too, so that names are compared as a whole.
func (t *Threshold) about(op *summary.Operation) bool {
	switch {
	case t.Dependency == "":
		return t.Operation == "" || op.Operation == t.Operation
	case t.Operation == "":
		return op.Dependency == t.Dependency || op.Name() == t.Dependency
	}
	name := t.Dependency + "/" + t.Operation
	return op.Name() == name || op.Dependency == name
}

func (t *Threshold) subjectText() string {
	switch {
	case t.Operation == "" && t.Dependency == "":
		return "every operation"
	case t.Operation == "":
		return t.Dependency
	case t.Dependency == "":
		return "*/" + t.Operation
	}
	return t.Dependency + "/" + t.Operation
}

// subjectHint says which names were measured that may have been meant.
func (t *Threshold) subjectHint(s *summary.Summary) string {
	if len(s.Operations) == 0 || t.Dependency == "" && t.Operation == "" {
		return ""
	}
	var names []string
	for i := range s.Operations {
		op := &s.Operations[i]
		switch {
		case t.Dependency == "":
			names = append(names, "*/"+op.Operation)
		case t.Operation == "" && op.Dependency != "":
			names = append(names, op.Dependency)
		default:
			names = append(names, op.Name())
		}
	}
	return fmt.Sprintf("%s was not measured; %s", t.subjectText(), offer(t.subjectText(), names))
}

func (c *Config) result(t Threshold, subject string, f *summary.Figures, classes []string) Result {
	r := Result{Threshold: t, Subject: subject}
	figure, err := t.figure()
	if err != nil {
		return r
	}
	unseen := figure.ByClass && !slices.Contains(classes, t.Class) && !KnownClass(t.Class) && !slices.Contains(c.Classes, t.Class)
	v, ok := figure.Value(f)[t.Class]
	if !ok && !unseen && f.RetriesByClass != nil && f.Requests != nil && *f.Requests > 0 && figure.ID == "retry_ratio_by_class" {
		v, ok = 0, true // retries are counted by class, and there was none of this one
	}
	if !ok {
		if unseen && f.RetriesByClass != nil {
			r.Hint = classHint(t.Class, classes)
		}
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

// seenClasses are the error classes of any retry.
func seenClasses(s *summary.Summary) []string {
	seen := map[string]bool{}
	take := func(f *summary.Figures) {
		for class := range f.RetriesByClass {
			seen[class] = true
		}
		for class := range f.Retried {
			seen[class] = true
		}
	}
	take(&s.Total)
	for i := range s.Operations {
		take(&s.Operations[i].Figures)
	}
	var out []string
	for class := range seen {
		out = append(out, class)
	}
	slices.Sort(out)
	return out
}

func classHint(class string, seen []string) string {
	text := fmt.Sprintf("no retry was of the error class %q; ", class)
	if close := misspelt.Nearest(class, append(slices.Clone(seen), classNames...)); len(close) > 0 {
		text += "did you mean " + strings.Join(close, " or ") + "? "
	} else if len(seen) > 0 {
		text += "those of this input are " + list(seen) + ". "
	}
	return text + "If it is one of your own, name it with --class, or under classes in the file"
}
