package retrysite

import (
	"fmt"
	"go/ast"
	"go/types"
	"reflect"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"

	"github.com/retrykit/retrykit/analyzer/internal/guard"
	"github.com/retrykit/retrykit/analyzer/internal/modulefacts"
)

// A Retrier is the fact that a function runs one of its func parameters again
// when it fails.
type Retrier struct {
	// Closure is the index of the parameter, without the receiver.
	Closure int
	// Attempts is the number of attempts in all, 0 if it is not a constant.
	Attempts int64
	// Counted says that the number of attempts is limited, Timed that the time
	// is, Jittered that waits are random, Inspects that failures are looked at,
	// Follows that the end of a context parameter ends the waits.
	Counted, Timed, Jittered, Inspects, Follows bool
	// Condition says that the parameter is a condition, func() (bool, error):
	// an error ends it, and false runs it again.
	Condition bool
}

// AFact marks a Retrier as a fact.
func (*Retrier) AFact() {}

// String is the fact as tests write it: retrier(closure=1, attempts=3, inspects).
func (r *Retrier) String() string {
	parts := []string{fmt.Sprintf("closure=%d", r.Closure)}
	switch {
	case r.Attempts > 0:
		parts = append(parts, fmt.Sprintf("attempts=%d", r.Attempts))
	case r.Counted:
		parts = append(parts, "counted")
	}
	for _, p := range []struct {
		set  bool
		name string
	}{{r.Timed, "deadline"}, {r.Jittered, "jitter"}, {r.Inspects, "inspects"}, {r.Follows, "follows"}, {r.Condition, "condition"}} {
		if p.set {
			parts = append(parts, p.name)
		}
	}
	return "retrier(" + strings.Join(parts, ", ") + ")"
}

// A Sleeper is the fact that a function pauses.
type Sleeper struct {
	// Blind says that nothing can interrupt the pause.
	Blind bool
	// Duration is the index of the parameter that says how long, -1 if none.
	Duration int
}

// AFact marks a Sleeper as a fact.
func (*Sleeper) AFact() {}

// String is the fact as tests write it: sleeper(blind, duration=0).
func (s *Sleeper) String() string {
	how := "follows"
	if s.Blind {
		how = "blind"
	}
	if s.Duration >= 0 {
		return fmt.Sprintf("sleeper(%s, duration=%d)", how, s.Duration)
	}
	return "sleeper(" + how + ")"
}

// Facts finds what other packages have to know of the functions of one, from
// syntax alone and in little time, since it runs over every dependency.
var Facts = &analysis.Analyzer{
	Name:       "retryfacts",
	Doc:        "find functions that retry what they are given or call, and functions that sleep",
	URL:        "https://github.com/retrykit/retrykit/blob/main/docs/checks/README.md",
	Run:        guard.Run(runFacts),
	Requires:   []*analysis.Analyzer{inspect.Analyzer},
	FactTypes:  []analysis.Fact{(*Retrier)(nil), (*Sleeper)(nil), (*Delayer)(nil), (*Inside)(nil)},
	ResultType: reflect.TypeFor[*KnownFacts](),
}

// KnownFacts answers for the functions of the package at hand and of those
// that it imports.
type KnownFacts struct {
	object func(types.Object, analysis.Fact) bool
}

func runFacts(pass *analysis.Pass) (any, error) {
	known := &KnownFacts{object: modulefacts.Import(pass)}
	if !interesting(pass) {
		return known, nil
	}
	f := newFinder(pass, &Result{}, false)
	f.forFacts = true
	f.facts = known.object
	f.exportSleepers()
	f.exportRetriers()
	f.exportDelays()
	f.exportInside()
	return known, nil
}

// exportSleepers exports a fact for each function that pauses, if the package
// names anything that does.
func (f *finder) exportSleepers() {
	if !f.namesSleep() {
		return
	}
	for _, fn := range f.decls {
		if fn.Obj == nil || fn.Body() == nil || !fn.Obj.Exported() {
			continue
		}
		// A function that does more than to wait is not a pause: what it waits
		// for in a loop of its own is its own business.
		if p := f.pauses(fn, 0).outsideLoops(); p != nil {
			f.pass.ExportObjectFact(fn.Obj, &Sleeper{Blind: !p.interruptible, Duration: p.param})
		}
	}
}

// namesSleep says whether a file of the package names a function that pauses.
func (f *finder) namesSleep() (found bool) {
	if !imports(f.pass.Pkg, "time") {
		return false
	}
	f.insp.Preorder([]ast.Node{(*ast.SelectorExpr)(nil)}, func(n ast.Node) {
		switch n.(*ast.SelectorExpr).Sel.Name {
		case "Sleep", "After", "NewTimer":
			found = true
		}
	})
	return found
}

func imports(p *types.Package, path string) bool {
	for _, imp := range p.Imports() {
		if imp.Path() == path {
			return true
		}
	}
	return false
}

// sleeper is the fact of a function of another package, nil if it has none.
func (f *finder) sleeper(callee *types.Func) *Sleeper {
	var s Sleeper
	if callee == nil || callee.Pkg() == f.pass.Pkg || f.facts == nil || !f.facts(callee.Origin(), &s) {
		return nil
	}
	return &s
}
