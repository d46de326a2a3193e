package fate

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/retrykit/retrykit/analyzer/internal/retrysite"
)

// ofInside is OfStatus for an operation that makes its request inside, and judges
// the response itself: a function of the package, or a literal that is called
// where it stands. It is run first, and the site with what it answers.
//
//	body, retry, err := c.once(req)
//
// The status has to decide: what goes back after a success too is no retry of it.
func ofInside(info *types.Info, s *retrysite.Site, op *retrysite.Operation, status int) Fate {
	fate := inside(info, s, op, status)
	if fate == Back && inside(info, s, op, 200) == Back {
		return Unknown
	}
	return fate
}

func inside(info *types.Info, s *retrysite.Site, op *retrysite.Operation, status int) Fate {
	if !followed(s) {
		return Unknown
	}
	var all []way
	for _, answers := range roundsInside(info, s, op, status) {
		results := make(map[*types.Var]value)
		direct := value{kind: valueTainted}
		for i, v := range op.Results {
			if v != nil && i < len(answers.answers) {
				results[v] = answers.answers[i]
			}
		}
		if len(answers.answers) == 1 {
			direct = answers.answers[0]
		}
		failed := slices.ContainsFunc(answers.answers, func(v value) bool { return v.kind == valueError })
		for _, w := range waysAfter(info, s, op, results, direct) {
			if failed && w.end == endBack {
				return Unknown // what the error says of the status is asked otherwise, if at all
			}
			w.doubt = w.doubt || answers.doubt
			all = append(all, w)
		}
	}
	if len(all) == 0 {
		return Unknown
	}
	return judged(s, all)
}

// roundsInside are the ways through an operation whose request is answered by a
// response of this status; none if they can't be followed.
func roundsInside(info *types.Info, s *retrysite.Site, op *retrysite.Operation, status int) (rounds []way) {
	sig, body := bodyOf(info, s, op)
	if body == nil || changesResults(sig, body) {
		return nil
	}
	at, assign := requestIn(info, body)
	if assign == nil {
		return nil
	}
	m := &mind{
		info: info, site: s, call: ast.Unparen(assign.Rhs[0]).(*ast.CallExpr), results: make(map[*types.Var]value), answers: true,
	}
	for _, left := range assign.Lhs {
		id, ok := left.(*ast.Ident)
		if !ok {
			return nil
		}
		v, ok := info.ObjectOf(id).(*types.Var)
		switch {
		case !ok:
		case isResponse(v.Type()):
			m.results[v] = value{kind: valueResponse, number: int64(status)}
		case isErrorType(v.Type()):
			m.results[v] = value{kind: valueNil}
		}
	}
	for _, w := range m.block(body.List[at:], make(state)) {
		switch {
		case w.end != endLeaves:
			return nil
		case len(w.answers) == 0: // a panic gives nothing
		case len(w.answers) != sig.Results.NumFields():
			return nil
		default:
			for i := range w.answers {
				w.answers[i].outcome = true
			}
			rounds = append(rounds, w)
		}
	}
	return rounds
}

// bodyOf is the function that is an operation.
func bodyOf(info *types.Info, s *retrysite.Site, op *retrysite.Operation) (*ast.FuncType, *ast.BlockStmt) {
	if lit, ok := ast.Unparen(op.Call.Fun).(*ast.FuncLit); ok {
		return lit.Type, lit.Body
	}
	fn := s.Source(typeutil.StaticCallee(info, op.Call))
	if fn == nil || fn.Body() == nil || fn == s.Func || fn.Type().Results == nil {
		return nil, nil
	}
	return fn.Type(), fn.Body()
}

// requestIn is the statement of a body that takes the response of the one request
// in it, with its index; nil if there are several, or if it is made on some ways
// only.
func requestIn(info *types.Info, body *ast.BlockStmt) (at int, assign *ast.AssignStmt) {
	requests := 0
	ast.Inspect(body, func(n ast.Node) bool {
		if e, ok := n.(ast.Expr); ok && givesResponse(info, e) {
			requests++
		}
		return requests < 2
	})
	if requests != 1 {
		return 0, nil
	}
	for i, stmt := range body.List {
		if assign, ok := stmt.(*ast.AssignStmt); ok && len(assign.Rhs) == 1 && givesResponse(info, ast.Unparen(assign.Rhs[0])) {
			return i, assign
		}
	}
	return 0, nil
}

func givesResponse(info *types.Info, e ast.Expr) bool {
	call, ok := e.(*ast.CallExpr)
	if !ok {
		return false
	}
	tuple, ok := info.TypeOf(call).(*types.Tuple)
	return ok && tuple.Len() == 2 && isResponse(tuple.At(0).Type()) && isErrorType(tuple.At(1).Type())
}

// changesResults reports whether a deferred literal may change what a function
// returns.
func changesResults(sig *ast.FuncType, body *ast.BlockStmt) (found bool) {
	if sig.Results == nil || len(sig.Results.List) == 0 || len(sig.Results.List[0].Names) == 0 {
		return false
	}
	ast.Inspect(body, func(n ast.Node) bool {
		if d, ok := n.(*ast.DeferStmt); ok {
			_, lit := d.Call.Fun.(*ast.FuncLit)
			found = found || lit
		}
		return !found
	})
	return found
}
