package lasterror

import (
	_ "embed"
	"fmt"
	"go/ast"
	"go/token"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/retrykit/retrykit/analyzer/internal/checkdoc"
	"github.com/retrykit/retrykit/analyzer/internal/report"
	"github.com/retrykit/retrykit/analyzer/internal/retrysite"
	"github.com/retrykit/retrykit/analyzer/internal/suppress"
)

//go:embed doc.go
var source string

// Analyzer reports retries that give up without the last error; see the package
// documentation.
var Analyzer = &analysis.Analyzer{
	Name:     "lasterror",
	Doc:      checkdoc.Text(source),
	URL:      report.URL("lasterror"),
	Requires: []*analysis.Analyzer{retrysite.Analyzer, suppress.Analyzer},
	Run:      suppress.Check(run),
}

func run(pass *analysis.Pass) (any, error) {
	for _, s := range pass.ResultOf[retrysite.Analyzer].(*retrysite.Result).Sites {
		for _, l := range s.Losses {
			if message := judge(s, l); message != "" {
				report.Site(pass, s, l.Node.Pos(), l.Node.End(), message, wrap(l))
			}
		}
	}
	return nil, nil
}

// judge is what to say about a loss, "" if it is no fault.
func judge(s *retrysite.Site, l retrysite.Loss) string {
	op := s.Op().Name
	exhausted := l.By == retrysite.LossByBound
	cancelled := l.By == retrysite.LossByContext
	switch l.How {
	case retrysite.LossText:
		if exhausted || cancelled {
			return fmt.Sprintf("gives up with the last error from %s as text only, so errors.Is and errors.As can't see it; wrap it with %%w", op)
		}
	case retrysite.LossNew, retrysite.LossSentinel:
		if exhausted {
			return fmt.Sprintf("gives up without the last error from %s, so nobody learns what failed; wrap it with %%w", op)
		}
	case retrysite.LossNil:
		switch {
		case exhausted:
			return fmt.Sprintf("returns nil when the attempts are used up, so that a failed %s looks like success; return the last error", op)
		case cancelled:
			return fmt.Sprintf("returns nil when the context ends, so that a failed %s looks like success; return the context's error with the last one", op)
		}
	case retrysite.LossBool:
		if exhausted && s.Op().Reach == retrysite.ReachRemote {
			return fmt.Sprintf("gives up with false and no word of the last error from %s, so nobody learns what failed; return the error, or log it", op)
		}
	case retrysite.LossContext:
		if cancelled && l.Promised {
			return fmt.Sprintf("promises the last error but returns the context's alone, so what failed in %s is lost; join both with errors.Join", op)
		}
	case retrysite.LossShadow:
		return fmt.Sprintf("%s is declared anew in the loop, so the one that is returned here is always nil; assign with = there", l.Var.Name())
	}
	return ""
}

// wrap turns the %v or %s that shows the error into %w.
func wrap(l retrysite.Loss) *analysis.SuggestedFix {
	if l.How != retrysite.LossText || l.Verb == nil {
		return nil
	}
	lit, ok := ast.Unparen(l.Verb.Args[0]).(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return nil
	}
	at := verbAt(lit.Value, l.VerbArg-1)
	if at < 0 {
		return nil
	}
	pos := lit.Pos() + token.Pos(at)
	return &analysis.SuggestedFix{
		Message:   "Wrap the last error with %w",
		TextEdits: []analysis.TextEdit{{Pos: pos, End: pos + 2, NewText: []byte("%w")}},
	}
}

// verbAt is the offset in a literal's source of the plain %v or %s that is its
// nth verb, -1 if that verb is another one or can't be told.
func verbAt(lit string, n int) int {
	for i := 0; i+1 < len(lit); i++ {
		if lit[i] != '%' {
			continue
		}
		if lit[i+1] == '%' {
			i++
			continue
		}
		if n == 0 {
			if lit[i+1] == 'v' || lit[i+1] == 's' {
				return i
			}
			return -1
		}
		if strings.IndexByte("+-# 0123456789.*[", lit[i+1]) >= 0 {
			// Flags and widths: skip to the verb.
			for i++; i < len(lit) && strings.IndexByte("+-# 0123456789.", lit[i]) >= 0; i++ {
			}
			if i < len(lit) && (lit[i] == '*' || lit[i] == '[') {
				return -1
			}
		}
		n--
	}
	return -1
}
