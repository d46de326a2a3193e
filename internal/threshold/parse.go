package threshold

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// limit is [SUBJECT:]FIGURE[CLASS]: a subject may have colons and brackets, and
// so may a class.
var limit = regexp.MustCompile(`^(?s:(.*):)?\s*([^\s:\[\]]*)\s*(?:\[(.*)\])?$`)

// Parse parses [SUBJECT:]FIGURE[CLASS] OP VALUE, such as
// "attempts_per_request<1.2" or "payments/charge:first_attempt_success>=99%".
// A subject is dependency/operation, a dependency (each of its operations), or
// * (each operation), which may also stand for the dependency, as in */charge;
// without one the total is meant.
func Parse(text string) (Threshold, error) {
	fail := func(err error) (Threshold, error) {
		return Threshold{}, fmt.Errorf("threshold %q: %w", text, err)
	}
	i := strings.LastIndexAny(text, "<>")
	if i < 0 {
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
	at := limit.FindStringSubmatchIndex(left)
	if at == nil {
		return fail(fmt.Errorf("%q is no [SUBJECT:]FIGURE, with an error class in brackets for figures by class, as in retry_ratio_by_class[503]", left))
	}
	if at[2] >= 0 {
		if err := t.subject(strings.TrimSpace(left[at[2]:at[3]])); err != nil {
			return fail(err)
		}
	}
	t.Figure = left[at[4]:at[5]]
	if at[6] >= 0 {
		if t.Class = left[at[6]:at[7]]; t.Class == "" {
			return fail(errors.New("the error class between the brackets is missing"))
		}
	}
	if err := t.check(); err != nil {
		return fail(err)
	}
	return t, nil
}

// subject takes what a threshold is about apart.
func (t *Threshold) subject(text string) error {
	switch {
	case text == "":
		return errors.New("the subject before the colon is missing: leave the colon out to mean the total, or write * for every operation")
	case text == "*", text == "*/*":
		t.Each = true
		return nil
	case strings.HasPrefix(text, "*/"):
		t.Operation, t.Each = text[2:], true
	case strings.HasSuffix(text, "/*"):
		t.Dependency, t.Each = strings.TrimSuffix(text, "/*"), true
	case strings.Contains(text, "/"):
		t.Dependency, t.Operation, _ = strings.Cut(text, "/")
		if t.Dependency == "" || t.Operation == "" {
			return fmt.Errorf("%q is no subject: expected dependency/operation, a dependency alone for each of its operations, or */operation", text)
		}
	default:
		t.Dependency, t.Each = text, true
	}
	return nil
}

func parseValue(text string) (float64, Unit, error) {
	whole, unit := text, Unit("")
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
		if whole == "" {
			return 0, "", errors.New("the value is missing")
		}
		return 0, "", fmt.Errorf("%q is no number (units: %%, s, ms)", whole)
	}
	return v, unit, nil
}
