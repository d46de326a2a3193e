// Package threshold holds summaries against limits. A limit on something that
// was not measured fails: what is not there is not fine.
package threshold

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"unicode"

	"github.com/retrykit/retrykit/internal/figures"
	"github.com/retrykit/retrykit/internal/misspelt"
)

// Config is what a summary is held against.
type Config struct {
	Thresholds []Threshold
	// Classes are error classes of the user's own: one of them that was not
	// seen caused no retry, where another unknown one may be misspelt.
	Classes []string
}

// Threshold is one limit, such as attempts_per_request < 1.2 of one operation.
type Threshold struct {
	Figure     string
	Class      string  // error class, for figures by class
	Op         string  // <, <=, > or >=
	Value      float64 // in the figure's unit: ratios from 0 to 1, seconds
	Unit       Unit    // how Value was written, and is shown
	Dependency string  // "" stands for the total, unless Each
	Operation  string
	Each       bool // every operation (of the dependency, or of this name, if given)
}

// figure finds a figure by its ID.
func (t *Threshold) figure() (figures.Figure, error) {
	f, ok := figures.Find(t.Figure)
	if !ok || f.Value == nil {
		var known []string
		for _, f := range figures.Table() {
			if f.Value != nil {
				known = append(known, f.ID)
			}
		}
		if close := misspelt.Nearest(t.Figure, known); len(close) > 0 {
			return f, fmt.Errorf("unknown figure %q: did you mean %s?", t.Figure, strings.Join(close, " or "))
		}
		return f, fmt.Errorf("unknown figure %q: use one of %s", t.Figure, strings.Join(known, ", "))
	}
	return f, nil
}

func (t *Threshold) check() error {
	f, err := t.figure()
	if err != nil {
		return err
	}
	switch {
	case f.ByClass && t.Class == "":
		return fmt.Errorf("figure %s has a value per error class: name one, as in %s[503]", f.ID, f.ID)
	case !f.ByClass && t.Class != "":
		return fmt.Errorf("figure %s has no classes", f.ID)
	case strings.TrimSpace(t.Class) != t.Class || strings.ContainsFunc(t.Class, unicode.IsControl):
		return fmt.Errorf("%q can't be an error class: it begins or ends with white space, or has control characters", t.Class)
	}
	switch t.Op {
	case "<", "<=", ">", ">=":
	default:
		return fmt.Errorf("unknown comparison %q: use <, <=, > or >=", t.Op)
	}
	if t.Operation != "" && t.Dependency == "" && !t.Each {
		return fmt.Errorf("an operation needs its dependency; */%s is this operation of any", t.Operation)
	}
	return t.checkValue(f)
}

// checkValue refuses values that the figure can't have, and units of others.
func (t *Threshold) checkValue(f figures.Figure) error {
	if math.IsInf(t.Value, 0) || math.IsNaN(t.Value) {
		return errors.New("the value is not finite")
	}
	var units []Unit
	what := "a count"
	switch f.Unit {
	case figures.Ratio:
		what, units = "a share from 0 to 1", []Unit{Percent}
	case figures.PerOne:
		what, units = "a number per request", []Unit{Percent}
	case figures.Seconds:
		what, units = "a time in seconds", []Unit{Seconds, Milliseconds}
	}
	for _, u := range append(units, "") {
		if t.Unit != u {
			continue
		}
		switch {
		case t.Value < 0:
			return fmt.Errorf("figure %s is %s, and never negative", f.ID, what)
		case f.Unit == figures.Ratio && t.Value > 1 && u == Percent:
			return fmt.Errorf("figure %s is %s: %s is more than 100%%", f.ID, what, u.Text(t.Value, limitDigits))
		case f.Unit == figures.Ratio && t.Value > 1:
			n := u.Text(t.Value, limitDigits)
			if t.Value > 100 {
				return fmt.Errorf("figure %s is %s, and %s is more", f.ID, what, n)
			}
			return fmt.Errorf("figure %s is %s: did you mean %s%%?", f.ID, what, n)
		}
		return nil
	}
	can := "has no unit"
	if len(units) == 1 {
		can = fmt.Sprintf("may have the unit %s", units[0])
	} else if len(units) > 1 {
		can = fmt.Sprintf("has the unit %s or %s", units[0], units[1])
	}
	return fmt.Errorf("figure %s is %s, which can't be in %s: its value %s", f.ID, what, t.Unit, can)
}

// String is the threshold as Parse takes it, without its subject.
func (t Threshold) String() string {
	name := t.Figure
	if t.Class != "" {
		name += "[" + t.Class + "]"
	}
	return fmt.Sprintf("%s %s %s", name, t.Op, t.Unit.Text(t.Value, limitDigits))
}
