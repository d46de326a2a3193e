package retrysite

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/retrykit/retrykit/analyzer/internal/known"
)

// A motion says whether what an operation works on changes from one round of
// the loop to the next.
type motion uint8

const (
	stays motion = iota
	// picks: drawn anew each round from a pool or list that yields different
	// things. With a bound on attempts it is still a retry.
	picks
	// fresh: a new random id each round.
	fresh
	moves
)

// target judges receiver and arguments of a candidate's call in l.
func (f *finder) target(g *graph, l *loop, c *candidate) {
	c.resumes = f.resumes(l, c)
	t := &targeter{f: f, g: g, l: l, op: c.call, fail: c.fail, resumes: c.resumes, seen: make(map[*types.Var]bool)}
	c.motion = t.expr(c.call.Fun, true)
	for _, a := range c.call.Args {
		c.motion = max(c.motion, t.expr(a, false))
	}
	if t.goesRing() {
		c.motion = moves
	}
	if c.motion == picks {
		c.round, c.reset = t.round, t.reset
	}
}

type targeter struct {
	f    *finder
	g    *graph
	l    *loop
	op   *ast.CallExpr
	fail *walk // from the operation's failure
	// resumes says that only what went well moves the target.
	resumes bool
	round   bool       // an element was met that comes again after the others
	reset   *types.Var // the index that is taken back for that
	seen    map[*types.Var]bool
}

// expr is the motion of all that e uses.
func (t *targeter) expr(e ast.Expr, isFun bool) (m motion) {
	if e == nil {
		return stays
	}
	var lit *ast.FuncLit // the last one
	ast.Inspect(e, func(n ast.Node) bool {
		if lit != nil && n != nil && n.End() <= lit.End() && t.onlyAsked(n) {
			return false
		}
		switch n := n.(type) {
		case *ast.FuncLit:
			lit = n
		case *ast.KeyValueExpr:
			if id, ok := n.Key.(*ast.Ident); ok {
				if v, ok := t.f.info.ObjectOf(id).(*types.Var); ok && v.IsField() {
					m = max(m, t.field(id.Name, n.Value))
					return false
				}
			}
		case *ast.CompositeLit:
			if t.tellsAttempt(n) {
				return false
			}
		case *ast.SelectorExpr:
			if t.f.info.Selections[n] != nil {
				m = max(m, t.expr(n.X, false))
				if isFun {
					m = max(m, t.receiver(n.X))
				}
				return false
			}
			return false
		case *ast.UnaryExpr:
			if n.Op == token.ARROW {
				m = moves
			}
		case *ast.IndexExpr:
			switch {
			case t.shrinks(n.X):
				m = moves
			case t.beginsAnew(n.Index) && !t.goesThrough(n.Index) && !t.goesRound(n):
				m, t.round, t.reset = max(m, picks), true, varOf(t.f.info, n.Index)
				return false
			}
		case *ast.CallExpr:
			if n != t.op {
				m = max(m, t.call(n))
			}
		case *ast.Ident:
			if v, ok := t.f.info.ObjectOf(n).(*types.Var); ok && !v.IsField() {
				direct := !isFun && isCount(e, n)
				m = max(m, t.variable(v, direct))
			}
		}
		return m < moves
	})
	return m
}

// onlyAsked says whether a node of a function literal compares a number, or
// shows something: what it reads for that is not what it works on.
func (t *targeter) onlyAsked(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		switch n.Op {
		case token.LSS, token.LEQ, token.GTR, token.GEQ, token.EQL, token.NEQ:
			return isInteger(t.f.info.TypeOf(n.X))
		}
	case *ast.CallExpr:
		callee := calleeOf(t.f.info, n)
		if callee == nil {
			return false
		}
		switch pkgPath(callee) {
		case "fmt", "log", "log/slog":
			return true
		}
	}
	return false
}

// isCount says whether e is a counter, or one moved by a constant: n, n+1.
func isCount(e ast.Expr, n *ast.Ident) bool {
	e = ast.Unparen(e)
	if b, ok := e.(*ast.BinaryExpr); ok && (b.Op == token.ADD || b.Op == token.SUB) {
		if _, ok := b.Y.(*ast.BasicLit); ok {
			e = ast.Unparen(b.X)
		}
	}
	return e == ast.Expr(n)
}

// field is the motion of a field's value: a counter in a field named for it
// tells the other side which attempt this is.
func (t *targeter) field(name string, value ast.Expr) motion {
	m := t.expr(value, false)
	if m == moves && countsAttempts(name) {
		return stays
	}
	return m
}

// tellsAttempt says whether a value says to the attempt which one it is: it is
// made of nothing but the loop's counter and the error of the attempt before,
// Attempt{N: i, Last: err}.
func (t *targeter) tellsAttempt(lit *ast.CompositeLit) (last bool) {
	for _, e := range lit.Elts {
		kv, ok := e.(*ast.KeyValueExpr)
		if !ok {
			return false
		}
		v := varOf(t.f.info, kv.Value)
		switch {
		case v == nil:
			return false
		case isError(v.Type()):
			last = true
		case !isInteger(v.Type()):
			return false
		}
	}
	return last
}

// call is the motion that a call's own nature gives its result.
func (t *targeter) call(call *ast.CallExpr) motion {
	callee := calleeOf(t.f.info, call)
	if callee == nil {
		return stays
	}
	path := ""
	if callee.Pkg() != nil {
		path = callee.Pkg().Path()
	}
	name := callee.Name()
	switch path {
	case "math/rand", "math/rand/v2":
		if strings.HasPrefix(name, "New") {
			return stays // a generator is no draw; its seed is judged as an argument
		}
		return picks
	}
	if isIDMaker(callee) {
		return fresh
	}
	for _, p := range []string{"Next", "next", "GetNext", "getNext", "Pop", "pop", "Dequeue", "dequeue", "Receive", "receive", "Recv", "recv", "Accept", "accept"} {
		if strings.HasPrefix(name, p) && !strings.Contains(name, "BackOff") && !strings.Contains(name, "Backoff") {
			return moves
		}
	}
	if strings.HasSuffix(name, "Next") && name != "HasNext" && name != "hasNext" {
		return moves // itemURLNext(last)
	}
	for _, p := range []string{"Pick", "pick", "Select", "select", "Choose", "choose", "Rand", "rand", "Rotate", "rotate"} {
		if strings.HasPrefix(name, p) {
			return picks
		}
	}
	if t.byLength() && t.f.turnOf(callee).gives || t.steppedOn(call) {
		return picks
	}
	return stays
}

// steppedOn says whether a method gives what its receiver has come to, which
// the loop moves on to the next one: list.Current(), list.Next().
func (t *targeter) steppedOn(call *ast.CallExpr) (found bool) {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || t.f.info.Selections[sel] == nil {
		return false
	}
	of := refOf(t.f.info, sel.X)
	if of.root == nil {
		return false
	}
	ast.Inspect(t.l.node, func(n ast.Node) bool {
		if s, ok := n.(*ast.ExprStmt); ok && t.inLoop(s) {
			if step, ok := ast.Unparen(s.X).(*ast.CallExpr); ok {
				on, ok := ast.Unparen(step.Fun).(*ast.SelectorExpr)
				found = found || ok && on.Sel.Name == "Next" && refOf(t.f.info, on.X) == of && t.always(s)
			}
		}
		return !found
	})
	return found
}

// variable is the motion of a variable: that of what it is given in the loop.
func (t *targeter) variable(v *types.Var, direct bool) (m motion) {
	if t.seen[v] || isContext(v.Type()) || isDuration(v.Type()) { // neither is what the operation works on
		return stays
	}
	t.seen[v] = true
	for _, a := range t.f.valuesOf(t.g.fn, v) {
		if !t.inLoop(a.node) || t.resumes && !t.fail.back[a.node] {
			continue
		}
		switch {
		case a.expr != nil && t.advances(a.node) && isCall(a.expr):
			m = max(m, picks) // for b := c.broker(); b != nil; b = c.broker()
		case a.expr == nil: // ++, op=, range
			if r, ok := a.node.(*ast.RangeStmt); ok && !isInteger(t.f.info.TypeOf(r.X)) {
				if ast.Node(r) == t.l.node {
					return moves
				}
				m = max(m, picks, t.given(r.X)) // each round goes through the whole list
				continue
			}
			if !direct || !countsAttempts(v.Name()) && !t.numbers() {
				return moves
			}
		case a.expr == ast.Expr(t.op) || t.fromOutcome(a.expr):
			if isError(v.Type()) || isPlace(v.Name()) && t.fail.repeats && !t.always(a.node) {
				continue // a failure comes back to the place where it was; another answer tells a new one
			}
			return moves
		case renews(a.expr):
		case t.stepsOn(v, a.expr) && !(direct && countsAttempts(v.Name())):
			return moves
		case t.excludes(v, a.expr):
			m = max(m, picks, t.given(a.expr))
		case direct && isInteger(v.Type()) && t.given(a.expr) == picks:
			return moves // a number that is drawn, and no server: a port, a name
		default:
			m = max(m, t.given(a.expr))
		}
	}
	if m < moves && (t.leavesOnSame(v) || t.switched(v) || t.toldItem(v)) {
		return moves
	}
	return m
}

// numbers says whether the operation is a function that is handed in to one
// named for trying, which is told the number of the attempt:
//
//	func Attempt(n int, f func(i int) error) (err error)
func (t *targeter) numbers() bool {
	v, ok := objectOf(t.f.info, t.op.Fun).(*types.Var)
	if !ok {
		return false
	}
	owner := t.f.paramOf(t.g.fn, v)
	return owner != nil && owner.Decl != nil && countsAttempts(owner.Decl.Name.Name)
}

// stepsOn says whether a name or number is computed from what it was in the
// round before: dir = path.Dir(dir).
func (t *targeter) stepsOn(v *types.Var, e ast.Expr) bool {
	b, ok := v.Type().Underlying().(*types.Basic)
	return ok && b.Info()&(types.IsString|types.IsInteger) != 0 && mentionsVar(t.f.info, e, v)
}

// isPlace says whether a variable is named for where the other side is to be
// found.
func isPlace(name string) bool {
	name = strings.ToLower(name)
	for _, s := range []string{"url", "uri", "addr", "host", "endpoint", "location", "region", "leader"} {
		if strings.Contains(name, s) {
			return true
		}
	}
	return false
}

// renews says whether a value comes from a function that signs in again: the
// address is the one that goes with the new token.
func renews(e ast.Expr) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return false
	}
	name := strings.ToLower(callName(call))
	return strings.Contains(name, "auth") || strings.Contains(name, "login") || strings.Contains(name, "credential")
}

// advances says whether a statement is what the loop does between two rounds.
func (t *targeter) advances(n ast.Node) bool {
	fs, ok := t.l.node.(*ast.ForStmt)
	return ok && fs.Post != nil && ast.Node(fs.Post) == n
}

func isCall(e ast.Expr) bool {
	_, ok := ast.Unparen(e).(*ast.CallExpr)
	return ok
}

// given is the motion of what a variable or a field is given in the loop. An
// element of a list is drawn from it again and again (hosts[n%len(hosts)]),
// unless the loop's counter goes through the list one by one, or the list has
// one less each time.
func (t *targeter) given(e ast.Expr) motion {
	m := t.expr(e, false)
	index, ok := ast.Unparen(e).(*ast.IndexExpr)
	switch {
	case ok && t.shrinks(index.X):
		return moves
	case ok && m == moves && t.f.info.Types[index.Index].Value == nil && !t.goesThrough(index.Index) && !t.goesRound(index):
		return picks // a fixed place is not drawn: what moves is the list
	}
	return m
}

// receiver is the motion of what a method is called on: that of the fields
// which the loop gives it, itself or by another method.
func (t *targeter) receiver(x ast.Expr) (m motion) {
	root, ok := objectOf(t.f.info, x).(*types.Var)
	if !ok {
		return stays
	}
	byLength := t.byLength()
	ast.Inspect(t.l.node, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && call != t.op && byLength && t.inLoop(call) {
			if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && objectOf(t.f.info, sel.X) == root && t.f.turnOf(calleeOf(t.f.info, call)).sets {
				m = max(m, picks)
			}
		}
		as, ok := n.(*ast.AssignStmt)
		if !ok || len(as.Lhs) != len(as.Rhs) || !t.inLoop(as) {
			return true
		}
		for i, l := range as.Lhs {
			sel, ok := ast.Unparen(l).(*ast.SelectorExpr)
			if !ok || objectOf(t.f.info, sel.X) != root {
				continue
			}
			if _, isElement := ast.Unparen(as.Rhs[i]).(*ast.IndexExpr); isElement {
				m = max(m, t.given(as.Rhs[i]))
			} else if r, ranges := t.l.node.(*ast.RangeStmt); ranges && r.Value != nil && varOf(t.f.info, as.Rhs[i]) != nil && varOf(t.f.info, as.Rhs[i]) == varOf(t.f.info, r.Value) {
				m = moves // the next one of what the loop ranges over
			} else if isText(t.f.info.TypeOf(l)) && !t.fromOutcome(as.Rhs[i]) && t.field(sel.Sel.Name, as.Rhs[i]) == moves {
				m = moves // the name of the next one
			}
		}
		return true
	})
	return m
}

// fromOutcome says whether e is computed from a result of the operation.
func (t *targeter) fromOutcome(e ast.Expr) (found bool) {
	results := t.results()
	ast.Inspect(e, func(n ast.Node) bool {
		if n == ast.Node(t.op) {
			found = true
		}
		if id, ok := n.(*ast.Ident); ok && results[t.f.info.ObjectOf(id)] {
			found = true
		}
		return !found
	})
	return found
}

// results are the variables that take the operation's results, the error left
// out.
func (t *targeter) results() map[types.Object]bool {
	m := make(map[types.Object]bool)
	p := t.g.at[t.op]
	if as, ok := p.block.Nodes[p.index].(*ast.AssignStmt); ok && len(as.Rhs) == 1 && ast.Unparen(as.Rhs[0]) == ast.Expr(t.op) {
		for _, l := range as.Lhs {
			if o := objectOf(t.f.info, l); o != nil && !isError(o.Type()) {
				m[o] = true
			}
		}
	}
	return m
}

func (t *targeter) inLoop(n ast.Node) bool {
	switch s := t.l.node.(type) {
	case *ast.ForStmt:
		if s.Init != nil && n.Pos() >= s.Init.Pos() && n.Pos() < s.Init.End() {
			return false
		}
	case *ast.LabeledStmt:
		return n.Pos() >= s.Pos() && n.Pos() < t.l.backEdge()
	}
	return n.Pos() >= t.l.node.Pos() && n.Pos() < t.l.node.End()
}

func isText(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

func isBool(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsBoolean != 0
}

func isInteger(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0
}

// countsAttempts says whether a name is one that counts attempts. It only
// ever excuses a counter that is handed to the operation.
func countsAttempts(name string) bool {
	n := strings.ToLower(name)
	for _, s := range []string{"attempt", "retry", "retries", "tries", "trial", "try"} {
		if strings.Contains(n, s) {
			return true
		}
	}
	return false
}

// isIDMaker says whether a function makes a new unique id at each call.
func isIDMaker(fn *types.Func) bool {
	if fn.Pkg() == nil {
		return false
	}
	if known.MakesID(fn) {
		return true
	}
	// A fork or another version, by the end of its path.
	path, name := fn.Pkg().Path(), fn.Name()
	switch {
	case strings.HasSuffix(path, "/uuid"), strings.HasSuffix(path, "/uuid/v5"), strings.HasSuffix(path, "/go.uuid"):
		return strings.HasPrefix(name, "New") && name != "NewSHA1" && name != "NewMD5" && name != "NewHash" && name != "NewGen" || strings.HasPrefix(name, "Must") || name == "GenerateUUID"
	case strings.Contains(path, "oklog/ulid"):
		return name == "Make" || name == "New" || name == "MustNew"
	case strings.Contains(path, "segmentio/ksuid"), strings.Contains(path, "rs/xid"), strings.Contains(path, "lithammer/shortuuid"), strings.Contains(path, "gonanoid"), strings.Contains(path, "nanoid"), strings.Contains(path, "pborman/uuid"), strings.Contains(path, "hashicorp/go-uuid"):
		return strings.HasPrefix(name, "New") || name == "Generate" || name == "Must" || name == "GenerateUUID"
	}
	return false
}
