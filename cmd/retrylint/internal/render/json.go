package render

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/retrykit/retrykit/cmd/retrylint/internal/analyze"
	"github.com/retrykit/retrykit/cmd/retrylint/internal/finding"
)

// JSON prints everything that is known of the findings, as one object.
func JSON(w io.Writer, r Report) error {
	object := struct {
		SchemaVersion int               `json:"schema_version"`
		Findings      []finding.Finding `json:"findings"`
		Problems      []analyze.Problem `json:"problems"`
		StaleBaseline []finding.Key     `json:"stale_baseline"`
	}{1, r.Findings, r.Problems, r.Stale}
	// A reader should not have to tell null from nothing.
	if object.Findings == nil {
		object.Findings = []finding.Finding{}
	}
	if object.Problems == nil {
		object.Problems = []analyze.Problem{}
	}
	if object.StaleBaseline == nil {
		object.StaleBaseline = []finding.Key{}
	}
	return encode(w, object)
}

// VetJSON prints findings as go vet -json does: by package, then by check.
func VetJSON(w io.Writer, r Report) error {
	type edit struct {
		Filename string `json:"filename"`
		Start    int    `json:"start"`
		End      int    `json:"end"`
		New      string `json:"new"`
	}
	type fix struct {
		Message string `json:"message"`
		Edits   []edit `json:"edits"`
	}
	type related struct {
		Posn    string `json:"posn"`
		End     string `json:"end"`
		Message string `json:"message"`
	}
	type diagnostic struct {
		Category string    `json:"category,omitempty"`
		Posn     string    `json:"posn"`
		End      string    `json:"end"`
		Message  string    `json:"message"`
		Fixes    []fix     `json:"suggested_fixes,omitempty"`
		Related  []related `json:"related,omitempty"`
	}
	tree := make(map[string]map[string]any)
	of := func(pkg string) map[string]any {
		if tree[pkg] == nil {
			tree[pkg] = make(map[string]any)
		}
		return tree[pkg]
	}
	posn := func(file string, p finding.Position) string {
		return fmt.Sprintf("%s:%s", file, p)
	}
	for _, f := range r.Findings {
		d := diagnostic{Category: f.Check, Posn: posn(f.File, f.Start), End: posn(f.File, f.End), Message: f.Message}
		for _, x := range f.Fixes {
			out := fix{Message: x.Message}
			for _, e := range x.Edits {
				out.Edits = append(out.Edits, edit{e.File, e.Start, e.End, e.New})
			}
			d.Fixes = append(d.Fixes, out)
		}
		for _, rel := range f.Related {
			d.Related = append(d.Related, related{posn(rel.File, rel.Start), posn(rel.File, rel.End), rel.Message})
		}
		list, _ := of(f.Package)[f.Check].([]diagnostic)
		of(f.Package)[f.Check] = append(list, d)
	}
	for _, p := range r.Problems {
		of(p.Package)["error"] = map[string]string{"error": p.String()}
	}
	data, err := json.MarshalIndent(tree, "", "\t") // with < as \u003c, as go vet has it
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s\n", data)
	return err
}

func encode(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "\t")
	return enc.Encode(v)
}
