package blindsleep

import (
	_ "embed"
	"fmt"
	"slices"
	"time"

	"golang.org/x/tools/go/analysis"

	"github.com/retrykit/retrykit/analyzer/internal/checkdoc"
	"github.com/retrykit/retrykit/analyzer/internal/edit"
	"github.com/retrykit/retrykit/analyzer/internal/report"
	"github.com/retrykit/retrykit/analyzer/internal/retrysite"
	"github.com/retrykit/retrykit/analyzer/internal/suppress"
)

//go:embed doc.go
var source string

// Analyzer reports waits between attempts that nothing can interrupt; see the
// package documentation.
//
// Its flag -reachable (default false) limits it to waits that ignore a context
// which is in scope.
var Analyzer = &analysis.Analyzer{
	Name:     "blindsleep",
	Doc:      checkdoc.Text(source),
	URL:      report.URL("blindsleep"),
	Requires: []*analysis.Analyzer{retrysite.Analyzer, suppress.Analyzer},
	Run:      suppress.Check(run),
}

func init() {
	Analyzer.Flags.Bool("reachable", false, "report only waits that ignore a context which is in scope")
}

func run(pass *analysis.Pass) (any, error) {
	sites := pass.ResultOf[retrysite.Analyzer].(*retrysite.Result)
	onlyReachable := pass.Analyzer.Flags.Lookup("reachable").Value.String() == "true"
	for _, s := range sites.Sites {
		if s.Context.Reachable == "" && (onlyReachable || startUp(s)) {
			continue
		}
		check(pass, s)
	}
	for _, s := range sites.Others {
		if counted(s) || watches(s) {
			continue
		}
		ignores := s.Context.Reachable != "" && (usesIt(s) || s.Shape == retrysite.ShapePoll && s.Context.ReachableOrigin == retrysite.ContextParam)
		if ignores || !onlyReachable && backsOff(s) {
			check(pass, s)
		}
	}
	return nil, nil
}

// shortest is a wait that is too short for anybody to care about its end.
const shortest = 10 * time.Millisecond

// check reports the first wait of s that nothing interrupts.
func check(pass *analysis.Pass, s *retrysite.Site) {
	for _, w := range s.Waits {
		if w.Interruptible || w.HasConst && w.Const < shortest && w.How != retrysite.WaitLibrary {
			continue
		}
		report.Site(pass, s, w.Node.Pos(), w.Node.End(), message(s, w), edit.WaitOrDone(pass, s, w))
		return
	}
}

func message(s *retrysite.Site, w *retrysite.Wait) string {
	what := "waits"
	if w.HasConst {
		what += " " + w.Const.String()
	}
	switch w.How {
	case retrysite.WaitSleep:
		what += " with time.Sleep"
	case retrysite.WaitAfter:
		what += " for time.After alone"
	case retrysite.WaitTimer, retrysite.WaitSelect:
		what += " for a timer alone"
	case retrysite.WaitHelper:
		if w.Helper != nil {
			what += " in " + w.Helper.Name()
		}
	}
	if w.How == retrysite.WaitLibrary {
		return libraryMessage(s)
	}
	if ctx := s.Context.Reachable; ctx != "" {
		return fmt.Sprintf("%s before retrying %s, so a cancelled %s still waits it out; select on the timer and %s.Done()", what, s.Op().Name, ctx, ctx)
	}
	return fmt.Sprintf("%s before retrying %s, and nothing can interrupt it; take a context and select on the timer and its Done channel", what, s.Op().Name)
}

// libraryMessage is the message for a wait that a retry library makes.
func libraryMessage(s *retrysite.Site) string {
	what := fmt.Sprintf("%s waits before retrying %s", s.Library.Func, s.Op().Name)
	how := s.Library.GiveContext
	switch ctx := s.Context.Reachable; {
	case ctx != "" && how != "":
		return fmt.Sprintf("%s without watching %s, so a cancelled %[2]s still waits it out; %s", what, ctx, how)
	case ctx != "":
		return fmt.Sprintf("%s and can't watch %s, so a cancelled %[2]s still waits it out; use a library whose wait takes a context", what, ctx)
	case how != "":
		return fmt.Sprintf("%s, and nothing can interrupt it; take a context and %s", what, how)
	}
	return what + ", and nothing can interrupt it; use a library whose wait takes a context"
}

// backsOff says whether a site is a helper that waits between runs of a
// condition that its caller hands in, which may well be a failing operation.
func backsOff(s *retrysite.Site) bool {
	d := s.Func.Declaration()
	return s.Shape == retrysite.ShapePoll && s.Op().Param != nil && d != nil && helperName(d.Name.Name)
}

var helperName = retrysite.Matcher(`(?i)back_?off|retr(y|ies)`)

// counted says whether a loop goes through a number of rounds that is given
// beforehand, whatever comes of each: the next one is no attempt at the same.
func counted(s *retrysite.Site) bool {
	return s.Shape == retrysite.ShapeWorker && s.Attempts.Bounded() && s.Attempts.Counter != nil
}

// watches says whether one of the waits of a loop ends with a context: the pause
// between two rounds is that one, and what the operation waits for is its answer.
func watches(s *retrysite.Site) bool {
	return slices.ContainsFunc(s.Waits, func(w *retrysite.Wait) bool { return w.Interruptible })
}

// startUp says whether a site runs in main or init, where nothing has been
// started that a wait could hold up.
func startUp(s *retrysite.Site) bool {
	d := s.Func.Declaration()
	return d != nil && d.Recv == nil && (d.Name.Name == "main" || d.Name.Name == "init")
}

// usesIt says whether the operation itself runs under a context that somebody
// can end, so that the wait is what ignores it.
func usesIt(s *retrysite.Site) bool {
	switch s.Context.Origin {
	case retrysite.ContextParam, retrysite.ContextField, retrysite.ContextRequest:
		return true
	}
	return false
}
