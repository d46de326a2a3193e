package fate

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"github.com/retrykit/retrykit/analyzer/internal/retrysite"
)

// state is what is known of the variables on one way.
type state map[*types.Var]value

// way is one way through the code.
type way struct {
	state state
	end   end
	// doubt says that something decided for this way that could not be followed.
	doubt bool
	// answers are what a function that is asked returns.
	answers []value
}

type end uint8

const (
	endNext    end = iota // goes on with the next statement
	endBack               // back to the operation
	endLeaves             // out of the site
	endBreak              // out of the innermost switch or select
	endFall               // into the next case of the switch
	endUnknown            // can't be followed
)

// maxWays bounds how many ways are followed; more are not followed at all.
const maxWays = 64

// mind runs code with what is known.
type mind struct {
	info    *types.Info
	site    *retrysite.Site
	call    *ast.CallExpr        // the operation
	results map[*types.Var]value // what it answers
	label   types.Object         // the loop's
	depth   int                  // of functions that are asked
	answers bool                 // it is one of them that is run, or the operation itself
	direct  value                // what the operation answers where that is not assigned
}

func (m *mind) block(list []ast.Stmt, st state) []way {
	ways := []way{{state: st}}
	for _, stmt := range list {
		var next []way
		for _, w := range ways {
			if w.end != endNext {
				next = append(next, w)
				continue
			}
			for _, on := range m.stmt(stmt, w.state) {
				on.doubt = on.doubt || w.doubt
				next = append(next, on)
			}
		}
		if len(next) > maxWays {
			return []way{{end: endUnknown}}
		}
		ways = next
	}
	return ways
}

// beforeCall cuts the statements of a round in two where what comes before the
// operation looks at what it answered in the round before; before is nil where
// nothing does.
func (m *mind) beforeCall(list []ast.Stmt) (before, from []ast.Stmt) {
	at := slices.IndexFunc(list, func(stmt ast.Stmt) bool { return stmt.Pos() <= m.call.Pos() && m.call.End() <= stmt.End() })
	if at <= 0 {
		return nil, list
	}
	looks := false
	for _, stmt := range list[:at] {
		ast.Inspect(stmt, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				v, _ := m.info.Uses[id].(*types.Var)
				_, result := m.results[v]
				looks = looks || result
			}
			return !looks
		})
	}
	if !looks {
		return nil, list
	}
	return list[:at], list[at:]
}

// nextRound follows the ways that come back up to the operation.
func (m *mind) nextRound(before []ast.Stmt, ways []way) (all []way) {
	for _, w := range ways {
		if w.end != endBack || w.state == nil {
			all = append(all, w)
			continue
		}
		for _, on := range m.block(before, w.state) {
			on.doubt = on.doubt || w.doubt
			switch {
			case on.end == endNext:
				on.end = endBack
			case on.end == endBack && !on.doubt:
				continue // yet another round, for something else
			case on.end == endBack:
				on.end = endUnknown
			}
			all = append(all, on)
		}
	}
	return all
}

// loopEnd is what follows the body of a loop: its condition.
func (m *mind) loopEnd(ways []way) []way {
	loop, _ := m.site.Node.(*ast.ForStmt)
	for i, w := range ways {
		if w.end != endNext && w.end != endBack {
			continue
		}
		ways[i].end = endBack
		if loop == nil || loop.Cond == nil || w.state == nil {
			continue
		}
		switch m.cond(loop.Cond, w.state) {
		case condFalse:
			ways[i].end = endLeaves
		case condTainted:
			ways[i].end = endUnknown
		}
	}
	return ways
}

func (m *mind) stmt(stmt ast.Stmt, st state) []way {
	switch stmt := stmt.(type) {
	case *ast.BlockStmt:
		return m.block(stmt.List, st)
	case *ast.LabeledStmt:
		return m.stmt(stmt.Stmt, st)
	case *ast.AssignStmt:
		return []way{{state: m.assign(stmt, st)}}
	case *ast.DeclStmt:
		return []way{{state: m.declare(stmt, st)}}
	case *ast.ExprStmt:
		if call, ok := stmt.X.(*ast.CallExpr); ok && neverReturns(m.info, call) {
			return []way{{end: endLeaves}}
		}
		return []way{{state: st}}
	case *ast.IfStmt:
		return m.ifStmt(stmt, st)
	case *ast.SwitchStmt:
		return m.switchStmt(stmt, st)
	case *ast.SelectStmt:
		var ways []way
		for _, clause := range stmt.Body.List {
			ways = append(ways, m.block(clause.(*ast.CommClause).Body, st)...)
		}
		return caught(ways)
	case *ast.TypeSwitchStmt:
		if ways, ok := m.typeSwitch(stmt, st); ok {
			return ways
		}
		return m.passedOver(stmt, st)
	case *ast.ForStmt, *ast.RangeStmt:
		return m.passedOver(stmt, st)
	case *ast.BranchStmt:
		return []way{m.branch(stmt, st)}
	case *ast.ReturnStmt:
		return []way{m.returns(stmt, st)}
	}
	return []way{{state: st}} // go, defer, send, ++: nothing that decides
}

// passedOver is a statement that is not followed, unless it has to do with the
// outcome.
func (m *mind) passedOver(stmt ast.Stmt, st state) []way {
	if m.related(stmt, st) || m.jumps(stmt) {
		return []way{{end: endUnknown}}
	}
	return []way{{state: m.forget(stmt, st)}}
}

// caught ends the breaks of a switch or select.
func caught(ways []way) []way {
	for i := range ways {
		if ways[i].end == endBreak {
			ways[i].end = endNext
		}
	}
	return ways
}

func (m *mind) branch(stmt *ast.BranchStmt, st state) way {
	switch {
	case stmt.Tok == token.CONTINUE && (stmt.Label == nil || m.ownLabel(stmt.Label)):
		return way{state: st, end: endBack}
	case stmt.Tok == token.BREAK && stmt.Label != nil && m.ownLabel(stmt.Label):
		return way{end: endLeaves}
	case stmt.Tok == token.BREAK && stmt.Label == nil:
		return way{state: st, end: endBreak}
	case stmt.Tok == token.FALLTHROUGH:
		return way{state: st, end: endFall}
	}
	return way{end: endUnknown}
}

// ownLabel reports whether a label is that of the site's loop.
func (m *mind) ownLabel(id *ast.Ident) bool {
	return m.label != nil && m.info.Uses[id] == m.label
}

// labelOf is the label of a site's loop, nil if it has none.
func labelOf(info *types.Info, s *retrysite.Site) (label types.Object) {
	ast.Inspect(s.Func.Body(), func(n ast.Node) bool {
		if l, ok := n.(*ast.LabeledStmt); ok && l.Stmt == s.Node {
			label = info.Defs[l.Label]
		}
		return label == nil
	})
	return label
}

// returns is a return: out of a loop, or the outcome of the attempt that a
// library runs.
func (m *mind) returns(stmt *ast.ReturnStmt, st state) way {
	if m.answers {
		if len(stmt.Results) == 0 {
			return way{end: endUnknown}
		}
		w := way{end: endLeaves}
		for _, e := range stmt.Results {
			if isBool(m.info.TypeOf(e)) {
				w.answers = append(w.answers, m.cond(e, st).value())
			} else {
				w.answers = append(w.answers, m.value(e, st))
			}
		}
		return w
	}
	if m.site.Kind == retrysite.KindLoop {
		return way{end: endLeaves}
	}
	if len(stmt.Results) == 0 {
		return way{end: endUnknown}
	}
	condition := m.site.Library != nil && m.site.Library.Repeats == retrysite.RepeatsFalse
	switch m.value(stmt.Results[len(stmt.Results)-1], st).kind {
	case valueNil:
		if condition {
			return m.condition(stmt, st)
		}
		return way{end: endLeaves}
	case valueError:
		if condition {
			return way{end: endLeaves}
		}
		if m.libraryAsks() {
			return way{end: endUnknown}
		}
		return way{end: endBack}
	}
	return way{end: endUnknown}
}

// condition is a return of a condition, (bool, error), without an error: false
// comes back.
func (m *mind) condition(stmt *ast.ReturnStmt, st state) way {
	if len(stmt.Results) == 2 {
		switch m.cond(stmt.Results[0], st) {
		case condTrue:
			return way{end: endLeaves}
		case condFalse:
			return way{end: endBack}
		}
	}
	return way{end: endUnknown}
}

// libraryAsks reports whether the library, or a mark that it wants to see on what
// is retried, decides about an error that is returned. What the attempt asks itself
// is followed, and an error that is not marked as permanent comes back.
func (m *mind) libraryAsks() bool {
	if m.site.Plain {
		return false
	}
	if l := m.site.Library; l == nil || l.Repeats != retrysite.RepeatsError {
		return true
	}
	return m.site.InspectionUnknown || slices.ContainsFunc(m.site.Inspections, func(in retrysite.Inspection) bool {
		return in.How == retrysite.InspectLibrary || in.How == retrysite.InspectRetryable
	})
}

func (m *mind) ifStmt(stmt *ast.IfStmt, st state) []way {
	if stmt.Init != nil {
		if init, ok := stmt.Init.(*ast.AssignStmt); ok {
			st = m.assign(init, st)
		}
	}
	var otherwise []ast.Stmt
	if stmt.Else != nil {
		otherwise = []ast.Stmt{stmt.Else}
	}
	c := m.cond(stmt.Cond, st)
	yes, no := m.asserted(stmt.Cond, st, true), m.asserted(stmt.Cond, st, false)
	switch c {
	case condTrue:
		return m.block(stmt.Body.List, yes)
	case condFalse:
		return m.block(otherwise, no)
	case condTainted:
		ways := append(m.block(stmt.Body.List, yes), m.block(otherwise, no)...)
		if joined, ok := join(ways); ok {
			return []way{joined}
		}
		for i := range ways {
			ways[i].doubt = true
		}
		return ways
	}
	return append(m.block(stmt.Body.List, yes), m.block(otherwise, no)...)
}

// join is the one way that several are which all go on with the next statement:
// whichever was taken decides about nothing but the variables that it set.
func join(ways []way) (way, bool) {
	if slices.ContainsFunc(ways, func(w way) bool { return w.end != endNext || w.doubt }) {
		return way{}, false
	}
	all := maps.Clone(ways[0].state)
	for _, w := range ways[1:] {
		for v, known := range w.state {
			if was, ok := all[v]; !ok || was != known {
				all[v] = value{kind: valueTainted}
			}
		}
		for v := range all {
			if _, ok := w.state[v]; !ok {
				all[v] = value{kind: valueTainted}
			}
		}
	}
	return way{state: all}, true
}

func (m *mind) switchStmt(stmt *ast.SwitchStmt, st state) []way {
	if init, ok := stmt.Init.(*ast.AssignStmt); ok {
		st = m.assign(init, st)
	}
	var ways []way
	byDefault := -1
	for i, clause := range stmt.Body.List {
		clause := clause.(*ast.CaseClause)
		if clause.List == nil {
			byDefault = i
			continue
		}
		for _, e := range clause.List {
			c := condNeutral
			if stmt.Tag == nil {
				c = m.cond(e, st)
			} else {
				c = m.compare(token.EQL, stmt.Tag, e, st)
			}
			in := st
			if stmt.Tag == nil {
				in = m.asserted(e, st, true)
			}
			switch c {
			case condTrue:
				return caught(append(ways, m.clause(stmt, i, in)...))
			case condTainted:
				return []way{{end: endUnknown}}
			case condNeutral:
				ways = append(ways, m.clause(stmt, i, st)...)
			}
		}
	}
	if byDefault >= 0 {
		return caught(append(ways, m.clause(stmt, byDefault, st)...))
	}
	return caught(append(ways, way{state: st}))
}

// clause runs the i-th case of a switch, and the next one where it falls through.
func (m *mind) clause(stmt *ast.SwitchStmt, i int, st state) (ways []way) {
	for _, w := range m.block(stmt.Body.List[i].(*ast.CaseClause).Body, st) {
		if w.end != endFall {
			ways = append(ways, w)
			continue
		}
		for _, on := range m.clause(stmt, i+1, w.state) {
			on.doubt = on.doubt || w.doubt
			ways = append(ways, on)
		}
	}
	return ways
}

// assign is the state after an assignment.
func (m *mind) assign(stmt *ast.AssignStmt, st state) state {
	st = maps.Clone(st)
	one := len(stmt.Lhs) == len(stmt.Rhs) && (stmt.Tok == token.ASSIGN || stmt.Tok == token.DEFINE)
	operation := len(stmt.Rhs) == 1 && ast.Unparen(stmt.Rhs[0]) == m.call
	values, several := m.severalValues(stmt, st)
	for i := range stmt.Lhs {
		switch {
		case several:
		case one && !operation:
			values[i] = m.value(stmt.Rhs[i], st)
		case m.madeOf(stmt, st):
			values[i] = value{kind: valueTainted}
		}
	}
	for i, left := range stmt.Lhs {
		id, ok := left.(*ast.Ident)
		if !ok {
			continue
		}
		v, ok := m.info.ObjectOf(id).(*types.Var)
		if !ok {
			continue
		}
		if operation {
			st[v] = m.results[v]
			continue
		}
		st[v] = values[i]
	}
	return st
}

// madeOf reports whether what is assigned has to do with the outcome.
func (m *mind) madeOf(stmt *ast.AssignStmt, st state) bool {
	if stmt.Tok != token.ASSIGN && stmt.Tok != token.DEFINE {
		return m.related(stmt, st) // with what was there before
	}
	return slices.ContainsFunc(stmt.Rhs, func(e ast.Expr) bool { return m.related(e, st) })
}

// severalValues are those of an assignment of one expression to several variables:
// of a type assertion, and of a function that is asked; not ok if they are not
// known.
func (m *mind) severalValues(stmt *ast.AssignStmt, st state) (values []value, ok bool) {
	values = make([]value, len(stmt.Lhs))
	if len(stmt.Rhs) != 1 || len(stmt.Lhs) < 2 {
		return values, false
	}
	switch e := ast.Unparen(stmt.Rhs[0]).(type) {
	case *ast.TypeAssertExpr:
		if x := m.value(e.X, st); x.kind == valueError && e.Type != nil {
			switch m.carries(x, m.info.TypeOf(e.Type)) {
			case condTrue:
				return []value{{kind: valueHolder, number: x.number}, {kind: valueBool, number: 1, outcome: true}}, true
			case condFalse:
				return []value{{kind: valueNil}, {kind: valueBool, outcome: true}}, true
			}
		}
	case *ast.CallExpr:
		if e == m.call {
			return values, false
		}
		if answers, asked := m.asked(e, st); asked && len(answers) == len(values) {
			return answers, true
		}
	}
	return values, false
}

func (m *mind) declare(stmt *ast.DeclStmt, st state) state {
	decl, ok := stmt.Decl.(*ast.GenDecl)
	if !ok {
		return st
	}
	st = maps.Clone(st)
	for _, spec := range decl.Specs {
		spec, ok := spec.(*ast.ValueSpec)
		if !ok {
			continue
		}
		for i, name := range spec.Names {
			v, ok := m.info.Defs[name].(*types.Var)
			if !ok {
				continue
			}
			if i < len(spec.Values) {
				st[v] = m.value(spec.Values[i], st)
			} else if isErrorType(v.Type()) {
				st[v] = value{kind: valueNil}
			}
		}
	}
	return st
}

// forget drops what is known of the variables that a statement sets.
func (m *mind) forget(stmt ast.Stmt, st state) state {
	st = maps.Clone(st)
	ast.Inspect(stmt, func(n ast.Node) bool {
		if assign, ok := n.(*ast.AssignStmt); ok {
			for _, left := range assign.Lhs {
				if id, ok := left.(*ast.Ident); ok {
					if v, ok := m.info.ObjectOf(id).(*types.Var); ok {
						delete(st, v)
					}
				}
			}
		}
		return true
	})
	return st
}

// jumps reports whether a statement can lead out of itself.
func (m *mind) jumps(stmt ast.Stmt) (found bool) {
	ast.Inspect(stmt, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			found = true
		case *ast.BranchStmt:
			found = found || n.Label != nil || n.Tok == token.GOTO
		}
		return !found
	})
	return found
}

// related reports whether a node has to do with the outcome.
func (m *mind) related(n ast.Node, st state) (found bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		if n == m.call {
			found = true
		}
		if id, ok := n.(*ast.Ident); ok {
			if v, ok := m.info.Uses[id].(*types.Var); ok {
				known := st[v]
				switch known.kind {
				case valueUnknown:
				case valueInt, valueBool:
					found = found || known.outcome
				default:
					found = true
				}
			}
		}
		return !found
	})
	return found
}
