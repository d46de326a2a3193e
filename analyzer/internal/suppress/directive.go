package suppress

import (
	"go/token"
	"path"
	"slices"
	"strings"
	"sync/atomic"
)

// Every is the name by which a directive silences all checks of the suite.
const Every = "retrylint"

// A Directive is one comment that silences checks.
type Directive struct {
	Pos, End token.Pos

	// Marker is the directive without its names, as written in the source:
	// "nolint", "lint:ignore", "lint:file-ignore", "retrylint:ignore",
	// "retrylint:file-ignore".
	Marker string

	// Names are the checks that it names, in source order. A bare nolint has
	// none and silences everything.
	Names []string

	// Reason is what follows the names. Only nolint may go without.
	Reason string

	file     *token.File
	from, to int // lines, both included
	used     []atomic.Bool
	reported atomic.Bool
}

// parse reads one comment, slashes included. ok is false for a comment that
// is no directive.
func parse(comment string) (d *Directive, ok bool) {
	text, isLine := strings.CutPrefix(comment, "//")
	if !isLine {
		return nil, false
	}
	// golangci-lint accepts a space before nolint; the other forms are
	// directives in Go's sense and take none.
	if rest, ok := strings.CutPrefix(strings.TrimLeft(text, " \t"), "nolint"); ok {
		return parseNolint(rest)
	}
	marker, rest, _ := strings.Cut(text, " ")
	switch marker {
	case "lint:ignore", "lint:file-ignore", "retrylint:ignore", "retrylint:file-ignore":
	default:
		return nil, false
	}
	// A comment after the directive is not its reason: it is how tests say
	// what they want, and how one directive follows another.
	rest, _, _ = strings.Cut(" "+rest, " //")
	names, reason, _ := strings.Cut(strings.TrimSpace(rest), " ")
	d = &Directive{Marker: marker, Names: splitNames(names), Reason: strings.TrimSpace(reason)}
	return d, true
}

func parseNolint(rest string) (*Directive, bool) {
	d := &Directive{Marker: "nolint"}
	if rest == "" || rest[0] == ' ' || rest[0] == '\t' || strings.HasPrefix(rest, "//") {
		_, d.Reason, _ = strings.Cut(rest, "//")
		d.Reason = strings.TrimSpace(d.Reason)
		return d, true
	}
	list, ok := strings.CutPrefix(rest, ":")
	if !ok {
		return nil, false
	}
	list, d.Reason, _ = strings.Cut(list, "//")
	d.Reason = strings.TrimSpace(d.Reason)
	d.Names = splitNames(list)
	if len(d.Names) == 0 || slices.Contains(d.Names, "all") {
		d.Names = nil
	}
	return d, true
}

func splitNames(list string) []string {
	var names []string
	for name := range strings.SplitSeq(list, ",") {
		// What follows a space is no name any more: "nolint:a because of b".
		name, _, _ = strings.Cut(strings.TrimSpace(name), " ")
		if name != "" {
			names = append(names, strings.ToLower(name))
		}
	}
	return names
}

// NeedsReason says whether the directive lacks the reason that its form
// requires. Such a directive silences nothing.
func (d *Directive) NeedsReason() bool { return d.Marker != "nolint" && d.Reason == "" }

// Unused returns the names that silenced nothing so far. It is meaningful
// only after every check has run over the package.
func (d *Directive) Unused() []string {
	var names []string
	for i, name := range d.Names {
		if !d.used[i].Load() {
			names = append(names, name)
		}
	}
	return names
}

// wholeFile says whether the directive is about its file.
func (d *Directive) wholeFile() bool { return strings.HasSuffix(d.Marker, ":file-ignore") }

// names says whether the directive is about check, and notes the use.
func (d *Directive) silences(check string) bool {
	if d.Names == nil {
		return d.Marker == "nolint"
	}
	hit := false
	for i, name := range d.Names {
		match := name == check || name == Every
		if !match && strings.HasPrefix(d.Marker, "lint:") {
			// staticcheck's users write patterns: SA1*, *.
			match, _ = path.Match(name, check)
		}
		if match {
			hit = true
			d.used[i].Store(true)
		}
	}
	return hit
}
