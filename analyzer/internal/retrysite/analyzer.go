package retrysite

import (
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/retrykit/retrykit/analyzer/internal/guard"
	"github.com/retrykit/retrykit/analyzer/internal/retrylib"
)

// Analyzer finds retry sites. It reports nothing; its result is a *Result.
//
// Its flag -tests (default false) says whether _test.go files and examples are
// searched as well. A driver that offers the choice sets it with
// Analyzer.Flags.Set("tests", "true") or registers the flag's Value under its
// own name.
var Analyzer = &analysis.Analyzer{
	Name:       "retrysite",
	Doc:        "find the places where an operation is run again because it failed",
	URL:        "https://github.com/retrykit/retrykit/blob/main/docs/checks/README.md",
	Run:        guard.Run(run),
	Requires:   []*analysis.Analyzer{inspect.Analyzer, Facts},
	ResultType: reflect.TypeFor[*Result](),
}

func init() {
	Analyzer.Flags.Bool("tests", false, "also search _test.go files, files that import testing, httptest, testify or gomega, and folders of tests and examples (test, e2e, testutil, ...example)")
	Analyzer.Flags.Bool("facts-only", false, "find no sites, only facts: for the dependencies of what is analysed")
}

// Result is what the Analyzer found in one package. It is read-only.
type Result struct {
	// Sites are the retries, in source order.
	Sites []*Site
	// Others are what looks like a retry and is none, but does wait for
	// something that can fail: polls, daemons and workers, in source order.
	Others []*Site
	// Delays are the functions that compute a growing wait, in source order.
	Delays []*Delay
	// TextDecisions are the places where the text of an error decides whether
	// there is another attempt, in source order.
	TextDecisions []*TextDecision
	// Stored are the growing waits that are kept in fields, in source order.
	Stored []*StoredDelay

	funcs map[*types.Func]*Func
	find  *finder
}

// FuncOf is the function that declares obj in this package, nil if it is
// declared elsewhere.
func (r *Result) FuncOf(obj *types.Func) *Func {
	if obj == nil {
		return nil
	}
	return r.funcs[obj.Origin()]
}

// OfInner says whether a wait of a site is that of another one, a loop within
// it: the outer loop comes by it too, but it stands before the inner's attempts.
func (r *Result) OfInner(s *Site, w *Wait) bool {
	return slices.ContainsFunc(r.Sites, func(in *Site) bool {
		return in != s && in.Kind == KindLoop && in.Node != s.Node && contains(s.Node, in.Node) &&
			slices.ContainsFunc(in.Waits, func(other *Wait) bool { return other.Node == w.Node })
	})
}

func run(pass *analysis.Pass) (any, error) {
	r := &Result{}
	if flagged(pass, "facts-only") || !interesting(pass) {
		return r, nil
	}
	f := newFinder(pass, r, flagged(pass, "tests"))
	f.facts = pass.ResultOf[Facts].(*KnownFacts).object
	f.loops()
	f.libraries()
	f.wrappers()
	f.delays()
	f.delaySites()
	f.longestWaits()
	f.textDecisions()
	f.storedDelays()
	f.zeroRounds()
	f.spent()
	f.nestings()
	for _, s := range slices.Concat(r.Sites, r.Others) {
		s.res = r
	}
	bySource := func(a, b *Site) int { return int(a.Pos() - b.Pos()) }
	slices.SortStableFunc(r.Sites, bySource)
	slices.SortStableFunc(r.Others, bySource)
	return r, nil
}

// A finder holds what the search of one package shares.
type finder struct {
	pass  *analysis.Pass
	info  *types.Info
	insp  *inspector.Inspector
	res   *Result
	skip  map[*token.File]bool   // files that are not searched
	lits  map[*ast.FuncLit]*Func // literals by node
	decls []*Func                // declarations and literals in source order

	forFacts bool // what only checks ask of a site is left out

	reaches  map[*Func]Reach                        // memo of reachBody
	partial  map[*Func]bool                         // those of it that hold for the question at hand
	cut      bool                                   // the question at hand met one of them, or its limit
	netPkgs  map[*types.Package]bool                // memo of networked
	facts    func(types.Object, analysis.Fact) bool // facts about functions of any package
	retriers map[*types.Func]*Retrier               // of this package, while facts are made
	libs     *retrylib.Scope                        // nil where no retry library is imported
	makers   map[*Func]bool                         // memo of makerFunc
	comms    map[*Func]map[ast.Node]*ast.SelectStmt // memo of selectOf
	pauseOf  map[*Func]*pause                       // memo of pauses
	pauseIn  map[*Func]*pause                       // memo of ownPause
	assigns  map[*Func]map[*types.Var][]assigned    // memo of valuesOf
	returns  map[*Func]map[types.Object]bool        // memo of returnedVars
	callers  map[*types.Func]*callers               // memo of callersOf

	implemented map[*types.Func][]*Func // memo of implementations
}

func newFinder(pass *analysis.Pass, r *Result, tests bool) *finder {
	f := &finder{
		pass: pass,
		info: pass.TypesInfo,
		insp: pass.ResultOf[inspect.Analyzer].(*inspector.Inspector),
		res:  r,
		skip: skippedFiles(pass, tests),
		lits: make(map[*ast.FuncLit]*Func),

		implemented: make(map[*types.Func][]*Func),

		retriers: make(map[*types.Func]*Retrier),
		reaches:  make(map[*Func]Reach),
		partial:  make(map[*Func]bool),
		makers:   make(map[*Func]bool),
		comms:    make(map[*Func]map[ast.Node]*ast.SelectStmt),
		pauseOf:  make(map[*Func]*pause),
		pauseIn:  make(map[*Func]*pause),
		netPkgs:  make(map[*types.Package]bool),
		assigns:  make(map[*Func]map[*types.Var][]assigned),
		returns:  make(map[*Func]map[types.Object]bool),
	}
	r.funcs, r.find = make(map[*types.Func]*Func), f
	f.collect()
	return f
}

// loops adds the sites of kinds KindLoop and KindRecursion.
func (f *finder) loops() {
	for _, fn := range f.decls {
		if fn.Body() == nil || f.skip[f.pass.Fset.File(fn.Body().Pos())] || forTests(f.info, fn) {
			continue
		}
		f.searchLoops(fn)
		f.searchRecursion(fn)
	}
}
