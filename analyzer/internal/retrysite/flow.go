package retrysite

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"sort"
	"strconv"
	"strings"

	"golang.org/x/tools/go/cfg"
	"golang.org/x/tools/go/types/typeutil"
)

// A value is what the walk knows of a variable or expression.
type value struct {
	is is
	// outcome says that the value depends on what the operation returned, so
	// that a branch on it is a look at the outcome.
	outcome bool
}

type is uint8

const (
	isUnknown is = iota
	isNil        // nil, or the number 0
	isSet        // not nil, or a counter that was counted up
	isTrue
	isFalse
)

func (v is) not() is {
	switch v {
	case isTrue:
		return isFalse
	case isFalse:
		return isTrue
	}
	return isUnknown
}

func boolValue(b bool) is {
	if b {
		return isTrue
	}
	return isFalse
}

// A place in memory that the walk follows: a variable, or a field reached from
// one by name.
type ref struct {
	root types.Object
	path string
}

// A state maps what is known along one path.
type state map[ref]value

func (s state) key() string {
	parts := make([]string, 0, len(s))
	for r, v := range s {
		o := ""
		if v.outcome {
			o = "o"
		}
		parts = append(parts, strconv.Itoa(int(r.root.Pos()))+r.path+":"+strconv.Itoa(int(v.is))+o)
	}
	sort.Strings(parts)
	return strings.Join(parts, ",")
}

func (s state) with(r ref, v value) state {
	if r.root == nil || s[r] == v {
		return s
	}
	c := make(state, len(s)+1)
	for k, old := range s {
		// Writing x forgets what was known of x.f.
		if k.root == r.root && strings.HasPrefix(k.path, r.path+".") {
			continue
		}
		c[k] = old
	}
	if v == (value{}) {
		delete(c, r)
	} else {
		c[r] = v
	}
	return c
}

// A walk follows all paths from an operation, given its outcome, until they
// leave the loop or come back to the operation.
type walk struct {
	info *types.Info
	g    *graph
	l    *loop
	op   *ast.CallExpr
	err  int // index of the error among the results
	fail bool
	// steps says that a failure comes back too, so that a look at a further step
	// of what went well decides like one at the operation.
	steps bool
	// empty says that a pointer that the operation gives beside an error is
	// nil. Not all functions keep to that, but those that ask for it do.
	empty bool

	first bool // the operation itself is still to be evaluated

	repeats      bool // some path comes back
	repeatsBlind bool // some path comes back without any look at the outcome
	repeatsWide  bool // some path comes back on which no look found what it looked for
	exits        bool
	gaveUp       bool // too many paths

	// looks are the conditions on the outcome that paths took both ways, with
	// the ways that lead back to the operation.
	looks map[ast.Expr]*look
	// back are the nodes on paths that come back.
	back map[ast.Node]bool
	// nodes are all that was visited.
	nodes []*pathNode

	// ended says that the error is the one of a context that has ended, which
	// a look for another one does not find.
	ended *types.Var
}

// pathNode is one visited (block, state).
type pathNode struct {
	block   *cfg.Block
	from    int
	st      state
	looked  bool
	preds   []*pathNode
	cond    ast.Expr     // set where the node branches on something not known
	outcome bool         // the branch is on the outcome
	parts   []ast.Expr   // of cond, those that are about the outcome
	matched polarity     // which way is taken when the failure is what cond looks for
	ways    [2]*pathNode // where the branch leads; nil where it leaves
	exit    bool
	bound   bool // the exit is taken in the last round only
	repeat  bool
}

// maxPaths bounds the (block, state) pairs of one walk. Functions that need
// more are not understood, and nothing is said about them.
const maxPaths = 3000

// run walks. Afterwards the exported-looking fields say what was seen.
func (w *walk) run() {
	w.looks = make(map[ast.Expr]*look)
	w.back = make(map[ast.Node]bool)
	at := w.g.at[w.op]
	nodes := make(map[string]*pathNode)
	var work []*pathNode
	live := w.g.live(w.info)
	get := func(b *cfg.Block, st state, looked bool, pred *pathNode) *pathNode {
		st = live.at(b, st)
		k := strconv.Itoa(int(b.Index)) + "|" + strconv.FormatBool(looked) + "|" + st.key()
		n := nodes[k]
		if n == nil {
			n = &pathNode{block: b, st: st, looked: looked}
			nodes[k] = n
			w.nodes = append(w.nodes, n)
			work = append(work, n)
		}
		if pred != nil {
			n.preds = append(n.preds, pred)
		}
		return n
	}
	start := &pathNode{block: at.block, from: at.index, st: w.before()}
	nodes["start"] = start
	w.nodes = append(w.nodes, start)
	work = append(work, start)
	w.first = true
	for len(work) > 0 {
		if len(nodes) > maxPaths {
			w.gaveUp = true
			return
		}
		n := work[len(work)-1]
		work = work[:len(work)-1]
		w.step(n, get)
		w.first = false
	}
	w.summarise(nodes)
}

// step evaluates one block and queues its successors.
func (w *walk) step(n *pathNode, get func(*cfg.Block, state, bool, *pathNode) *pathNode) {
	st := n.st
	b := n.block
	for i := n.from; i < len(b.Nodes); i++ {
		// Coming to the operation again ends the path.
		if !(w.first && i == n.from) && b == w.g.at[w.op].block && i == w.g.at[w.op].index {
			n.repeat = true
			return
		}
		if i == len(b.Nodes)-1 && len(b.Succs) == 2 {
			break // the condition, below
		}
		st = w.transfer(st, b.Nodes[i])
	}
	switch len(b.Succs) {
	case 0:
		n.exit = true
	case 1:
		if w.deadSelect(b) {
			return
		}
		w.follow(n, b.Succs[0], st, n.looked, get)
	case 2:
		var cond ast.Expr
		if len(b.Nodes) > 0 && n.from < len(b.Nodes) {
			cond, _ = b.Nodes[len(b.Nodes)-1].(ast.Expr)
			if cond == nil {
				st = w.transfer(st, b.Nodes[len(b.Nodes)-1])
			}
		}
		switch b.Succs[0].Kind {
		case cfg.KindSelectCaseBody, cfg.KindRangeBody:
			// Neither has a condition: the last node is a channel operation or
			// the ranged operand.
			if cond != nil {
				st = w.transfer(st, b.Nodes[len(b.Nodes)-1])
			}
			if r, ok := b.Succs[0].Stmt.(*ast.RangeStmt); ok {
				w.follow(n, b.Succs[0], w.assignRange(st, r), n.looked, get)
			} else if w.ended == nil || !w.waitsOnContext(b.Succs[0]) {
				w.follow(n, b.Succs[0], st, n.looked, get)
				if w.ended != nil && w.endsAtOnce(b.Succs[0]) {
					return
				}
			}
			w.follow(n, b.Succs[1], st, n.looked, get)
			return
		}
		v := value{}
		typed := false
		if x, isNilCase := w.g.typeCase(w.info, b); x != nil {
			cond, typed = x, true
			v = w.eval(st, x)
			switch {
			case isNilCase && v.is == isNil, isNilCase && v.is == isSet:
				v.is = boolValue(v.is == isNil)
			case !isNilCase && v.is == isNil:
				v.is = isFalse
			default:
				v.is = isUnknown
			}
		} else if cond != nil {
			v = w.eval(st, w.condition(cond))
			st = w.effects(st, cond)
			if w.goesOn(st, cond) {
				v.is = isTrue
			}
		}
		switch v.is {
		case isTrue:
			w.follow(n, b.Succs[0], st, n.looked, get)
		case isFalse:
			w.follow(n, b.Succs[1], st, n.looked, get)
		default:
			if v.outcome && cond != nil {
				n.parts = w.outcomeParts(st, cond)
				v.outcome = typed || slices.ContainsFunc(n.parts, func(p ast.Expr) bool { return w.eval(st, w.condition(p)).is == isUnknown })
				n.matched = w.polarity(st, b, cond)
			}
			n.cond, n.outcome = cond, v.outcome
			looked := n.looked || v.outcome
			yes, no := st, st
			if cond != nil {
				c := w.condition(cond)
				yes, no = w.assume(st, c, true), w.assume(st, c, false)
			}
			if typed {
				yes = yes.with(w.caseVar(b), value{outcome: v.outcome})
			}
			yes, no = w.worthKnowing(st, yes), w.worthKnowing(st, no)
			last := isUnknown
			if w.ended != nil || !w.fail {
				last = w.lastAttempt(w.undecided(st, cond))
			} else if more := w.anotherRound(); more.root != nil {
				switch w.onlyInLast(w.undecided(st, cond)) {
				case isTrue:
					no = no.with(more, value{is: isTrue})
				case isFalse:
					yes = yes.with(more, value{is: isTrue})
				}
			}
			n.exit, n.bound = n.exit || last != isUnknown, last != isUnknown
			if last != isTrue {
				n.ways[0] = w.follow(n, b.Succs[0], yes, looked, get)
			}
			if last != isFalse {
				n.ways[1] = w.follow(n, b.Succs[1], no, looked, get)
			}
		}
	}
}

// worthKnowing takes out of a branch's state what it has learned of something
// that no other condition asks about: it would only multiply the paths.
func (w *walk) worthKnowing(before, after state) state {
	for r, v := range after {
		if old, known := before[r]; v != old && !v.outcome && w.g.asked(w.info)[r] < 2 {
			if known {
				after = after.with(r, old)
			} else {
				after = after.with(r, value{})
			}
		}
	}
	return after
}

// follow goes on at another block, or notes that the path leaves the loop.
func (w *walk) follow(n *pathNode, to *cfg.Block, st state, looked bool, get func(*cfg.Block, state, bool, *pathNode) *pathNode) *pathNode {
	if !w.l.blocks[to] {
		n.exit = true
		return nil
	}
	return get(to, st, looked, n)
}

// deadSelect says whether b is the way past a select's last case, which no
// execution takes unless there is a default.
func (w *walk) deadSelect(b *cfg.Block) bool {
	cc, ok := b.Stmt.(*ast.CommClause)
	return ok && b.Kind == cfg.KindSelectAfterCase && w.g.lastCase[cc]
}

// typeCase gives the operand of a type switch when b chooses one of its cases,
// and whether that case is nil.
func (g *graph) typeCase(info *types.Info, b *cfg.Block) (x ast.Expr, isNilCase bool) {
	if len(b.Succs) != 2 {
		return nil, false
	}
	cc, ok := b.Succs[0].Stmt.(*ast.CaseClause)
	if !ok || b.Succs[0].Kind != cfg.KindSwitchCaseBody || len(cc.List) == 0 {
		return nil, false
	}
	tv, ok := info.Types[cc.List[0]]
	if !ok || !(tv.IsType() || tv.IsNil()) {
		return nil, false
	}
	if _, tagged := g.tags[cc.List[0]]; tagged {
		return nil, false
	}
	ts, one := g.typeSwitch(cc), g.caseOf(b, cc)
	if ts == nil {
		return nil, false
	}
	switch a := ts.Assign.(type) {
	case *ast.AssignStmt:
		x = a.Rhs[0].(*ast.TypeAssertExpr).X
	case *ast.ExprStmt:
		x = a.X.(*ast.TypeAssertExpr).X
	}
	return x, info.Types[one].IsNil()
}

// caseVar is the variable that a clause of a type switch has for its operand.
func (w *walk) caseVar(b *cfg.Block) ref {
	return ref{root: w.info.Implicits[b.Succs[0].Stmt]}
}

// caseOf is the expression of a type switch's clause that b asks about: the
// graph has a block for each, in their order.
func (g *graph) caseOf(b *cfg.Block, cc *ast.CaseClause) ast.Expr {
	i := 0
	for _, other := range g.cfg.Blocks {
		if other == b {
			break
		}
		if len(other.Succs) == 2 && other.Succs[0] == b.Succs[0] {
			i++
		}
	}
	return cc.List[min(i, len(cc.List)-1)]
}

// typeSwitch is the type switch to which a clause belongs.
func (g *graph) typeSwitch(cc *ast.CaseClause) (found *ast.TypeSwitchStmt) {
	inspectOwn(g.fn.Body(), func(n ast.Node) {
		if ts, ok := n.(*ast.TypeSwitchStmt); ok && ts.Pos() <= cc.Pos() && cc.End() <= ts.End() {
			for _, c := range ts.Body.List {
				if c == ast.Stmt(cc) {
					found = ts
				}
			}
		}
	})
	return found
}

// condition makes the comparison explicit that a switch leaves out.
func (w *walk) condition(e ast.Expr) ast.Expr {
	if c := w.g.compared[e]; c != nil {
		return c
	}
	return e
}

// refOf is the memory that an expression names, the zero ref if it is none
// that can be followed.
func refOf(info *types.Info, e ast.Expr) ref {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		if v, ok := info.ObjectOf(e).(*types.Var); ok {
			return ref{root: v}
		}
	case *ast.SelectorExpr:
		if info.Selections[e] == nil {
			if v, ok := info.ObjectOf(e.Sel).(*types.Var); ok {
				return ref{root: v}
			}
			return ref{}
		}
		if r := refOf(info, e.X); r.root != nil {
			return ref{root: r.root, path: r.path + "." + e.Sel.Name}
		}
	case *ast.StarExpr:
		if r := refOf(info, e.X); r.root != nil {
			return ref{root: r.root, path: r.path + ".*"}
		}
	}
	return ref{}
}

// eval says what e is in st.
func (w *walk) eval(st state, e ast.Expr) value {
	if w.ended != nil {
		if v, ok := w.evalEnded(st, e); ok {
			return v
		}
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.BasicLit:
		if e.Kind == token.INT && e.Value == "0" {
			return value{is: isNil}
		}
	case *ast.Ident:
		switch obj := w.info.ObjectOf(e).(type) {
		case *types.Nil:
			return value{is: isNil}
		case *types.Const:
			if obj.Parent() == types.Universe && (obj.Name() == "true" || obj.Name() == "false") {
				return value{is: boolValue(obj.Name() == "true")}
			}
			return value{}
		}
		return st[refOf(w.info, e)]
	case *ast.SelectorExpr:
		if r := refOf(w.info, e); r.root != nil {
			if v, ok := st[r]; ok {
				return v
			}
			return value{outcome: st.outcomeOf(r)}
		}
		return value{outcome: w.mentions(st, e)}
	case *ast.UnaryExpr:
		switch e.Op {
		case token.NOT:
			v := w.eval(st, e.X)
			v.is = v.is.not()
			return v
		case token.AND:
			return value{is: isSet, outcome: w.mentions(st, e.X)}
		}
	case *ast.BinaryExpr:
		return w.evalBinary(st, e)
	case *ast.CallExpr:
		return w.evalCall(st, e)
	case *ast.CompositeLit:
		return value{is: isSet, outcome: w.mentions(st, e)}
	case *ast.TypeAssertExpr:
		return value{outcome: w.mentions(st, e.X)}
	}
	return value{outcome: w.mentions(st, e)}
}

func (w *walk) evalBinary(st state, e *ast.BinaryExpr) value {
	x, y := w.eval(st, e.X), w.eval(st, e.Y)
	v := value{outcome: x.outcome || y.outcome}
	switch e.Op {
	case token.LAND:
		switch {
		case x.is == isFalse || y.is == isFalse:
			v.is = isFalse
		case x.is == isTrue && y.is == isTrue:
			v.is = isTrue
		}
	case token.LOR:
		switch {
		case x.is == isTrue || y.is == isTrue:
			v.is = isTrue
		case x.is == isFalse && y.is == isFalse:
			v.is = isFalse
		}
	case token.GTR, token.LEQ:
		if x.is == isSet && y.is == isNil { // a counter that was counted up, and 0
			v.is = boolValue(e.Op == token.GTR)
		}
	case token.EQL, token.NEQ:
		eq := isUnknown
		switch {
		case x.is == isUnknown || y.is == isUnknown:
		case x.is == isNil && y.is == isNil:
			eq = isTrue
		case x.is == isNil && y.is == isSet, x.is == isSet && y.is == isNil:
			eq = isFalse
		case x.is == isTrue || x.is == isFalse:
			eq = boolValue(x.is == y.is)
		}
		if eq == isUnknown {
			eq = w.sameCode(st, e.X, e.Y)
		}
		// A nil error equals no sentinel.
		if eq == isUnknown && (x.is == isNil && w.sentinel(e.Y) || y.is == isNil && w.sentinel(e.X)) {
			eq = isFalse
		}
		if e.Op == token.NEQ {
			eq = eq.not()
		}
		v.is = eq
	}
	return v
}

// sameCode says what a comparison of a gRPC code with a constant is: of a nil
// error the code is OK, of another one it is not.
func (w *walk) sameCode(st state, x, y ast.Expr) is {
	call, ok := ast.Unparen(x).(*ast.CallExpr)
	constant, isConst := objectOf(w.info, y).(*types.Const)
	if !ok || !isConst || len(call.Args) != 1 {
		return isUnknown
	}
	if callee, _ := typeutil.Callee(w.info, call).(*types.Func); fullName(callee) != "google.golang.org/grpc/status.Code" {
		return isUnknown
	}
	switch failed := w.eval(st, call.Args[0]).is; {
	case failed == isNil:
		return boolValue(constant.Name() == "OK")
	case failed == isSet && constant.Name() == "OK":
		return isFalse
	}
	return isUnknown
}

// sentinel says whether e is a package-level error variable.
func (w *walk) sentinel(e ast.Expr) bool {
	v, ok := objectOf(w.info, e).(*types.Var)
	return ok && v.Pkg() != nil && v.Parent() == v.Pkg().Scope() && isError(v.Type())
}

// objectOf is what an identifier or qualified identifier names.
func objectOf(info *types.Info, e ast.Expr) types.Object {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return info.ObjectOf(e)
	case *ast.SelectorExpr:
		return info.ObjectOf(e.Sel)
	}
	return nil
}

// evalCall evaluates a call that has one result, or the error of one that has
// more.
func (w *walk) evalCall(st state, call *ast.CallExpr) value {
	if call == w.op {
		if w.err < 0 {
			return value{outcome: true}
		}
		return value{is: w.outcomeIs(), outcome: true}
	}
	if tv, ok := w.info.Types[call.Fun]; ok && tv.IsType() && len(call.Args) == 1 {
		return w.eval(st, call.Args[0])
	}
	v := value{outcome: w.mentions(st, call)}
	callee, _ := typeutil.Callee(w.info, call).(*types.Func)
	switch name := fullName(callee); name {
	case "errors.New", "fmt.Errorf":
		v.is = isSet
		return v
	case "errors.Join":
		v.is = isNil
		for _, a := range call.Args {
			switch w.eval(st, a).is {
			case isSet:
				v.is = isSet
				return v
			case isUnknown:
				v.is = isUnknown
			}
		}
		return v
	case "errors.Is", "errors.As", "errors.AsType":
		if len(call.Args) > 0 && w.eval(st, call.Args[0]).is == isNil {
			v.is = isFalse
		}
		return v
	}
	if wraps(callee) && len(call.Args) > 0 {
		for _, a := range call.Args {
			if isError(w.info.TypeOf(a)) {
				v.is = w.eval(st, a).is
				return v
			}
		}
	}
	// A predicate on an error alone says no to nil: there is nothing to retry.
	// Otherwise it is not known.
	if !v.outcome && !w.fail && errorIndex(w.info, call) == 0 && !isContextErr(callee) {
		v.is = isNil // success means that all that is tried succeeds
	}
	return v
}

func (w *walk) outcomeIs() is {
	if w.fail {
		return isSet
	}
	return isNil
}

// wraps says whether a function returns nil for a nil error and else an error
// that holds it.
func wraps(fn *types.Func) bool {
	if fn == nil || fn.Pkg() == nil {
		return false
	}
	switch fn.Pkg().Path() {
	case "github.com/pkg/errors", "github.com/cockroachdb/errors", "github.com/go-errors/errors", "github.com/juju/errors",
		"github.com/hashicorp/errwrap", "github.com/palantir/stacktrace", "emperror.dev/errors", "golang.org/x/xerrors":
		return strings.HasPrefix(fn.Name(), "Wrap") || strings.HasPrefix(fn.Name(), "With") || fn.Name() == "Trace" || fn.Name() == "Annotate" || fn.Name() == "Annotatef"
	}
	return false
}

// mentions says whether e uses anything that depends on the outcome.
func (w *walk) mentions(st state, e ast.Node) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			if v, ok := w.info.ObjectOf(n).(*types.Var); ok && st[ref{root: v}].outcome {
				found = true
			}
		case *ast.SelectorExpr:
			if r := refOf(w.info, n); r.root != nil && (st[r].outcome || st.outcomeOf(r)) {
				found = true
			}
		case *ast.CallExpr:
			if n == w.op {
				found = true
			}
		}
		return !found
	})
	return found
}

// outcomeOf says whether r lies within something that depends on the outcome.
func (s state) outcomeOf(r ref) bool {
	for path := r.path; ; {
		if s[ref{r.root, path}].outcome {
			return true
		}
		i := strings.LastIndexByte(path, '.')
		if i < 0 {
			return false
		}
		path = path[:i]
	}
}

// transfer gives the state after a statement or expression.
func (w *walk) transfer(st state, n ast.Node) state {
	switch n := n.(type) {
	case *ast.AssignStmt:
		return w.assign(w.effects(st, n), n.Lhs, n.Rhs, n.Tok)
	case *ast.ValueSpec:
		lhs := make([]ast.Expr, len(n.Names))
		for i, id := range n.Names {
			lhs[i] = id
		}
		if len(n.Values) == 0 {
			for _, id := range n.Names {
				if obj := w.info.Defs[id]; obj != nil {
					st = st.with(ref{root: obj}, zeroOf(obj.Type()))
				}
			}
			return st
		}
		return w.assign(w.effects(st, n), lhs, n.Values, token.DEFINE)
	case *ast.IncDecStmt:
		if n.Tok == token.INC {
			return st.with(refOf(w.info, n.X), value{is: isSet})
		}
		return st.with(refOf(w.info, n.X), value{})
	default:
		return w.effects(st, n)
	}
}

func zeroOf(t types.Type) value {
	switch t := t.Underlying().(type) {
	case *types.Basic:
		if t.Info()&types.IsBoolean != 0 {
			return value{is: isFalse}
		}
	case *types.Pointer, *types.Interface, *types.Slice, *types.Map, *types.Chan, *types.Signature:
		return value{is: isNil}
	}
	return value{}
}

func (w *walk) assign(st state, lhs, rhs []ast.Expr, tok token.Token) state {
	if len(rhs) == len(lhs) {
		vals := make([]value, len(rhs))
		for i, e := range rhs {
			vals[i] = w.eval(st, e)
			if tok != token.ASSIGN && tok != token.DEFINE {
				vals[i] = value{outcome: vals[i].outcome || w.eval(st, lhs[i]).outcome}
			}
		}
		for i, e := range lhs {
			st = st.with(refOf(w.info, e), vals[i])
		}
		return st
	}
	if len(rhs) != 1 {
		return st
	}
	call, isCall := ast.Unparen(rhs[0]).(*ast.CallExpr)
	switch {
	case isCall && call == w.op:
		for i, e := range lhs {
			v := value{outcome: true}
			if i == w.err {
				v.is = w.outcomeIs()
			} else if w.err >= 0 && !w.fail && nilable(w.info.TypeOf(e)) {
				v.is = isSet
			} else if w.fail && (roundTrip(w.info, call) || w.empty && isPointer(w.info.TypeOf(e))) {
				v.is = isNil
			}
			st = st.with(refOf(w.info, e), v)
		}
	case isCall:
		out := w.mentions(st, call)
		ei := errorIndex(w.info, call)
		callee, _ := typeutil.Callee(w.info, call).(*types.Func)
		for i, e := range lhs {
			v := value{outcome: out}
			if i == ei && !out && !w.fail && !isContextErr(callee) {
				v.is = isNil
			}
			st = st.with(refOf(w.info, e), v)
		}
	default:
		out := w.mentions(st, rhs[0])
		asserted, isAssertion := ast.Unparen(rhs[0]).(*ast.TypeAssertExpr)
		isNothing := isAssertion && w.eval(st, asserted.X).is == isNil // which is of no type
		for i, e := range lhs {
			v := value{outcome: out}
			if isNothing && i == 1 {
				v.is = isFalse
			}
			st = st.with(refOf(w.info, e), v)
		}
	}
	return st
}

// effects gives the state after what a node's calls write through pointers:
// errors.As(err, &target), json.Decode(resp.Body, &out).
func (w *walk) effects(st state, n ast.Node) state {
	inspectOwn(n, func(n ast.Node) {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return
		}
		st = w.filled(w.keeps(st, call), call)
		out := -1
		for _, a := range call.Args {
			u, ok := ast.Unparen(a).(*ast.UnaryExpr)
			if !ok || u.Op != token.AND {
				continue
			}
			if out < 0 {
				out = 0
				if w.mentions(st, call) {
					out = 1
				}
			}
			st = st.with(refOf(w.info, u.X), value{outcome: out == 1})
		}
	})
	return st
}

// filled gives the state after a call is handed the outcome beside a pointer,
// through which it may hand on a part of it: decode(resp, out).
func (w *walk) filled(st state, call *ast.CallExpr) state {
	for i, a := range call.Args {
		id, ok := ast.Unparen(a).(*ast.Ident)
		if !ok || call == w.op {
			continue
		}
		v, ok := w.info.ObjectOf(id).(*types.Var)
		if !ok || st[ref{root: v}].outcome {
			continue
		}
		if _, ok := v.Type().Underlying().(*types.Pointer); !ok {
			continue
		}
		for j, b := range call.Args {
			if i != j && !isError(w.info.TypeOf(b)) && w.mentions(st, b) {
				is := st[ref{root: v}].is
				st = st.with(ref{root: v}, value{is: is, outcome: true})
			}
		}
	}
	return st
}

// keeps gives the state after a method is handed the outcome: what it is
// called on may answer for it later, as in resp.SetResponse(r); resp.IsFail().
func (w *walk) keeps(st state, call *ast.CallExpr) state {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || w.info.Selections[sel] == nil || call == w.op {
		return st
	}
	id, ok := ast.Unparen(sel.X).(*ast.Ident)
	if !ok || strings.Contains(strings.ToLower(id.Name), "log") || !(strings.HasPrefix(sel.Sel.Name, "Set") || strings.HasPrefix(sel.Sel.Name, "set")) {
		return st
	}
	for _, a := range call.Args {
		if w.mentions(st, a) {
			r := refOf(w.info, id)
			v := st[r]
			v.outcome = true
			return st.with(r, v)
		}
	}
	return st
}

func (w *walk) assignRange(st state, r *ast.RangeStmt) state {
	out := w.mentions(st, r.X)
	for _, e := range []ast.Expr{r.Key, r.Value} {
		if e != nil {
			st = st.with(refOf(w.info, e), value{outcome: out})
		}
	}
	return st
}

// assume gives the state in which a condition is known to be so.
func (w *walk) assume(st state, cond ast.Expr, yes bool) state {
	switch e := ast.Unparen(cond).(type) {
	case *ast.Ident, *ast.SelectorExpr:
		if r := refOf(w.info, e); r.root != nil {
			return st.with(r, value{is: boolValue(yes), outcome: st[r].outcome || st.outcomeOf(r)})
		}
	case *ast.UnaryExpr:
		if e.Op == token.NOT {
			return w.assume(st, e.X, !yes)
		}
	case *ast.BinaryExpr:
		switch e.Op {
		case token.LAND:
			if yes {
				return w.assume(w.assume(st, e.X, true), e.Y, true)
			}
			// One of them is false; if the other is known to be true, it is this one.
			if w.eval(st, e.X).is == isTrue {
				return w.assume(st, e.Y, false)
			}
			if w.eval(st, e.Y).is == isTrue {
				return w.assume(st, e.X, false)
			}
		case token.LOR:
			if !yes {
				return w.assume(w.assume(st, e.X, false), e.Y, false)
			}
			if w.eval(st, e.X).is == isFalse {
				return w.assume(st, e.Y, true)
			}
			if w.eval(st, e.Y).is == isFalse {
				return w.assume(st, e.X, true)
			}
		case token.EQL, token.NEQ:
			if e.Op == token.NEQ {
				yes = !yes
			}
			x, y := e.X, e.Y
			if w.eval(st, x).is == isNil && refOf(w.info, x).root == nil {
				x, y = y, x
			}
			r := refOf(w.info, x)
			if r.root == nil {
				break
			}
			out := st[r].outcome || st.outcomeOf(r)
			switch yv := w.eval(st, y); {
			case yv.is == isNil && yes:
				return st.with(r, value{isNil, out})
			case yv.is == isNil:
				return st.with(r, value{isSet, out})
			case yes && w.sentinel(y):
				return st.with(r, value{isSet, out})
			}
		}
	}
	return st
}

// errVars are the variables that directly take the operation's error.
func (w *walk) errVars() map[types.Object]bool {
	m := make(map[types.Object]bool)
	p := w.g.at[w.op]
	var lhs []ast.Expr
	switch n := p.block.Nodes[p.index].(type) {
	case *ast.AssignStmt:
		lhs = n.Lhs
	case *ast.ValueSpec:
		for _, id := range n.Names {
			lhs = append(lhs, id)
		}
	}
	if w.err >= 0 && w.err < len(lhs) {
		if o := objectOf(w.info, lhs[w.err]); o != nil {
			m[o] = true
		}
	}
	return m
}

// roundTrip says whether a call is one of a transport, which gives no response
// beside an error.
func roundTrip(info *types.Info, call *ast.CallExpr) bool {
	callee := calleeOf(info, call)
	return callee != nil && callee.Name() == "RoundTrip" && roundTrips(info, call)
}

func isPointer(t types.Type) bool {
	if t == nil {
		return false
	}
	_, ok := t.Underlying().(*types.Pointer)
	return ok
}

func nilable(t types.Type) bool {
	if t == nil {
		return false
	}
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Interface, *types.Slice, *types.Map, *types.Chan, *types.Signature:
		return true
	}
	return false
}
