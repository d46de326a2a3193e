package sites

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"
)

// JSON prints the inventory as one object.
func (inv *Inventory) JSON(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "\t")
	sites := inv.Sites
	if sites == nil {
		sites = []*Site{}
	}
	return enc.Encode(struct {
		SchemaVersion int     `json:"schema_version"`
		Sites         []*Site `json:"sites"`
	}{1, sites})
}

// Table prints one line a site, with paths relative to root, or after the
// module and its version where they are not below root. A dash stands for
// what is not known, "none" for what is known not to be there.
func (inv *Inventory) Table(w io.Writer, root string) error {
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(out, "SITE\tOPERATION\tBY\tATTEMPTS\tTIME\tWAIT\tCONTEXT\tLOOKS AT ERROR\tWORST CASE")
	for _, s := range inv.Sites {
		fmt.Fprintf(out, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", s.place(root), s.Operation, s.by(), s.attempts(), s.time(), s.wait(),
			s.context(), s.inspection(), s.worstCase())
	}
	return out.Flush()
}

// Tree prints the sites that no other site runs, and below each what its
// attempts run, with the product of the attempts.
func (inv *Inventory) Tree(w io.Writer, root string) error {
	out := bufio.NewWriter(w)
	for _, s := range inv.Sites {
		if !s.inner || len(s.Inner) > 0 && inv.cyclic(s) {
			inv.branch(out, s, root, "", "", nil, map[*Site]bool{})
		}
	}
	return out.Flush()
}

// cyclic says whether a site is below itself: such sites have no other root.
func (inv *Inventory) cyclic(s *Site) bool {
	seen := make(map[*Site]bool)
	var visit func(at *Site) bool
	visit = func(at *Site) bool {
		for _, e := range at.Inner {
			inner := inv.Sites[e.Site]
			if inner == s {
				return true
			}
			if !seen[inner] {
				seen[inner] = true
				if visit(inner) {
					return true
				}
			}
		}
		return false
	}
	return visit(s)
}

func (inv *Inventory) branch(out *bufio.Writer, s *Site, root, first, rest string, through []string, above map[*Site]bool) {
	way := ""
	if len(through) > 0 {
		way = ", through " + strings.Join(shorten(through), " -> ")
	}
	fmt.Fprintf(out, "%s%s  %s  %s%s\n", first, s.place(root), s.Operation, s.product(), way)
	if above[s] {
		fmt.Fprintf(out, "%s└─ again, and so on\n", rest)
		return
	}
	above[s] = true
	defer delete(above, s)
	for i, e := range s.Inner {
		mark, indent := "├─ ", "│  "
		if i == len(s.Inner)-1 {
			mark, indent = "└─ ", "   "
		}
		inv.branch(out, inv.Sites[e.Site], root, rest+mark, rest+indent, e.Through, above)
	}
}

// product shows how the worst case comes about: "3 x 4 = 12 attempts".
func (s *Site) product() string {
	if s.WorstAttempts == nil || len(s.Inner) == 0 || s.Attempts.Max == nil {
		switch bound := s.attempts(); bound {
		case "none":
			return "attempts without a bound"
		case "-":
			return "attempts not known"
		default:
			return bound + " attempts"
		}
	}
	return fmt.Sprintf("%d x %d = %d attempts", *s.Attempts.Max, *s.WorstAttempts / *s.Attempts.Max, *s.WorstAttempts)
}

// shorten drops the directories of import paths.
func shorten(functions []string) []string {
	short := make([]string, len(functions))
	for i, f := range functions {
		short[i] = f[strings.LastIndexByte(f, '/')+1:]
	}
	return short
}

func (s *Site) place(root string) string {
	name := s.File
	if rel, err := filepath.Rel(root, name); err == nil && filepath.IsLocal(rel) {
		name = rel
	} else if s.Module != "" {
		if rel, err := filepath.Rel(s.moduleDir, name); err == nil && filepath.IsLocal(rel) {
			name = s.Module + "/" + filepath.ToSlash(rel)
		}
	}
	return fmt.Sprintf("%s:%d", name, s.Line)
}

func (s *Site) by() string {
	if s.Library != "" {
		return shorten([]string{s.Library})[0]
	}
	return s.Kind
}

func (s *Site) attempts() string {
	switch s.Attempts.Bound {
	case "const":
		if s.Attempts.Max != nil {
			return fmt.Sprint(*s.Attempts.Max)
		}
		return "bounded"
	case "none":
		return "none" // no bound
	case "var", "other":
		return "bounded"
	}
	return "-"
}

func (s *Site) time() string {
	text := s.Time.Limit
	switch {
	case s.Time.Seconds != nil:
		text = seconds(*s.Time.Seconds)
	case text == "unknown":
		text = "-"
	}
	if s.Time.PerAttempt {
		text += ", each attempt"
	}
	return text
}

func (s *Site) wait() string {
	if len(s.Waits) == 0 {
		if s.WaitUnknown {
			return "-"
		}
		return "none"
	}
	w := s.Waits[0]
	text := w.How
	if w.Seconds != nil {
		text += " " + seconds(*w.Seconds)
	}
	if w.Grows == "yes" {
		text += ", grows"
		if w.Capped == "yes" {
			text += " to a cap"
		}
	}
	if w.Jittered == "yes" {
		text += ", jitter"
	}
	if more := len(s.Waits) - 1; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

func (s *Site) context() string {
	switch s.Context.Origin {
	case "unknown":
		return "-"
	case "absent":
		return "none"
	}
	if s.Context.Bounded {
		return s.Context.Origin + ", deadline"
	}
	return s.Context.Origin
}

func (s *Site) inspection() string {
	switch {
	case len(s.Inspections) > 0:
		return strings.Join(s.Inspections, ", ")
	case s.InspectionUnknown:
		return "-"
	}
	return "no"
}

func (s *Site) worstCase() string {
	var parts []string
	if s.WorstAttempts != nil {
		parts = append(parts, fmt.Sprintf("%d attempts", *s.WorstAttempts))
	}
	if s.WorstSeconds != nil {
		parts = append(parts, seconds(*s.WorstSeconds))
	}
	if len(parts) == 0 {
		return "-"
	}
	return strings.Join(parts, ", ")
}

func seconds(s float64) string { return time.Duration(s * float64(time.Second)).String() }
