package fate

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/types/typeutil"
)

// value is what is known of a variable.
type value struct {
	kind    valueKind
	number  int64
	outcome bool // a number or bool that was made from the outcome
}

type valueKind uint8

const (
	valueUnknown  valueKind = iota // nothing, and it has nothing to do with the outcome
	valueTainted                   // made from the outcome, in a way that was not followed
	valueNil                       // nil, or the zero value of an error
	valueError                     // an error that is not nil; number is the status that it carries, 0 for none
	valueResponse                  // the response; number is its status
	valueHolder                    // a struct that holds the response or its status; number is that
	valueThing                     // something that is not nil
	valueInt                       // number
	valueBool                      // number is 0 or 1
)

// value is what is known of an expression.
func (m *mind) value(e ast.Expr, st state) value {
	e = ast.Unparen(e)
	if tv, ok := m.info.Types[e]; ok {
		if tv.IsNil() {
			return value{kind: valueNil}
		}
		if tv.Value != nil {
			switch tv.Value.Kind() {
			case constant.Int:
				n, exact := constant.Int64Val(tv.Value)
				if exact {
					return value{kind: valueInt, number: n}
				}
			case constant.Bool:
				return boolValue(constant.BoolVal(tv.Value))
			}
			return value{}
		}
	}
	switch e := e.(type) {
	case *ast.Ident:
		if v, ok := m.info.Uses[e].(*types.Var); ok {
			return st[v]
		}
	case *ast.SelectorExpr:
		if v, ok := m.part(e, st); ok {
			return v
		}
	case *ast.BinaryExpr:
		return m.binary(e, st)
	case *ast.UnaryExpr:
		if e.Op == token.AND {
			if _, ok := e.X.(*ast.CompositeLit); ok {
				return value{kind: valueError}
			}
		}
		if e.Op == token.NOT {
			return m.cond(e, st).value()
		}
	case *ast.CallExpr:
		if e == m.call && m.direct.kind != valueUnknown {
			return m.direct
		}
		if tv := m.info.Types[e.Fun]; tv.IsType() && len(e.Args) == 1 {
			return m.value(e.Args[0], st)
		}
		if makesError(m.info, e) {
			return value{kind: valueError}
		}
		if v, ok := m.method(e, st); ok {
			return v
		}
		if v, ok := m.answer(e, st); ok {
			return v
		}
	case *ast.TypeAssertExpr:
		if x := m.value(e.X, st); x.kind == valueError && e.Type != nil && m.carries(x, m.info.TypeOf(e.Type)) == condTrue {
			return value{kind: valueHolder, number: x.number}
		}
	}
	if m.related(e, st) {
		return value{kind: valueTainted}
	}
	return value{}
}

func (m *mind) binary(e *ast.BinaryExpr, st state) value {
	switch e.Op {
	case token.QUO, token.REM:
		x, y := m.value(e.X, st), m.value(e.Y, st)
		if x.kind == valueInt && y.kind == valueInt && y.number != 0 {
			if e.Op == token.QUO {
				return value{kind: valueInt, number: x.number / y.number, outcome: x.outcome || y.outcome}
			}
			return value{kind: valueInt, number: x.number % y.number, outcome: x.outcome || y.outcome}
		}
	case token.LAND, token.LOR, token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		v := m.cond(e, st).value()
		v.outcome = m.related(e, st)
		return v
	}
	if m.related(e, st) {
		return value{kind: valueTainted}
	}
	return value{}
}

func boolValue(b bool) value {
	if b {
		return value{kind: valueBool, number: 1}
	}
	return value{kind: valueBool}
}

// cond is what is known of a condition.
type cond uint8

const (
	condNeutral cond = iota // nothing, and it has nothing to do with the outcome
	condTainted             // nothing, and it decides about the outcome
	condTrue
	condFalse
)

func (c cond) value() value {
	switch c {
	case condTrue:
		return boolValue(true)
	case condFalse:
		return boolValue(false)
	case condTainted:
		return value{kind: valueTainted}
	}
	return value{}
}

func (m *mind) cond(e ast.Expr, st state) cond {
	switch e := ast.Unparen(e).(type) {
	case *ast.UnaryExpr:
		if e.Op == token.NOT {
			switch c := m.cond(e.X, st); c {
			case condTrue:
				return condFalse
			case condFalse:
				return condTrue
			default:
				return c
			}
		}
	case *ast.BinaryExpr:
		switch e.Op {
		case token.LAND:
			return both(m.cond(e.X, st), m.cond(e.Y, m.asserted(e.X, st, true)), condFalse, condTrue)
		case token.LOR:
			return both(m.cond(e.X, st), m.cond(e.Y, m.asserted(e.X, st, false)), condTrue, condFalse)
		case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
			return m.compare(e.Op, e.X, e.Y, st)
		}
	case *ast.CallExpr:
		if asksError(m.info, e) {
			if c := m.errorAsked(e, st); c != condTainted {
				return c
			}
		}
		if v, ok := m.answer(e, st); ok {
			return v.cond()
		}
	}
	if c := m.value(e, st).cond(); c != condNeutral {
		return c
	}
	if m.related(e, st) {
		return condTainted
	}
	return condNeutral
}

// cond is what a value is as a condition.
func (v value) cond() cond {
	switch v.kind {
	case valueBool:
		return truthCond(v.number == 1)
	case valueTainted:
		return condTainted
	}
	return condNeutral
}

// both joins two conditions: decisive is the one that decides alone, neutral
// the one that leaves it to the other.
func both(x, y, decisive, idle cond) cond {
	switch {
	case x == decisive || y == decisive:
		return decisive
	case x == idle:
		return y
	case y == idle:
		return x
	}
	return max(x, y) // tainted, if one of them is
}

func (m *mind) compare(op token.Token, x, y ast.Expr, st state) cond {
	a, b := m.value(x, st), m.value(y, st)
	switch {
	case a.kind == valueInt && b.kind == valueInt:
		return truthCond(constant.Compare(constant.MakeInt64(a.number), op, constant.MakeInt64(b.number)))
	case b.kind == valueNil && (a.kind == valueNil || a.notNil()):
		return truthCond((a.kind == valueNil) == (op == token.EQL))
	case a.kind == valueNil && b.notNil():
		return truthCond(op == token.NEQ)
	case a.kind == valueError && a.number != 0 && endsContext(m.info, y):
		return truthCond(op == token.NEQ)
	case m.related(x, st) || m.related(y, st):
		return condTainted
	}
	if a.kind == valueTainted || b.kind == valueTainted {
		return condTainted
	}
	return condNeutral
}

// notNil reports whether a value is known not to be nil.
func (v value) notNil() bool {
	switch v.kind {
	case valueError, valueResponse, valueHolder, valueThing:
		return true
	}
	return false
}

func truthCond(b bool) cond {
	if b {
		return condTrue
	}
	return condFalse
}

// makesError reports whether a call gives an error that is never nil.
func makesError(info *types.Info, call *ast.CallExpr) bool {
	fn := typeutil.StaticCallee(info, call)
	if fn == nil {
		return false
	}
	switch fn.FullName() {
	case "fmt.Errorf", "errors.New", "github.com/pkg/errors.New", "github.com/pkg/errors.Errorf":
		return true
	}
	return false
}

// asksError reports whether a call asks what an error is.
func asksError(info *types.Info, call *ast.CallExpr) bool {
	fn := typeutil.StaticCallee(info, call)
	return fn != nil && (fn.FullName() == "errors.Is" || fn.FullName() == "errors.As") && len(call.Args) == 2
}

// neverReturns reports whether a call ends the goroutine or the process.
func neverReturns(info *types.Info, call *ast.CallExpr) bool {
	if id, ok := ast.Unparen(call.Fun).(*ast.Ident); ok && id.Name == "panic" {
		_, builtin := info.Uses[id].(*types.Builtin)
		return builtin
	}
	fn := typeutil.StaticCallee(info, call)
	if fn == nil {
		return false
	}
	switch fn.FullName() {
	case "os.Exit", "log.Fatal", "log.Fatalf", "log.Fatalln", "runtime.Goexit":
		return true
	}
	return false
}
