package retrysite

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"regexp"
	"strings"

	"golang.org/x/tools/go/cfg"
)

// A Loss is a place where a site gives up and the last error is lost.
type Loss struct {
	How LossHow
	By  LossBy
	// Node is the return statement, or the assignment that loses the error.
	Node ast.Node
	// Expr is what is returned in its place.
	Expr ast.Expr
	// Var is the variable that was thought to hold it, for LossShadow.
	Var *types.Var
	// Promised says that the function's documentation promises the last error.
	Promised bool
	// Verb is the formatting call whose verb shows the error as text, when
	// replacing that verb by %w keeps it; nil otherwise.
	Verb *ast.CallExpr
	// VerbArg is the index of the error among Verb's arguments.
	VerbArg int
}

// LossHow is what is returned instead of the last error.
type LossHow uint8

const (
	LossText     LossHow = iota + 1 // an error that has it as text only
	LossNew                         // a new error that knows nothing of it
	LossSentinel                    // a package-level error
	LossNil                         // nil, as if the operation had succeeded
	LossBool                        // false
	LossContext                     // the error of the context alone
	LossShadow                      // a variable that was never assigned, because the loop declares it anew
)

func (h LossHow) String() string {
	return [...]string{"unknown", "text", "new", "sentinel", "nil", "bool", "context", "shadow"}[h]
}

// LossBy is why the site gives up.
type LossBy uint8

const (
	LossByOutcome LossBy = iota // the error itself says so
	LossByBound                 // attempts or time are used up, or a policy ends it
	LossByContext               // the context has ended
	LossByStop                  // something else has ended
)

var promisesLast = regexp.MustCompile(`(?i)\b(last|latest|most recent|final|underlying)\b[^.]{0,40}\berr(or)?\b`)

// What a variable has of the last error.
type held uint8

const (
	heldNone held = iota
	heldText
	heldAll
)

// How the present value of a variable was made.
type made uint8

const (
	madeNew   made = iota + 1 // errors.New, fmt.Errorf
	madeOther                 // anything else
)

// A lossNode is what may be so at one node of the walk.
type lossNode struct {
	vars   map[types.Object]held
	made   map[types.Object]made
	by     [4]bool
	logged bool // the error was handed to a function that returns nothing
	stored bool // the error was put where others can see it

	visited, queued bool
}

// losses walks from the failed operation to the end of the function and finds
// the returns by which the site gives up without its last error.
func (f *finder) losses(s *Site, g *graph, c *candidate) {
	w := &walk{info: f.info, g: g, l: g.whole(), op: c.call, err: c.fail.err, fail: true}
	w.run()
	if w.gaveUp || f.deferChangesResult(g.fn) {
		return
	}
	lw := &lossWalk{f: f, s: s, w: w, p: newPaths(w), at: make(map[*pathNode]*lossNode)}
	lw.run()
}

type lossWalk struct {
	f  *finder
	s  *Site
	w  *walk
	p  *paths
	at map[*pathNode]*lossNode
}

func (lw *lossWalk) node(n *pathNode) *lossNode {
	if lw.at[n] == nil {
		lw.at[n] = &lossNode{vars: make(map[types.Object]held), made: make(map[types.Object]made)}
	}
	return lw.at[n]
}

func (lw *lossWalk) run() {
	if len(lw.w.nodes) == 0 {
		return
	}
	start := lw.w.nodes[0]
	lw.node(start)
	work := []*pathNode{start}
	for rounds := 0; len(work) > 0 && rounds < 20*maxPaths; rounds++ {
		n := work[0]
		work = work[1:]
		in := lw.node(n)
		in.queued = false
		out := in.clone()
		if !n.repeat {
			for i, x := range n.block.Nodes[min(n.from, len(n.block.Nodes)):] {
				lw.transfer(out, x, n == start && i == 0)
			}
		}
		for _, next := range lw.p.succs[n] {
			moved := out.clone()
			if by, ok := lw.reason(n, next); ok {
				moved.by[by] = true
			}
			to := lw.node(next)
			if changed := to.join(moved); (changed || !to.visited) && !to.queued {
				to.visited, to.queued = true, true
				work = append(work, next)
			}
		}
	}
	lw.collect()
}

func (a *lossNode) clone() *lossNode {
	return &lossNode{vars: maps.Clone(a.vars), made: maps.Clone(a.made), by: a.by, logged: a.logged, stored: a.stored}
}

// join adds what b knows and says whether that changed anything.
func (a *lossNode) join(b *lossNode) (changed bool) {
	for k, v := range b.vars {
		if old, ok := a.vars[k]; !ok || v > old {
			a.vars[k] = max(v, old)
			changed = true
		}
	}
	for k, v := range b.made {
		if old := a.made[k]; old != v && old != madeOther {
			if old != 0 {
				v = madeOther
			}
			a.made[k], changed = v, true
		}
	}
	for i, v := range b.by {
		if v && !a.by[i] {
			a.by[i], changed = true, true
		}
	}
	if b.logged && !a.logged {
		a.logged, changed = true, true
	}
	if b.stored && !a.stored {
		a.stored, changed = true, true
	}
	return changed
}

// reason says why a path gives up when it goes from n to next: n could have
// come back, next can't.
func (lw *lossWalk) reason(n, next *pathNode) (LossBy, bool) {
	if !lw.p.toRepeat[n] || lw.p.toRepeat[next] {
		return 0, false
	}
	cond := n.condition()
	switch {
	case n.ranges():
		return LossByBound, true
	case n.selects():
		// The cases are a chain of blocks; next is a case's body or the rest.
		for b := n.block; len(b.Succs) == 2 && b.Succs[0].Kind == cfg.KindSelectCaseBody; b = b.Succs[1] {
			if next.block != n.block.Succs[0] && b == n.block {
				continue // another case
			}
			if lw.receivesDone(b.Succs[0]) {
				return LossByContext, true
			}
			if next.block == n.block.Succs[0] {
				break
			}
		}
		return LossByStop, true
	case cond == nil:
		return LossByStop, true
	case lw.asksContext(cond):
		return LossByContext, true
	case lw.f.counts(lw.s, cond):
		return LossByBound, true
	case n.outcome:
		return LossByOutcome, true
	case lw.f.looksAtClock(lw.w.g, cond).IsValid():
		return LossByBound, true
	}
	return LossByStop, true
}

// receivesDone says whether a case receives from a context's Done channel.
func (lw *lossWalk) receivesDone(b *cfg.Block) bool {
	clause, ok := b.Stmt.(*ast.CommClause)
	if !ok || clause.Comm == nil {
		return false
	}
	ch := received(clause.Comm)
	if ch == nil {
		return false
	}
	call, ok := ast.Unparen(ch).(*ast.CallExpr)
	if !ok {
		return false
	}
	c := calleeOf(lw.f.info, call)
	return c != nil && c.Name() == "Done"
}

func (lw *lossWalk) asksContext(cond ast.Expr) (found bool) {
	ast.Inspect(cond, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && isContextErr(calleeOf(lw.f.info, call)) {
			found = true
		}
		return !found
	})
	return found
}

// transfer follows the error through one node.
func (lw *lossWalk) transfer(st *lossNode, n ast.Node, first bool) {
	info := lw.f.info
	set := func(lhs ast.Expr, h held) {
		switch l := ast.Unparen(lhs).(type) {
		case *ast.Ident:
			o := info.ObjectOf(l)
			if o == nil || l.Name == "_" {
				return
			}
			st.made[o] = madeOther
			if v, ok := o.(*types.Var); ok && h == heldAll && (isPackageLevel(v) || !lw.owns(v)) {
				st.stored = true
			}
			if h == heldNone {
				delete(st.vars, o)
			} else {
				st.vars[o] = h
			}
		case *ast.IndexExpr:
			// An element: the collection has it now.
			if root := rootVar(info, l.X); root != nil && h > st.vars[root] {
				st.vars[root] = h
			}
		default:
			if h > heldNone {
				st.stored = true
				if root := rootVar(info, lhs); root != nil {
					st.vars[root] = max(h, st.vars[root])
				}
			}
		}
	}
	assign := func(lhs, rhs []ast.Expr) {
		if len(lhs) == len(rhs) {
			hs := make([]held, len(rhs))
			for i, e := range rhs {
				hs[i] = lw.holds(st, e)
			}
			for i, l := range lhs {
				set(l, hs[i])
				if o := objectOf(info, l); o != nil && lw.f.makesError(rhs[i]) {
					st.made[o] = madeNew
				}
			}
			return
		}
		if len(rhs) != 1 {
			return
		}
		call, isCall := ast.Unparen(rhs[0]).(*ast.CallExpr)
		for i, l := range lhs {
			switch {
			case isCall && call == lw.w.op && first:
				if i == lw.w.err {
					set(l, heldAll)
				} else {
					// A status or a response is a part of the failure too.
					set(l, heldNone)
				}
			case isCall:
				set(l, lw.holds(st, call))
			default:
				set(l, lw.holds(st, rhs[0]))
			}
		}
	}
	switch n := n.(type) {
	case *ast.AssignStmt:
		lw.observe(st, n)
		if n.Tok == token.ASSIGN || n.Tok == token.DEFINE {
			if first && len(n.Rhs) == 1 && ast.Unparen(n.Rhs[0]) == ast.Expr(lw.w.op) && len(n.Lhs) == 1 {
				set(n.Lhs[0], heldAll)
				return
			}
			assign(n.Lhs, n.Rhs)
			return
		}
		if h := lw.holds(st, n.Rhs[0]); h > heldNone {
			if root := rootVar(info, n.Lhs[0]); root != nil {
				st.vars[root] = max(h, st.vars[root])
			}
		}
	case *ast.ValueSpec:
		lhs := make([]ast.Expr, len(n.Names))
		for i, id := range n.Names {
			lhs[i] = id
		}
		if len(n.Values) > 0 {
			assign(lhs, n.Values)
		}
	case *ast.SendStmt:
		if lw.holds(st, n.Value) > heldNone {
			st.stored = true
		}
	case *ast.GoStmt, *ast.DeferStmt:
	case *ast.ReturnStmt:
	default:
		lw.observe(st, n)
	}
}

// observe notes calls that are given the error.
func (lw *lossWalk) observe(st *lossNode, n ast.Node) {
	inspectOwn(n, func(x ast.Node) {
		call, ok := x.(*ast.CallExpr)
		if !ok || call == lw.w.op {
			return
		}
		given := heldNone
		for _, a := range call.Args {
			given = max(given, lw.holds(st, a))
		}
		if given == heldNone {
			return
		}
		callee := calleeOf(lw.f.info, call)
		if t := lw.f.info.TypeOf(call); t != nil {
			if tuple, ok := t.(*types.Tuple); ok && tuple.Len() == 0 {
				if callee != nil && strings.Contains(strings.ToLower(callee.Name()), "retry") {
					return // told that there will be another attempt
				}
				if callee == nil {
					return
				}
				st.logged = true
			}
		}
		// A method that is given the error itself may keep it.
		if callee != nil && callee.Signature().Recv() != nil && given == heldAll && !logs(callee) {
			if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
				if root := rootVar(lw.f.info, sel.X); root != nil && lw.owns(root) {
					st.vars[root] = max(st.vars[root], heldAll)
				}
			}
		}
		for _, a := range call.Args { // f(&out, err)
			if u, ok := ast.Unparen(a).(*ast.UnaryExpr); ok && u.Op == token.AND {
				if root := rootVar(lw.f.info, u.X); root != nil {
					st.vars[root] = max(st.vars[root], given)
				}
			}
		}
	})
}

// logs says whether a method only shows what it is given.
func logs(fn *types.Func) bool {
	return fn.Signature().Results().Len() == 0 && logName.MatchString(fn.Name())
}

var logName = regexp.MustCompile(`^(?i)(print|log|debug|info|warn|error|trace|fatal|notice|verbose)`)

// owns says whether v is a local variable of the site's function itself.
func (lw *lossWalk) owns(v *types.Var) bool {
	b := lw.w.g.fn
	if v.IsField() || v.Pos() < b.Type().Pos() || v.Pos() >= b.Body().End() {
		return false
	}
	return true
}

func rootVar(info *types.Info, e ast.Expr) *types.Var {
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.Ident:
			v, _ := info.ObjectOf(x).(*types.Var)
			return v
		case *ast.SelectorExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.UnaryExpr:
			e = x.X
		case *ast.SliceExpr:
			e = x.X
		default:
			return nil
		}
	}
}

// holds says what an expression has of the last error.
func (lw *lossWalk) holds(st *lossNode, e ast.Expr) held {
	info := lw.f.info
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		if o := info.ObjectOf(e); o != nil {
			return st.vars[o]
		}
	case *ast.SelectorExpr:
		if root := rootVar(info, e.X); root != nil {
			return st.vars[root]
		}
	case *ast.IndexExpr:
		return lw.holds(st, e.X)
	case *ast.SliceExpr:
		return lw.holds(st, e.X)
	case *ast.StarExpr:
		return lw.holds(st, e.X)
	case *ast.TypeAssertExpr:
		return lw.holds(st, e.X)
	case *ast.UnaryExpr:
		if e.Op == token.NOT {
			return heldNone
		}
		return lw.holds(st, e.X)
	case *ast.BinaryExpr:
		if e.Op == token.ADD {
			return max(lw.holds(st, e.X), lw.holds(st, e.Y))
		}
	case *ast.CompositeLit:
		h := heldNone
		for _, elt := range e.Elts {
			if kv, ok := elt.(*ast.KeyValueExpr); ok {
				elt = kv.Value
			}
			h = max(h, lw.holds(st, elt))
		}
		return h
	case *ast.FuncLit:
		h := heldNone
		ast.Inspect(e.Body, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				if o := info.ObjectOf(id); o != nil {
					h = max(h, st.vars[o])
				}
			}
			return true
		})
		return h
	case *ast.CallExpr:
		return lw.holdsCall(st, e)
	}
	return heldNone
}

func (lw *lossWalk) holdsCall(st *lossNode, call *ast.CallExpr) held {
	h := heldNone
	for _, a := range call.Args {
		h = max(h, lw.holds(st, a))
	}
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && lw.f.info.Selections[sel] != nil {
		if r := lw.holds(st, sel.X); r > heldNone {
			if sel.Sel.Name == "Error" || sel.Sel.Name == "String" || sel.Sel.Name == "Message" {
				r = heldText
			}
			h = max(h, r)
		}
	}
	if h == heldNone {
		return heldNone
	}
	if t := lw.f.info.TypeOf(call); t != nil {
		switch b, ok := t.Underlying().(*types.Basic); {
		case ok && b.Info()&types.IsString != 0:
			return heldText
		case ok:
			return heldNone
		}
	}
	switch fullName(calleeOf(lw.f.info, call)) {
	case "fmt.Errorf", "golang.org/x/xerrors.Errorf":
		return lw.holdsErrorf(st, call)
	case "errors.New", "github.com/pkg/errors.New", "github.com/pkg/errors.Errorf":
		return heldText
	}
	return h
}

// holdsErrorf reads the verbs of a format: only %w keeps the error.
func (lw *lossWalk) holdsErrorf(st *lossNode, call *ast.CallExpr) held {
	if len(call.Args) == 0 {
		return heldNone
	}
	tv := lw.f.info.Types[call.Args[0]]
	if tv.Value == nil || tv.Value.Kind() != constant.String || call.Ellipsis.IsValid() {
		return heldAll // not readable
	}
	h := heldNone
	verbs := formatVerbs(constant.StringVal(tv.Value))
	for i, a := range call.Args[1:] {
		got := lw.holds(st, a)
		if got == heldAll && (i >= len(verbs) || verbs[i] != 'w') {
			got = heldText
		}
		h = max(h, got)
	}
	return h
}

// formatVerbs lists the verbs of a format in the order of their arguments. A
// star takes an argument of its own. It is empty for a format with explicit
// indexes.
func formatVerbs(format string) (verbs []byte) {
	for i := 0; i < len(format); i++ {
		if format[i] != '%' {
			continue
		}
		for i++; i < len(format) && strings.IndexByte("+-# 0123456789.*[", format[i]) >= 0; i++ {
			if format[i] == '[' {
				return nil
			}
			if format[i] == '*' {
				verbs = append(verbs, '*')
			}
		}
		if i < len(format) && format[i] != '%' {
			verbs = append(verbs, format[i])
		}
	}
	return verbs
}

// collect judges the returns that were reached.
func (lw *lossWalk) collect() {
	seen := make(map[ast.Node]bool)
	fn := lw.w.g.fn
	index, isBool := lw.f.errorResult(fn)
	if index < 0 && !isBool {
		return
	}
	promised := false
	if d := fn.Declaration(); d != nil && d.Doc != nil && fn.Lit == nil {
		promised = promisesLast.MatchString(d.Doc.Text())
	}
	type verdict struct {
		loss Loss
		kept bool
	}
	verdicts := make(map[*ast.ReturnStmt]*verdict)
	var order []*ast.ReturnStmt
	for _, n := range lw.w.nodes {
		st := lw.at[n]
		if st == nil || n.repeat || len(n.block.Nodes) == 0 {
			continue
		}
		r, ok := n.block.Nodes[len(n.block.Nodes)-1].(*ast.ReturnStmt)
		if !ok {
			continue
		}
		out := st.clone()
		vals := n.st
		for _, x := range n.block.Nodes[min(n.from, len(n.block.Nodes)) : len(n.block.Nodes)-1] {
			lw.transfer(out, x, n == lw.w.nodes[0])
			vals = lw.w.transfer(vals, x)
		}
		v := verdicts[r]
		if v == nil {
			v = &verdict{}
			verdicts[r] = v
			order = append(order, r)
		}
		loss, kept := lw.judge(out, vals, r, index, isBool)
		if kept {
			v.kept = true
			continue
		}
		loss.Promised = promised
		if v.loss.How == 0 || loss.By > v.loss.By {
			v.loss = loss
		}
	}
	for _, r := range order {
		v := verdicts[r]
		lw.s.Exhaustion.Returns = append(lw.s.Exhaustion.Returns, r)
		if !v.kept && v.loss.How != 0 && !seen[r] {
			seen[r] = true
			lw.s.Losses = append(lw.s.Losses, v.loss)
		}
	}
	if len(lw.s.Losses) == 0 {
		lw.s.Losses = lw.overwrites()
	}
}

// judge says what a return has of the last error. Kept is also what could not
// be followed.
func (lw *lossWalk) judge(st *lossNode, vals state, r *ast.ReturnStmt, index int, isBool bool) (loss Loss, kept bool) {
	fn := lw.w.g.fn
	loss = Loss{Node: r}
	switch {
	case st.by[LossByBound]:
		loss.By = LossByBound
	case st.by[LossByContext]:
		loss.By = LossByContext
	case st.by[LossByStop]:
		loss.By = LossByStop
	}
	if isBool {
		if st.logged || st.stored || len(r.Results) != 1 || lw.w.eval(vals, r.Results[0]).is != isFalse {
			return loss, true
		}
		loss.How, loss.Expr = LossBool, r.Results[0]
		return loss, false
	}
	var e ast.Expr
	switch {
	case len(r.Results) == 0:
		e = lw.f.resultName(fn, index)
	case len(r.Results) == 1 && index > 0:
		return loss, true // return f()
	case index < len(r.Results):
		e = r.Results[index]
	}
	if e == nil {
		return loss, true
	}
	for _, other := range r.Results { // the failure may be told by another result
		if other != e && lw.holds(st, other) == heldAll {
			return loss, true
		}
	}
	loss.Expr = e
	switch lw.holds(st, e) {
	case heldAll:
		return loss, true
	case heldText:
		if lw.f.keepsText(e) {
			return loss, true
		}
		loss.How = LossText
		loss.Verb, loss.VerbArg = lw.verb(st, e)
		return loss, false
	}
	if v := lw.shadowed(e); v != nil {
		loss.How, loss.Var = LossShadow, v
		return loss, false
	}
	if st.stored {
		return loss, true
	}
	switch x := ast.Unparen(e).(type) {
	case *ast.Ident:
		if lw.w.eval(vals, x).is == isNil {
			if st.logged {
				return loss, true
			}
			loss.How = LossNil
			return loss, false
		}
		if lw.w.sentinel(x) && !st.logged {
			loss.How = LossSentinel
			return loss, false
		}
		if v, ok := lw.f.info.ObjectOf(x).(*types.Var); ok && lw.owns(v) && st.made[v] == madeNew {
			loss.How = LossNew
			return loss, false
		}
	case *ast.SelectorExpr:
		if lw.w.sentinel(x) && !st.logged {
			loss.How = LossSentinel
			return loss, false
		}
	case *ast.CallExpr:
		callee := calleeOf(lw.f.info, x)
		switch {
		case isContextErr(callee):
			loss.How = LossContext
			return loss, false
		case lw.f.makesError(x):
			loss.How = LossNew
			return loss, false
		}
	}
	return loss, true
}

// makesError says whether an expression makes a new error from text alone.
func (f *finder) makesError(e ast.Expr) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return false
	}
	switch fullName(calleeOf(f.info, call)) {
	case "errors.New", "fmt.Errorf", "github.com/pkg/errors.New", "github.com/pkg/errors.Errorf":
	default:
		return false
	}
	for _, a := range call.Args {
		if isError(f.info.TypeOf(a)) {
			return false
		}
	}
	return true
}

// keepsText says whether the type of an error built from text has a method
// that gives the cause back, so that its maker may have kept it.
func (f *finder) keepsText(e ast.Expr) bool {
	t := f.info.TypeOf(e)
	if t == nil {
		return true
	}
	for _, name := range []string{"Unwrap", "Cause", "Is", "As"} {
		if obj, _, _ := types.LookupFieldOrMethod(t, true, nil, name); obj != nil {
			if _, isFunc := obj.(*types.Func); isFunc && !types.IsInterface(t) {
				return true
			}
		}
	}
	return false
}

// verb finds the fmt.Errorf that shows the error by %v or %s where %w would
// keep it.
func (lw *lossWalk) verb(st *lossNode, e ast.Expr) (*ast.CallExpr, int) {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok || fullName(calleeOf(lw.f.info, call)) != "fmt.Errorf" || len(call.Args) == 0 {
		return nil, 0
	}
	if _, ok := ast.Unparen(call.Args[0]).(*ast.BasicLit); !ok {
		return nil, 0
	}
	tv := lw.f.info.Types[call.Args[0]]
	if tv.Value == nil {
		return nil, 0
	}
	verbs := formatVerbs(constant.StringVal(tv.Value))
	for i, a := range call.Args[1:] {
		if isError(lw.f.info.TypeOf(a)) && lw.holds(st, a) == heldAll && i < len(verbs) && (verbs[i] == 'v' || verbs[i] == 's') {
			return call, i + 1
		}
	}
	return nil, 0
}

// shadowed is a local error variable in e that nothing ever assigns, while the
// loop declares another of the same name.
func (lw *lossWalk) shadowed(e ast.Expr) (found *types.Var) {
	errs := lw.w.errVars()
	inspectOwn(e, func(n ast.Node) {
		id, ok := n.(*ast.Ident)
		if !ok || found != nil {
			return
		}
		v, ok := lw.f.info.ObjectOf(id).(*types.Var)
		if !ok || v.IsField() || isPackageLevel(v) || !isError(v.Type()) || lw.f.paramOf(lw.w.g.fn, v) != nil || !lw.owns(v) {
			return
		}
		if len(lw.f.valuesOf(lw.w.g.fn, v)) > 0 || lw.f.addressTaken(lw.w.g.fn, v) || lw.isResult(v) {
			return
		}
		for o := range errs {
			if o.Name() == v.Name() && o != types.Object(v) {
				found = v
			}
		}
	})
	return found
}

func (lw *lossWalk) isResult(v *types.Var) bool {
	fn := lw.w.g.fn
	r := fn.Type().Results
	return r != nil && r.Pos() <= v.Pos() && v.Pos() < r.End()
}

func (f *finder) addressTaken(fn *Func, v *types.Var) (found bool) {
	ast.Inspect(fn.Body(), func(n ast.Node) bool {
		if u, ok := n.(*ast.UnaryExpr); ok && u.Op == token.AND && rootVar(f.info, u.X) == v {
			found = true
		}
		return !found
	})
	return found
}

// errorResult is the index of the error among a function's results, -1 if it
// has none, and whether its one result is a bool.
func (f *finder) errorResult(fn *Func) (index int, isBool bool) {
	res := fn.Type().Results
	if res == nil {
		return -1, false
	}
	i, index := 0, -1
	for _, field := range res.List {
		t := f.info.TypeOf(field.Type)
		n := max(len(field.Names), 1)
		if t != nil && resultIsError(t) {
			index = i + n - 1
		}
		i += n
	}
	if index < 0 && i == 1 {
		t := f.info.TypeOf(res.List[0].Type)
		isBool = t != nil && types.Identical(t.Underlying(), types.Typ[types.Bool])
	}
	return index, isBool
}

// resultName is the name of a result, nil if it has none.
func (f *finder) resultName(fn *Func, index int) ast.Expr {
	i := 0
	for _, field := range fn.Type().Results.List {
		for _, name := range field.Names {
			if i == index {
				return name
			}
			i++
		}
		if len(field.Names) == 0 {
			i++
		}
	}
	return nil
}

// deferChangesResult says whether a deferred literal assigns a named result.
func (f *finder) deferChangesResult(fn *Func) (found bool) {
	if fn.Type().Results == nil {
		return false
	}
	inspectOwn(fn.Body(), func(n ast.Node) {
		d, ok := n.(*ast.DeferStmt)
		if !ok {
			return
		}
		ast.Inspect(d, func(n ast.Node) bool {
			as, ok := n.(*ast.AssignStmt)
			if !ok {
				return true
			}
			for _, l := range as.Lhs {
				if v := rootVar(f.info, l); v != nil && fn.Type().Results.Pos() <= v.Pos() && v.Pos() < fn.Type().Results.End() {
					found = true
				}
			}
			return true
		})
	})
	return found
}
