package retrysite

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strings"
)

// said is the constant that a variable is given, where a condition asks for it:
//
//	action := "retry"
//	if permanent(err) {
//		action = "stop"
//	}
//	if action != "retry" {
//		return err
//	}
func (w *walk) said(st state, r ref, e ast.Expr) string {
	if r.root == nil || w.g.asked(w.info)[r] == 0 {
		return ""
	}
	v := w.word(st, e)
	if v == nil {
		return ""
	}
	known := 0
	for _, k := range st {
		if k.at != r && k.is.said != "" {
			known++
		}
	}
	if text := v.ExactString(); known < maxSaid && len(text) <= maxWord {
		return text
	}
	return ""
}

// Bounds of the words that are followed: how many variables may have one at a
// time, for the paths multiply with each, and how long one may be.
const (
	maxSaid = 4
	maxWord = 64
)

// word is the constant that e is known to be, nil if it is not known or no word:
// a text, or a value of a type of its own that lists names.
func (w *walk) word(st state, e ast.Expr) constant.Value {
	tv := w.info.Types[e]
	if tv.Type == nil {
		return nil
	}
	basic, ok := tv.Type.Underlying().(*types.Basic)
	if !ok {
		return nil
	}
	if tv.Value != nil {
		_, isNamed := types.Unalias(tv.Type).(*types.Named)
		if basic.Info()&types.IsString != 0 || isNamed && basic.Info()&types.IsInteger != 0 && !isDuration(tv.Type) {
			return tv.Value
		}
		return nil
	}
	said := st.of(refOf(w.info, e)).said
	if said == "" {
		return nil
	}
	kind := token.INT
	if basic.Info()&types.IsString != 0 {
		kind = token.STRING
	}
	return constant.MakeFromLiteral(said, kind, 0)
}

// sameWord says what a comparison of two words is, or of the letter that one
// begins with: action[0] == 'R'.
func (w *walk) sameWord(st state, x, y ast.Expr) is {
	if index, ok := ast.Unparen(x).(*ast.IndexExpr); ok {
		word, at, letter := w.word(st, index.X), w.number(index.Index), w.number(y)
		if word == nil || word.Kind() != constant.String || at == nil || letter == nil {
			return isUnknown
		}
		s := constant.StringVal(word)
		return boolValue(*at >= 0 && *at < int64(len(s)) && int64(s[*at]) == *letter)
	}
	a, b := w.word(st, x), w.word(st, y)
	if a == nil || b == nil || a.Kind() != b.Kind() {
		return isUnknown
	}
	return boolValue(constant.Compare(a, token.EQL, b))
}

// wordHas says what strings.HasPrefix, HasSuffix or Contains answers of a word.
func (w *walk) wordHas(st state, callee *types.Func, call *ast.CallExpr) is {
	ask, ok := map[string]func(s, part string) bool{
		"strings.HasPrefix": strings.HasPrefix, "strings.HasSuffix": strings.HasSuffix, "strings.Contains": strings.Contains,
	}[fullName(callee)]
	if !ok || len(call.Args) != 2 { // f(g()) gives both in one
		return isUnknown
	}
	word, part := w.word(st, call.Args[0]), w.word(st, call.Args[1])
	if word == nil || part == nil {
		return isUnknown
	}
	return boolValue(ask(constant.StringVal(word), constant.StringVal(part)))
}
