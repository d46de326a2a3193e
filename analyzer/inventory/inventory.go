// Package inventory lists the retry sites of a package with what is known of
// each: how many attempts, how long, what wait, under which context, how the
// error is looked at. It judges nothing and reports nothing; programs take it
// from the Analyzer's result, people from "retrylint sites".
package inventory

import (
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/retrykit/retrykit/analyzer/internal/retrysite"
)

// Analyzer makes the inventory of a package. Its result is a *Package.
var Analyzer = &analysis.Analyzer{
	Name:       "retryinventory",
	Doc:        "list the retry sites of a package\n\nThe result is for programs; by itself it reports nothing.",
	URL:        "https://github.com/retrykit/retrykit/blob/main/docs/retrylint.md#the-inventory",
	Requires:   []*analysis.Analyzer{retrysite.Analyzer},
	ResultType: reflect.TypeFor[*Package](),
	Run:        run,
}

// A Package is the inventory of one package.
type Package struct {
	// Sites are in source order.
	Sites []*Site

	// Calls are the functions that each function of the package calls by
	// name, directly or in a literal inside it; interface methods and
	// function values are not among them. Names are those of Site.Function.
	// A package without sites has them too: a chain may lead through it.
	Calls map[string][]string
}

// A Site is one place where an operation is run again because it failed. A
// value that is not known is empty, nil or "unknown", never 0.
type Site struct {
	Position token.Position `json:"-"`
	End      token.Position `json:"-"`

	// Function is the declaration that holds the site, with the import path:
	// "example.com/shop.(*Client).Charge".
	Function string `json:"function"`

	// Kind is "loop", "library", "wrapper" or "recursion". Library names the
	// retry library's function for "library", and the retrying function for
	// "wrapper".
	Kind    string `json:"kind"`
	Library string `json:"library,omitempty"`

	// Operation is what is retried, as the source calls it; Callees are the
	// functions behind it, where they are known. Reach is "local", "remote",
	// "param" (whatever the caller hands in) or "unknown".
	Operation string   `json:"operation"`
	Callees   []string `json:"callees,omitempty"`
	Reach     string   `json:"reach"`

	Attempts Attempts `json:"attempts"`
	Time     Time     `json:"time"`
	Waits    []Wait   `json:"waits"`
	// WaitUnknown says that there may be a wait that could not be followed.
	WaitUnknown bool    `json:"wait_unknown"`
	Context     Context `json:"context"`

	// Inspections are the ways in which the failure is looked at before the
	// next attempt: "errors.Is", "status", "predicate" and so on.
	// InspectionUnknown says that something that could not be followed may
	// look at it.
	Inspections       []string `json:"inspections"`
	InspectionUnknown bool     `json:"inspection_unknown"`

	// Inside is the index, in Package.Sites, of the site whose attempts hold
	// this one in the same function; -1 if there is none.
	Inside int `json:"-"`
}

// Attempts is the bound on the number of attempts, the first one included.
type Attempts struct {
	// Bound is "const", "var" (bounded, by a number not known here), "other"
	// (bounded by something else), "none" or "unknown".
	Bound string `json:"bound"`
	Max   *int64 `json:"max"` // for "const"
}

// Time is what limits the time of a site in all.
type Time struct {
	// Limit is "context", "elapsed", "library", "caller" (the caller's
	// context), "none" or "unknown".
	Limit   string   `json:"limit"`
	Seconds *float64 `json:"seconds"` // where it is constant
	// PerAttempt says that each attempt has a limit of its own.
	PerAttempt bool `json:"per_attempt"`
}

// A Wait is one pause between attempts.
type Wait struct {
	How           string   `json:"how"`     // "time.Sleep", "time.After", "timer", "select", "helper", "library", "cond"
	Seconds       *float64 `json:"seconds"` // where it is constant
	Grows         string   `json:"grows"`   // "yes", "no" or "unknown"
	Capped        string   `json:"capped"`
	Jittered      string   `json:"jittered"`
	Interruptible bool     `json:"interruptible"`
}

// Context is where the context that a site lives under comes from.
type Context struct {
	// Origin is "param", "field", "request", "background", "todo", "global",
	// "library", "absent" or "unknown".
	Origin  string `json:"origin"`
	Bounded bool   `json:"bounded"` // it was given a deadline on its way
}

func run(pass *analysis.Pass) (any, error) {
	result := &Package{Calls: calls(pass)}
	found := pass.ResultOf[retrysite.Analyzer].(*retrysite.Result).Sites
	for i, s := range found {
		site := describe(pass, s)
		site.Inside = -1
		for j, outer := range found {
			if j != i && outer.Func == s.Func && outer.Pos() <= s.Pos() && s.End() <= outer.End() && outer.Contains(s.Pos()) {
				site.Inside = j // the innermost comes last in source order
			}
		}
		result.Sites = append(result.Sites, site)
	}
	return result, nil
}

func describe(pass *analysis.Pass, s *retrysite.Site) *Site {
	site := &Site{
		Position:          pass.Fset.Position(s.Pos()),
		End:               pass.Fset.Position(s.End()),
		Function:          functionName(pass, s),
		Kind:              s.Kind.String(),
		Reach:             s.Op().Reach.String(),
		Operation:         s.Op().Name,
		Attempts:          Attempts{Bound: s.Attempts.Kind.String()},
		Time:              timeOf(s.Time),
		Waits:             []Wait{},
		WaitUnknown:       s.WaitUnknown,
		Context:           Context{Origin: s.Context.Origin.String(), Bounded: s.Context.Bounded},
		Inspections:       []string{},
		InspectionUnknown: s.InspectionUnknown,
	}
	switch {
	case s.Library != nil:
		site.Library = s.Library.Func
	case s.Wrapper != nil:
		site.Library = Name(s.Wrapper)
	}
	for _, op := range s.Ops {
		if op.Callee != nil && !slices.Contains(site.Callees, Name(op.Callee)) {
			site.Callees = append(site.Callees, Name(op.Callee))
		}
	}
	if s.Attempts.Kind == retrysite.BoundConst && s.Attempts.Max > 0 {
		n := s.Attempts.Max
		site.Attempts.Max = &n
	}
	for _, w := range s.Waits {
		wait := Wait{
			How: w.How.String(), Grows: w.Grows.String(), Capped: w.Capped.String(), Jittered: w.Jittered.String(),
			Interruptible: w.Interruptible,
		}
		if w.HasConst {
			seconds := w.Const.Seconds()
			wait.Seconds = &seconds
		}
		site.Waits = append(site.Waits, wait)
	}
	for _, in := range s.Inspections {
		if how := in.How.String(); !slices.Contains(site.Inspections, how) {
			site.Inspections = append(site.Inspections, how)
		}
	}
	return site
}

func timeOf(t retrysite.TimeBound) Time {
	limits := map[retrysite.TimeHow]string{
		retrysite.TimeContext: "context", retrysite.TimeElapsed: "elapsed", retrysite.TimeLibrary: "library",
		retrysite.TimeCaller: "caller", retrysite.TimeUnfollow: "unknown", retrysite.TimeNone: "none",
	}
	out := Time{Limit: limits[t.How], PerAttempt: t.PerAttempt}
	if t.Kind == retrysite.BoundConst && t.Max > 0 {
		seconds := t.Max.Seconds()
		out.Seconds = &seconds
	}
	return out
}

// functionName names the declaration around a site.
func functionName(pass *analysis.Pass, s *retrysite.Site) string {
	if decl := s.Func.Declaration(); decl != nil {
		if fn, ok := pass.TypesInfo.Defs[decl.Name].(*types.Func); ok {
			return Name(fn)
		}
	}
	return pass.Pkg.Path()
}

// Name is the name of a function as the runtime writes it, without type
// parameters: "example.com/shop.Charge", "example.com/shop.(*Client).Charge".
func Name(fn *types.Func) string {
	fn = fn.Origin()
	path := ""
	if fn.Pkg() != nil {
		path = fn.Pkg().Path() + "."
	}
	recv := fn.Signature().Recv()
	if recv == nil {
		return path + fn.Name()
	}
	typ, star := recv.Type(), ""
	if p, ok := types.Unalias(typ).(*types.Pointer); ok {
		typ, star = p.Elem(), "*"
	}
	name := "_"
	if named, ok := types.Unalias(typ).(*types.Named); ok {
		name = named.Obj().Name()
	}
	if star != "" {
		name = "(*" + name + ")"
	}
	return path + name + "." + fn.Name()
}

// calls are the functions of other than the standard library that each
// function of the package calls.
func calls(pass *analysis.Pass) map[string][]string {
	graph := make(map[string][]string)
	for _, file := range pass.Files {
		for _, decl := range file.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if !ok || fn.Body == nil {
				continue
			}
			obj, ok := pass.TypesInfo.Defs[fn.Name].(*types.Func)
			if !ok {
				continue
			}
			caller := Name(obj)
			ast.Inspect(fn.Body, func(n ast.Node) bool {
				id, ok := n.(*ast.Ident)
				if !ok {
					return true
				}
				callee, ok := pass.TypesInfo.Uses[id].(*types.Func)
				if !ok || callee.Pkg() == nil || standard(pass, callee.Pkg().Path()) {
					return true
				}
				if name := Name(callee); !slices.Contains(graph[caller], name) {
					graph[caller] = append(graph[caller], name)
				}
				return true
			})
		}
	}
	return graph
}

// standard says whether a package belongs to the standard library, going by
// its path: the first element of other paths has a dot, or is the user's own.
func standard(pass *analysis.Pass, path string) bool {
	first, _, _ := strings.Cut(path, "/")
	own, _, _ := strings.Cut(pass.Pkg.Path(), "/")
	return !strings.Contains(first, ".") && first != own
}
