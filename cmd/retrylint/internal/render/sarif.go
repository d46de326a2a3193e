package render

import (
	"io"
	"net/url"
	"path"
	"strings"

	"github.com/retrykit/retrykit/cmd/retrylint/internal/finding"
	"github.com/retrykit/retrykit/cmd/retrylint/internal/source"
)

// sarifSchema is the version of the format that SARIF writes, as its schema.
const sarifSchema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

// The types below are the part of SARIF 2.1.0 that is written, by the names
// of the standard (docs.oasis-open.org/sarif/sarif/v2.1.0). The test
// validates what comes of them against the official schema.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool               sarifTool                   `json:"tool"`
		Invocations        []sarifInvocation           `json:"invocations"`
		OriginalURIBaseIDs map[string]sarifArtifactLoc `json:"originalUriBaseIds"`
		ColumnKind         string                      `json:"columnKind"`
		Results            []sarifResult               `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name           string      `json:"name"`
		InformationURI string      `json:"informationUri"`
		Version        string      `json:"version"`
		Rules          []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID               string        `json:"id"`
		ShortDescription sarifText     `json:"shortDescription"`
		FullDescription  sarifText     `json:"fullDescription"`
		Help             sarifHelp     `json:"help"`
		HelpURI          string        `json:"helpUri,omitempty"`
		Default          sarifConfig   `json:"defaultConfiguration"`
		Properties       sarifRuleTags `json:"properties"`
	}
	sarifConfig struct {
		Level finding.Level `json:"level"`
	}
	sarifRuleTags struct {
		Tags []string `json:"tags"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifHelp struct {
		Text     string `json:"text"`
		Markdown string `json:"markdown"`
	}
	sarifInvocation struct {
		Successful    bool                `json:"executionSuccessful"`
		Notifications []sarifNotification `json:"toolExecutionNotifications,omitempty"`
	}
	sarifNotification struct {
		Level   string    `json:"level"`
		Message sarifText `json:"message"`
	}
	sarifResult struct {
		RuleID              string            `json:"ruleId"`
		RuleIndex           int               `json:"ruleIndex"`
		Level               finding.Level     `json:"level"`
		Message             sarifText         `json:"message"`
		Locations           []sarifLocation   `json:"locations"`
		RelatedLocations    []sarifLocation   `json:"relatedLocations,omitempty"`
		Fixes               []sarifFix        `json:"fixes,omitempty"`
		PartialFingerprints map[string]string `json:"partialFingerprints"`
		Properties          map[string]any    `json:"properties,omitempty"`
	}
	sarifLocation struct {
		ID       *int            `json:"id,omitempty"`
		Message  *sarifText      `json:"message,omitempty"`
		Physical sarifPhysical   `json:"physicalLocation"`
		Logical  []sarifLogicalL `json:"logicalLocations,omitempty"`
	}
	sarifLogicalL struct {
		FullyQualifiedName string `json:"fullyQualifiedName"`
		Kind               string `json:"kind"`
	}
	sarifPhysical struct {
		Artifact sarifArtifactLoc `json:"artifactLocation"`
		Region   sarifRegion      `json:"region"`
	}
	sarifArtifactLoc struct {
		URI   string     `json:"uri"`
		Base  string     `json:"uriBaseId,omitempty"`
		Descr *sarifText `json:"description,omitempty"`
	}
	sarifRegion struct {
		StartLine   int        `json:"startLine"`
		StartColumn int        `json:"startColumn"`
		EndLine     int        `json:"endLine"`
		EndColumn   int        `json:"endColumn"`
		Snippet     *sarifText `json:"snippet,omitempty"`
	}
	sarifFix struct {
		Description sarifText     `json:"description"`
		Changes     []sarifChange `json:"artifactChanges"`
	}
	sarifChange struct {
		Artifact     sarifArtifactLoc   `json:"artifactLocation"`
		Replacements []sarifReplacement `json:"replacements"`
	}
	sarifReplacement struct {
		Deleted  sarifRegion `json:"deletedRegion"`
		Inserted sarifText   `json:"insertedContent"`
	}
)

// rootID is the base of relative locations; code scanning services know it by
// this name.
const rootID = "%SRCROOT%"

// SARIF prints findings in the Static Analysis Results Interchange Format,
// version 2.1.0, as code scanning services take it.
func SARIF(w io.Writer, r Report) error {
	s := sarifWriter{report: r, lines: source.New(), index: make(map[string]int)}
	run := sarifRun{
		Tool: sarifTool{sarifDriver{
			Name:           "retrylint",
			InformationURI: "https://github.com/retrykit/retrykit",
			Version:        r.Version,
			Rules:          []sarifRule{},
		}},
		OriginalURIBaseIDs: map[string]sarifArtifactLoc{rootID: {
			URI: strings.TrimSuffix(fileURI(r.Root), "/") + "/", Descr: &sarifText{"the directory in which retrylint ran"},
		}},
		ColumnKind: "unicodeCodePoints",
		Results:    []sarifResult{},
	}
	for i, check := range r.Checks {
		s.index[check.Name] = i
		doc := strings.TrimSpace(check.Doc)
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{
			ID:               check.Name,
			ShortDescription: sarifText{summary(check)},
			FullDescription:  sarifText{doc},
			Help:             sarifHelp{Text: doc, Markdown: doc},
			HelpURI:          check.URL,
			Default:          sarifConfig{r.level(check.Name)},
			Properties:       sarifRuleTags{Tags: []string{"retry", "reliability"}},
		})
	}
	invocation := sarifInvocation{Successful: len(r.Problems) == 0}
	for _, p := range r.Problems {
		invocation.Notifications = append(invocation.Notifications, sarifNotification{"error", sarifText{p.String()}})
	}
	run.Invocations = []sarifInvocation{invocation}
	for _, f := range r.Findings {
		run.Results = append(run.Results, s.result(f))
	}
	return encode(w, sarifLog{Schema: sarifSchema, Version: "2.1.0", Runs: []sarifRun{run}})
}

type sarifWriter struct {
	report Report
	lines  *source.Lines
	index  map[string]int // of the rules
}

func (s *sarifWriter) result(f finding.Finding) sarifResult {
	place := s.location(f.Range)
	place.Logical = []sarifLogicalL{{FullyQualifiedName: f.Function, Kind: "function"}}
	place.Physical.Region.Snippet = &sarifText{f.Snippet}
	result := sarifResult{
		RuleID:              f.Check,
		RuleIndex:           s.index[f.Check],
		Level:               f.Level,
		Message:             sarifText{f.Message},
		Locations:           []sarifLocation{place},
		PartialFingerprints: map[string]string{"retrylint/v1": f.Fingerprint},
	}
	for i, rel := range f.Related {
		loc := s.location(rel.Range)
		id := i + 1
		loc.ID, loc.Message = &id, &sarifText{rel.Message}
		result.RelatedLocations = append(result.RelatedLocations, loc)
	}
	for _, fix := range f.Fixes {
		result.Fixes = append(result.Fixes, s.fix(fix))
	}
	if f.Cost != nil {
		result.Properties = map[string]any{"cost": f.Cost}
	}
	return result
}

func (s *sarifWriter) location(r finding.Range) sarifLocation {
	return sarifLocation{Physical: sarifPhysical{Artifact: s.artifact(r.File), Region: s.region(r)}}
}

// region gives columns in characters, and never an empty or inverted part
// that does not say where it is.
func (s *sarifWriter) region(r finding.Range) sarifRegion {
	return sarifRegion{
		StartLine:   max(1, r.Start.Line),
		StartColumn: max(1, s.lines.Runes(r.File, r.Start.Line, r.Start.Column)),
		EndLine:     max(1, r.End.Line),
		EndColumn:   max(1, s.lines.Runes(r.File, r.End.Line, r.End.Column)),
	}
}

func (s *sarifWriter) artifact(file string) sarifArtifactLoc {
	if rel, ok := relativeURI(s.report.Root, file); ok {
		return sarifArtifactLoc{URI: rel, Base: rootID}
	}
	return sarifArtifactLoc{URI: fileURI(file)}
}

func (s *sarifWriter) fix(fix finding.Fix) sarifFix {
	out := sarifFix{Description: sarifText{fix.Message}}
	at := make(map[string]int)
	for _, edit := range fix.Edits {
		i, ok := at[edit.File]
		if !ok {
			i = len(out.Changes)
			at[edit.File] = i
			out.Changes = append(out.Changes, sarifChange{Artifact: s.artifact(edit.File)})
		}
		out.Changes[i].Replacements = append(out.Changes[i].Replacements,
			sarifReplacement{Deleted: s.region(edit.Range), Inserted: sarifText{edit.New}})
	}
	return out
}

// slashed is a path of any system with slashes.
func slashed(file string) string {
	if isWindows(file) {
		return strings.ReplaceAll(file, `\`, "/")
	}
	return file
}

// isWindows says whether an absolute path is one of Windows: C:\src or
// \\server\share. It goes by the path and not by the system at hand, so that
// it can be tested anywhere.
func isWindows(file string) bool {
	drive := len(file) > 2 && file[1] == ':' && (file[2] == '\\' || file[2] == '/')
	return drive || strings.HasPrefix(file, `\\`)
}

// relativeURI is the URI reference from the root to a file below it.
func relativeURI(root, file string) (string, bool) {
	base := strings.TrimSuffix(path.Clean(slashed(root)), "/") + "/"
	name := path.Clean(slashed(file))
	below := strings.HasPrefix(name, base)
	if isWindows(file) && len(name) > len(base) {
		below = strings.EqualFold(name[:len(base)], base) // c:\ and C:\ are one
	}
	if !below {
		return "", false
	}
	return (&url.URL{Path: name[len(base):]}).EscapedPath(), true
}

// fileURI is the file URI of an absolute path.
func fileURI(file string) string {
	name := slashed(file)
	if share, ok := strings.CutPrefix(name, "//"); ok && isWindows(file) {
		host, rest, _ := strings.Cut(share, "/")
		return (&url.URL{Scheme: "file", Host: host, Path: path.Clean("/" + rest)}).String()
	}
	return (&url.URL{Scheme: "file", Path: path.Clean("/" + name)}).String()
}
