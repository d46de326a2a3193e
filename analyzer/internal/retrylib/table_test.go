package retrylib

import (
	"go/types"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTableParses(t *testing.T) {
	entries, err := parseTable(tableText)
	require.NoError(t, err)
	seen := make(map[string]bool)
	paths := make(map[string]bool)
	for _, e := range entries {
		assert.False(t, seen[e.key()], "%s stands twice", e)
		seen[e.key()] = true
		paths[e.Path] = true
		for _, s := range e.Signature {
			canonical, err := canonicalSignature(s)
			if assert.NoError(t, err, "%s", e) {
				again, err := canonicalSignature(canonical)
				require.NoError(t, err)
				assert.Equal(t, canonical, again, "%s: the canonical form must be stable", e)
			}
		}
		isFunc := e.Kind != KindField && e.Kind != KindLiteral && e.Kind != KindVar
		assert.True(t, isFunc || len(e.Signature) == 0, "%s: a %s has no signature", e, e.Kind)
		if e.Kind == KindClosure {
			hasFunc := slices.ContainsFunc(e.effects, func(x effect) bool { return x.field == "func" })
			assert.True(t, (e.Closure >= 0) != hasFunc, "%s: the closure is an argument or a field", e)
			assert.NotEqual(t, ProtocolNone, e.Protocol, "%s: a closure's answer must mean something", e)
		} else {
			assert.Equal(t, ProtocolNone, e.Protocol, "%s", e)
			assert.Equal(t, -1, e.Closure, "%s", e)
		}
	}
	assert.Equal(t, slices.Sorted(maps.Keys(paths)), slices.Sorted(maps.Keys(libraries)), "libraries.go must list the table's import paths")
	lines := strings.Split(strings.TrimSuffix(tableText, "\n"), "\n")[1:]
	assert.True(t, slices.IsSorted(lines), "the rows are kept sorted")
}

// The arguments that effects and columns refer to must exist in every
// signature.
func TestTableArguments(t *testing.T) {
	for _, e := range slices.Collect(maps.Values(table())) {
		// The first signature is the newest; an older one may have fewer
		// parameters, and then there is no argument either.
		for _, sig := range e.Signature[:min(1, len(e.Signature))] {
			canonical, err := canonicalSignature(sig)
			require.NoError(t, err)
			n := countParams(canonical)
			assert.Less(t, e.Closure, n, "%s: closure", e)
			assert.Less(t, e.Context, n, "%s: context", e)
			for _, x := range e.effects {
				switch x.field {
				case "opts", "mix", "pick":
					assert.Less(t, int(x.value.n), n, "%s: %s", e, x.field)
					assert.Contains(t, canonical, "...", "%s: %s needs a variadic parameter", e, x.field)
				default:
					assert.Less(t, x.value.arg, n, "%s: %s", e, x.field)
				}
			}
		}
	}
}

// countParams counts the parameters of a canonical signature.
func countParams(sig string) int {
	start := strings.Index(sig, "(")
	depth, n := 0, 0
	for i := start; i < len(sig); i++ {
		switch sig[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
			if depth == 0 {
				if i > start+1 {
					n++
				}
				return n
			}
		case ',':
			if depth == 1 {
				n++
			}
		}
	}
	return n
}

func TestParseTableErrors(t *testing.T) {
	for _, tt := range []struct{ name, row, want string }{
		{"columns", "a\tb\tc", "line 1: 3 columns, want 9"},
		{"kind", "p\t-\tF\tmagic\t0\t-1\terror\t-\t-", `line 1: unknown kind "magic"`},
		{"protocol", "p\t-\tF\tclosure\t0\t-1\tshout\t-\t-", `protocol "shout"`},
		{"closure", "p\t-\tF\tclosure\tx\t-1\terror\t-\t-", "line 1, closure"},
		{"context", "p\t-\tF\tclosure\t0\ty\terror\t-\t-", "line 1, context"},
		{"field", "p\t-\tF\tclosure\t0\t-1\terror\tcolour=red\t-", "not field=value of a known field"},
		{"value", "p\t-\tF\tclosure\t0\t-1\terror\tattempts=many\t-", `"many" is no value`},
		{"exception", "p\t-\tF\tclosure\t0\t-1\terror\tattempts=$0,x:3\t-", "exception"},
		{"argument", "p\t-\tF\tclosure\t0\t-1\terror\tattempts=$x\t-", "invalid syntax"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := parseTable(tt.row + "\n")
			require.ErrorContains(t, err, tt.want)
		})
	}
}

func FuzzParseTable(f *testing.F) {
	f.Add("p\t-\tF\tclosure\t0\t-1\terror\tattempts=$0+1,0:unbounded opts=1 base=10ms\tfunc(f func() error, o ...p.O) error\n")
	f.Add("# nothing\n")
	f.Fuzz(func(t *testing.T, text string) {
		entries, err := parseTable(text)
		if err != nil {
			return
		}
		for _, e := range entries {
			assert.NotZero(t, e.Kind)
		}
	})
}

func FuzzCanonicalSignature(f *testing.F) {
	f.Add("func[T any](ctx context.Context, op func() (T, error), opts ...backoff.RetryOption) (T, error)")
	f.Add("func(a, b interface{}) (err error)")
	f.Fuzz(func(t *testing.T, text string) {
		once, err := canonicalSignature(text)
		if err != nil {
			return
		}
		twice, err := canonicalSignature(once)
		require.NoError(t, err)
		assert.Equal(t, once, twice)
	})
}

func TestCanonicalSignature(t *testing.T) {
	for in, want := range map[string]string{
		"func(a, b int, f func(x interface{}) (err error)) (n int, err error)":    "func(int, int, func(any) error) (int, error)",
		"func[T any](op backoff.Operation[T], opts ...backoff.Option) (T, error)": "func[T any](backoff.Operation[T], ...backoff.Option) (T, error)",
		"func()": "func()",
	} {
		got, err := canonicalSignature(in)
		require.NoError(t, err)
		assert.Equal(t, want, got)
	}
}

// A function of the right path and name and another signature is not the
// library's: another major version, a fork, a stub.
func TestLookupNeedsTheSignature(t *testing.T) {
	pkg := types.NewPackage("github.com/matryer/try", "try")
	fn := func(params ...types.Type) *types.Func {
		var vars []*types.Var
		for _, p := range params {
			vars = append(vars, types.NewParam(0, pkg, "x", p))
		}
		errResult := types.NewTuple(types.NewParam(0, pkg, "", types.Universe.Lookup("error").Type()))
		return types.NewFunc(0, pkg, "Do", types.NewSignatureType(nil, nil, nil, types.NewTuple(vars...), errResult, false))
	}
	named := types.NewNamed(types.NewTypeName(0, pkg, "Func", nil), types.NewSignatureType(nil, nil, nil, nil, nil, false), nil)
	assert.NotNil(t, Lookup(fn(named)))
	assert.Nil(t, Lookup(fn(types.Typ[types.Int])))
	assert.Nil(t, Lookup(fn(named, named)))
	assert.Nil(t, Lookup(nil))

	// A marker goes by its name: what it returns differs from release to release.
	backoff := types.NewPackage("github.com/cenkalti/backoff/v5", "backoff")
	mark := types.NewFunc(0, backoff, "Permanent", types.NewSignatureType(nil, nil, nil, nil, nil, false))
	assert.NotNil(t, Lookup(mark))
	other := types.NewFunc(0, types.NewPackage("example.com/try", "try"), "Do", fn(named).Signature())
	assert.Nil(t, Lookup(other))
}
