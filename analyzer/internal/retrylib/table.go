package retrylib

import (
	_ "embed"
	"fmt"
	"go/types"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// An Entry is one row of the table.
type Entry struct {
	Path      string // import path
	Recv      string // type name of the receiver, or of the struct for a field or literal; "" for none
	Name      string // function, method, option, field or variable
	Kind      Kind
	Closure   int // index of the argument that is run, -1 if none or in a field
	Context   int // index of the context.Context argument, -1 if none
	Protocol  Protocol
	Signature []string // the signatures it may have; empty where that can't be checked

	effects []effect
}

// String is the entry as messages and tests write it.
func (e *Entry) String() string {
	if e.Recv != "" {
		return e.Path + "." + e.Recv + "." + e.Name
	}
	return e.Path + "." + e.Name
}

// Kind says what a row is.
type Kind uint8

const (
	KindClosure   Kind = iota + 1 // runs the caller's closure until it succeeds
	KindIterator                  // makes or drives a value that a loop of the caller's asks for delays or permission
	KindPause                     // a call of such a value that waits
	KindPermanent                 // marks an error as not to be retried
	KindRetryable                 // marks an error as to be retried
	KindHint                      // says something about a failure (the next delay) without marking it
	KindClient                    // a client, or a call of one, that retries by itself
	KindPolicy                    // makes or changes a policy: constructor, decorator, builder method, setter
	KindOption                    // an option value
	KindField                     // a field of a struct of settings
	KindLiteral                   // a struct of settings, with what its zero value means
	KindVar                       // a ready-made policy
	KindPredicate                 // answers whether a failure is of some class
)

var kinds = []string{"", "closure", "iterator", "pause", "permanent", "retryable", "hint", "client", "policy", "option", "field", "literal", "var", "predicate"}

func (k Kind) String() string { return kinds[k] }

// Protocol says what a closure's answer means to the library that runs it.
type Protocol uint8

const (
	ProtocolNone     Protocol = iota
	ProtocolError             // any error runs it again, unless marked or classified
	ProtocolMarked            // only an error marked retryable runs it again
	ProtocolCond              // false without an error runs it again, an error ends
	ProtocolBool              // a bool beside the error says whether to run again
	ProtocolClosed            // the library alone decides, by a closed list of failures (conflicts, transient codes)
	ProtocolPeriodic          // it is run again whatever happened: not a retry
	ProtocolTest              // a test's helper: not a retry
)

var protocols = []string{"-", "error", "marked", "cond", "bool", "closed", "periodic", "test"}

func (p Protocol) String() string { return protocols[p] }

//go:embed table.tsv
var tableText string

// table is parsed when the first package that imports a library is seen: most
// packages import none.
var table = sync.OnceValue(func() map[string]*Entry {
	entries, err := parseTable(tableText)
	if err != nil {
		panic(err) // the table is part of the program and its test parses it
	}
	byKey := make(map[string]*Entry, len(entries))
	for _, e := range entries {
		byKey[e.key()] = e
	}
	return byKey
})

func (e *Entry) key() string { return e.Path + "\t" + e.Recv + "\t" + e.Name }

// parseTable reads the table. Errors name the line and the column.
func parseTable(text string) ([]*Entry, error) {
	var entries []*Entry
	for i, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		cols := strings.Split(line, "\t")
		if len(cols) != 9 {
			return nil, fmt.Errorf("line %d: %d columns, want 9", i+1, len(cols))
		}
		e := &Entry{Path: cols[0], Recv: strings.TrimPrefix(cols[1], "*"), Name: cols[2]}
		if e.Recv == "-" {
			e.Recv = ""
		}
		k, p := slices.Index(kinds, cols[3]), slices.Index(protocols, cols[6])
		if k < 1 || p < 0 {
			return nil, fmt.Errorf("line %d: unknown kind %q or protocol %q", i+1, cols[3], cols[6])
		}
		e.Kind, e.Protocol = Kind(k), Protocol(p)
		var err error
		if e.Closure, err = strconv.Atoi(cols[4]); err != nil {
			return nil, fmt.Errorf("line %d, closure: %w", i+1, err)
		}
		if e.Context, err = strconv.Atoi(cols[5]); err != nil {
			return nil, fmt.Errorf("line %d, context: %w", i+1, err)
		}
		if e.effects, err = parseEffects(cols[7]); err != nil {
			return nil, fmt.Errorf("line %d, effects: %w", i+1, err)
		}
		if cols[8] != "-" {
			e.Signature = strings.Split(cols[8], " || ")
		}
		entries = append(entries, e)
	}
	return entries, nil
}

// Imports says whether a package imports a retry library directly. Only such a
// package can hold calls that Lookup knows.
func Imports(pkg *types.Package) bool {
	return slices.ContainsFunc(pkg.Imports(), func(p *types.Package) bool { return libraries[p.Path()] })
}

// Lookup finds what is known of a function or method. It answers nil for one
// that is not in the table or, unless it marks or judges errors, does not have
// a signature given there.
func Lookup(fn *types.Func) *Entry {
	if fn == nil || fn.Pkg() == nil || !libraries[fn.Pkg().Path()] {
		return nil
	}
	fn = fn.Origin()
	recv := ""
	if r := fn.Signature().Recv(); r != nil {
		recv = typeName(r.Type())
	}
	e := table()[fn.Pkg().Path()+"\t"+recv+"\t"+fn.Name()]
	if e == nil || !e.matches(fn) {
		return nil
	}
	return e
}

// lookup finds a field, literal or variable.
func lookup(kind Kind, path, recv, name string) *Entry {
	if !libraries[path] {
		return nil
	}
	if e := table()[path+"\t"+recv+"\t"+name]; e != nil && e.Kind == kind {
		return e
	}
	return nil
}

// matches says whether fn has one of the entry's signatures. Where the table
// has none, the closure and the context must at least be where it says. What
// marks or judges an error goes by its name: releases differ in what such a
// function returns, and missing a mark would be a false alarm.
func (e *Entry) matches(fn *types.Func) bool {
	switch e.Kind {
	case KindPermanent, KindRetryable, KindHint, KindPredicate:
		return true
	}
	if len(e.Signature) > 0 {
		return slices.ContainsFunc(e.Signature, func(s string) bool {
			want, err := canonicalSignature(s)
			return err == nil && want == signatureOf(fn)
		})
	}
	if e.Kind == KindField || e.Kind == KindLiteral || e.Kind == KindVar {
		return false
	}
	params := fn.Signature().Params()
	if e.Closure >= params.Len() || e.Context >= params.Len() {
		return false
	}
	if e.Closure >= 0 {
		if _, ok := params.At(e.Closure).Type().Underlying().(*types.Signature); !ok {
			return false
		}
	}
	return e.Context < 0 || typeName(params.At(e.Context).Type()) == "Context"
}

// typeName is the name of a possibly pointed-to named type, "" for others.
func typeName(t types.Type) string {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	if n, ok := t.(*types.Named); ok {
		return n.Obj().Name()
	}
	return ""
}
