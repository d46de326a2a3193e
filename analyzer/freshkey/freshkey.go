package freshkey

import (
	_ "embed"
	"fmt"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/retrykit/retrykit/analyzer/internal/checkdoc"
	"github.com/retrykit/retrykit/analyzer/internal/report"
	"github.com/retrykit/retrykit/analyzer/internal/retrysite"
	"github.com/retrykit/retrykit/analyzer/internal/suppress"
)

//go:embed doc.go
var source string

// Analyzer reports idempotency keys that are made anew for each attempt; see
// the package documentation.
var Analyzer = &analysis.Analyzer{
	Name:     "freshkey",
	Doc:      checkdoc.Text(source),
	URL:      report.URL("freshkey"),
	Requires: []*analysis.Analyzer{retrysite.Analyzer, suppress.Analyzer},
	Run:      suppress.Check(run),
}

func run(pass *analysis.Pass) (any, error) {
	sites := pass.ResultOf[retrysite.Analyzer].(*retrysite.Result)
	for _, s := range retried(sites) {
		if avoidsCollision(s) {
			continue
		}
		for _, id := range sites.FreshIDs(s) {
			sink := id.Sink
			if id.How == retrysite.SinkStatement {
				if inTransaction(pass.TypesInfo, s) {
					continue
				}
				sink = "id for the " + sink
			}
			where := "for each attempt"
			if id.Via != nil {
				where = fmt.Sprintf("in %s, so for each attempt", id.Via.Name())
			}
			report.Site(pass, s, id.Call.Pos(), id.Call.End(), fmt.Sprintf(
				"makes a new %s with %s %s, so the server can't tell a retry of %s from a second request; make it once, before the retry",
				sink, id.Maker, where, s.Op().Name), fix(pass, s, id))
		}
	}
	return nil, nil
}

// retried are the sites, and the workers that put what they failed on back on
// their queue.
func retried(r *retrysite.Result) (list []*retrysite.Site) {
	list = append(list, r.Sites...)
	for _, s := range r.Others {
		if s.Requeued {
			list = append(list, s)
		}
	}
	return list
}

// avoidsCollision says whether a site retries because an id was taken: then a
// new one is the point.
func avoidsCollision(s *retrysite.Site) bool {
	for _, in := range s.Inspections {
		for _, o := range named(in) {
			name := strings.ToLower(o.Name())
			for _, word := range []string{"exist", "conflict", "duplicate", "unique", "taken", "collision"} {
				if strings.Contains(name, word) {
					return true
				}
			}
		}
	}
	return false
}

// named are the things that an inspection names.
func named(in retrysite.Inspection) (list []types.Object) {
	if in.Sentinel != nil {
		list = append(list, in.Sentinel)
	}
	if in.Callee != nil {
		list = append(list, in.Callee)
	}
	return list
}
