package deferattempt

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/retrykit/retrykit/analyzer/internal/edit"
	"github.com/retrykit/retrykit/analyzer/internal/retrysite"
)

// fix moves the attempt into a function of its own, which is run in place: the
// loop's body, without the wait at its end where nothing skips it. A return
// becomes one that says that the function is done. It is nil where control
// leaves the body in another way, by a break or a label, and where the results
// can't be handed through: more than two of them, or ones that a deferred call
// looks at.
func fix(pass *analysis.Pass, s *retrysite.Site) *analysis.SuggestedFix {
	if s.Kind != retrysite.KindLoop || s.Body == nil {
		return nil
	}
	w := wrapping{pass: pass, s: s}
	if !w.results() || !w.exits() {
		return nil
	}
	list := s.Body.List
	inside := len(list)
	if len(w.continues) == 0 {
		inside = w.attemptEnd()
	}
	behind := s.Body.Rbrace
	if inside < len(list) {
		behind = list[inside].Pos()
	}
	failed := "return " + strings.Join(append([]string{"false"}, w.zeros...), ", ")
	var edits []analysis.TextEdit
	insert := func(at token.Pos, text string) {
		edits = append(edits, analysis.TextEdit{Pos: at, End: at, NewText: []byte(text)})
	}
	types := "bool"
	if len(w.types) > 0 {
		types = "(bool, " + strings.Join(w.types, ", ") + ")"
	}
	insert(list[0].Pos(), fmt.Sprintf("%s := func() %s {\n", strings.Join(append([]string{"done"}, w.names...), ", "), types))
	for _, r := range w.returns {
		if len(r.Results) == 0 {
			insert(r.End(), " true")
		} else {
			insert(r.Results[0].Pos(), "true, ")
		}
	}
	for _, c := range w.continues {
		edits = append(edits, analysis.TextEdit{Pos: c.Pos(), End: c.End(), NewText: []byte(failed)})
	}
	end := failed + "\n"
	switch list[inside-1].(type) {
	case *ast.ReturnStmt, *ast.BranchStmt:
		end = ""
	}
	insert(behind, end+fmt.Sprintf("}()\nif done {\nreturn %s\n}\n", strings.Join(w.names, ", ")))
	whole, ok := edit.Joined(pass, list[0].Pos(), behind, edits)
	if !ok {
		return nil
	}
	return &analysis.SuggestedFix{Message: "Run each attempt in a function of its own", TextEdits: []analysis.TextEdit{whole}}
}

// A wrapping is what has to be known of a loop's body to make it a function.
type wrapping struct {
	pass *analysis.Pass
	s    *retrysite.Site

	types, zeros, names []string // of the results
	returns             []*ast.ReturnStmt
	continues           []*ast.BranchStmt
}

// results names what the function returns.
func (w *wrapping) results() bool {
	if !edit.Free(w.pass, w.s, w.s.Body.Lbrace, "done") {
		return false
	}
	if w.s.Func.Type().Results == nil {
		return true
	}
	for _, field := range w.s.Func.Type().Results.List {
		for i := range max(1, len(field.Names)) {
			t := w.pass.TypesInfo.TypeOf(field.Type)
			zero, ok := edit.Zero(t, field.Type)
			if !ok || len(field.Names) > 0 && w.deferred(w.pass.TypesInfo.Defs[field.Names[i]]) {
				return false
			}
			name := "result"
			if types.Identical(t, types.Universe.Lookup("error").Type()) {
				name = "failure"
			}
			if len(w.names) > 0 && w.names[0] == name || !edit.Free(w.pass, w.s, w.s.Body.Lbrace, name) {
				return false
			}
			w.types, w.zeros, w.names = append(w.types, edit.Source(w.pass, field.Type)), append(w.zeros, zero), append(w.names, name)
		}
	}
	return len(w.names) <= 2
}

// deferred says whether a deferred call of the loop mentions a result.
func (w *wrapping) deferred(result types.Object) (found bool) {
	for _, d := range w.s.Defers {
		ast.Inspect(d, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && w.pass.TypesInfo.Uses[id] == result {
				found = true
			}
			return !found
		})
	}
	return found
}

// exits collects the ways out of the body, and is not ok where one of them is
// neither a return with all results nor a plain continue.
func (w *wrapping) exits() bool {
	ok := true
	var visit func(n ast.Node, loop, breakable bool)
	visit = func(root ast.Node, loop, breakable bool) {
		ast.Inspect(root, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				return false
			case *ast.LabeledStmt:
				ok = false
			case *ast.ForStmt, *ast.RangeStmt:
				if n != root {
					visit(n, true, true)
					return false
				}
			case *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
				if n != root {
					visit(n, loop, true)
					return false
				}
			case *ast.ReturnStmt:
				if len(n.Results) != len(w.names) {
					ok = false
				}
				w.returns = append(w.returns, n)
			case *ast.BranchStmt:
				switch {
				case n.Label != nil, n.Tok == token.GOTO, n.Tok == token.BREAK && !breakable:
					ok = false
				case n.Tok == token.CONTINUE && !loop:
					w.continues = append(w.continues, n)
				}
			}
			return ok
		})
	}
	visit(w.s.Body, false, false)
	return ok
}

// attemptEnd is the index behind the last statement that belongs into the
// function: what only waits, and needs nothing that the attempt declared, can
// stay outside, so that nothing is held meanwhile.
func (w *wrapping) attemptEnd() int {
	list := w.s.Body.List
	i := len(list)
	for i > 1 && w.independent(list[i-1]) {
		i--
	}
	return i
}

func (w *wrapping) independent(st ast.Stmt) bool {
	ok := true
	ast.Inspect(st, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ReturnStmt, *ast.DeferStmt:
			ok = false
		case *ast.Ident:
			obj := w.pass.TypesInfo.Uses[n]
			if obj != nil && obj.Pos() >= w.s.Body.Pos() && obj.Pos() < st.Pos() {
				ok = false
			}
		}
		return ok
	})
	return ok
}
