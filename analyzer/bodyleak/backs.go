package bodyleak

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"

	"github.com/retrykit/retrykit/analyzer/internal/retrysite"
)

// A back is a place from which control turns back to the call.
type back struct {
	at        token.Pos
	succeeded bool // the call has, so that there is a response
}

// backs finds them.
type backs struct {
	pass      *analysis.Pass
	s         *retrysite.Site
	resp, err *types.Var

	found []back
}

// walk goes through statements that follow the call, those of the loop's body
// itself when outermost. It is not ok where control turns back in a way that
// it does not know.
func (b *backs) walk(list []ast.Stmt, succeeded, outermost bool) (ok bool) {
	known := make([]bool, len(list)+1) // before each statement
	for i, st := range list {
		known[i], known[i+1] = succeeded, succeeded
		branch, isIf := st.(*ast.IfStmt)
		outcome := unknown
		if isIf && branch.Init == nil && branch.Else == nil {
			if outcome = b.tells(branch.Cond); outcome == failed && leaves(branch.Body) {
				succeeded = true
				known[i+1] = true
				continue
			}
		}
		switch goesBack(st) {
		case no:
		case plainly:
			at := b.unused(list[:i+1])
			b.found = append(b.found, back{list[at].Pos(), known[at]})
			return true
		case within:
			if !isIf || branch.Init != nil || branch.Else != nil {
				return false
			}
			if outcome != failed && !b.walk(branch.Body.List, succeeded || outcome == well, false) {
				return false
			}
		case otherwise:
			return false
		}
	}
	if !outermost || len(list) > 0 && terminates(list[len(list)-1]) {
		return true
	}
	i := b.unused(list)
	at := b.s.Body.Rbrace
	if i < len(list) {
		at = list[i].Pos()
	}
	b.found = append(b.found, back{at, known[i]})
	return true
}

// unused is the index from which on nothing uses the response any more. A
// continue at the end is not what decides that.
func (b *backs) unused(list []ast.Stmt) int {
	i := len(list)
	if i > 0 && goesBack(list[i-1]) == plainly {
		i--
	}
	for i > 0 && goesBack(list[i-1]) == no && !b.mentions(list[i-1]) {
		i--
	}
	return i
}

type outcome uint8

const (
	unknown outcome = iota
	failed          // the call has, when the condition holds
	well            // it has not
)

// tells is what a condition says of the call.
func (b *backs) tells(cond ast.Expr) outcome {
	c, ok := ast.Unparen(cond).(*ast.BinaryExpr)
	if !ok {
		return unknown
	}
	if c.Op == token.LAND {
		for _, side := range []ast.Expr{c.X, c.Y} {
			if o := b.tells(side); o != unknown {
				return o
			}
		}
		return unknown
	}
	id, ok := ast.Unparen(c.X).(*ast.Ident)
	if !ok || b.pass.TypesInfo.ObjectOf(id) != b.err || !b.pass.TypesInfo.Types[c.Y].IsNil() {
		return unknown
	}
	switch c.Op {
	case token.NEQ:
		return failed
	case token.EQL:
		return well
	}
	return unknown
}

func (b *backs) mentions(st ast.Stmt) (found bool) {
	ast.Inspect(st, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && b.pass.TypesInfo.ObjectOf(id) == b.resp {
			found = true
		}
		return !found
	})
	return found
}

type how uint8

const (
	no        how = iota // it does not go back
	plainly              // it is a continue
	within               // a continue stands in it
	otherwise            // by a label or a goto
)

// goesBack says how a statement leads back to the beginning of the loop.
func goesBack(st ast.Stmt) (found how) {
	if branch, ok := st.(*ast.BranchStmt); ok {
		switch {
		case branch.Label != nil, branch.Tok == token.GOTO:
			return otherwise
		case branch.Tok == token.CONTINUE:
			return plainly
		}
		return no
	}
	inner := 0 // loops that a continue belongs to
	var stack []ast.Node
	ast.Inspect(st, func(n ast.Node) bool {
		if n == nil {
			switch stack[len(stack)-1].(type) {
			case *ast.ForStmt, *ast.RangeStmt:
				inner--
			}
			stack = stack[:len(stack)-1]
			return true
		}
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ForStmt, *ast.RangeStmt:
			inner++
		case *ast.BranchStmt:
			switch {
			case n.Label != nil, n.Tok == token.GOTO:
				found = otherwise
			case n.Tok == token.CONTINUE && inner == 0:
				found = max(found, within)
			}
		}
		stack = append(stack, n)
		return true
	})
	return found
}

// leaves says whether a block never goes on behind it.
func leaves(block *ast.BlockStmt) bool {
	return len(block.List) > 0 && terminates(block.List[len(block.List)-1])
}

func terminates(st ast.Stmt) bool {
	switch st.(type) {
	case *ast.ReturnStmt, *ast.BranchStmt:
		return true
	}
	return false
}
