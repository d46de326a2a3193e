package retrysite

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"time"
)

// A Site is one place where an operation is run again because it failed.
//
// Positions are token.NoPos, nodes and objects nil, and kinds their zero
// value, whenever a thing is absent or could not be established. Zero values
// always mean "not known": a check speaks only on what is set.
type Site struct {
	Kind  Kind
	Shape Shape

	// Node is the statement or call that repeats: *ast.ForStmt,
	// *ast.RangeStmt, *ast.LabeledStmt (target of a goto) for KindLoop,
	// *ast.FuncDecl for KindRecursion, and *ast.CallExpr for KindLibrary and
	// KindWrapper.
	Node ast.Node

	// Func is the innermost function that contains Node.
	Func *Func

	// Body is what runs once per attempt: the body of the loop, of the closure
	// or of the function that calls itself. It is nil for a goto loop and where
	// the closure is declared in another package.
	Body *ast.BlockStmt

	// Attempt is the function that a library or wrapper runs once per
	// attempt, when its source is in this package; nil for loops.
	Attempt *Func

	// BackEdge is where control turns back to the operation after a failure:
	// the continue, the goto, the recursive call, the closing brace of the
	// loop, or for a library the call.
	BackEdge token.Pos

	// Ops are the calls whose failure drives the back edge, most important
	// first. A site always has at least one.
	Ops []*Operation

	Attempts Attempts
	Time     TimeBound

	// Waits are the pauses between two attempts, in source order. Empty means
	// that no pause was seen; see WaitUnknown before concluding that there is
	// none.
	Waits []*Wait

	// WaitUnknown says that something on the way back may pause but could not
	// be followed (an interface method, a func value, a function of another
	// package without a fact).
	WaitUnknown bool

	Context Context

	// Inspections are all the ways in which the failure is looked at between
	// the operation and the back edge, in the closure, or by the library.
	// Comparing an error with nil is not an inspection.
	Inspections []Inspection

	// InspectionUnknown says that the error reaches a call that could not be
	// followed and that may decide whether to go on.
	InspectionUnknown bool

	// CancelChecks are the places on the way back where the end of the
	// context is looked at: ctx.Err(), a receive from ctx.Done(), a comparison
	// with context.Canceled or DeadlineExceeded, a wait that selects on it.
	CancelChecks []token.Pos

	Exhaustion Exhaustion

	// Losses are the returns by which the site gives up without its last
	// error.
	Losses []Loss

	// Blind says that there is a way back to the operation on which nothing
	// looks at what failed.
	Blind bool

	// Wide says that there is a way back to the operation for failures that
	// nothing on it looks for: what is named leads elsewhere, all else comes
	// back. A way that is blind is wide as well.
	Wide bool

	// Requeued says that a worker puts what it failed on back on the channel
	// that it works off.
	Requeued bool

	// OtherExit says that something other than the failure itself can end the
	// repetition: a counter, a clock, a flag, a channel, a policy.
	OtherExit bool
	// policyExit says that something which is neither a context nor a clock is
	// asked whether to go on.
	policyExit bool
	// Untold says that the loop goes on for as long as its owner lives and that
	// nobody is told what fails: the error is shown at most.
	Untold bool
	// Elsewhere says that each attempt takes another target from a list or a
	// pool, as far as there are others.
	Elsewhere bool

	// Mended says that every way back from a failure comes by a call of another
	// operation that leaves the process, which may take away what was in the way.
	Mended bool

	// Endless says that no way leaves the repetition once the operation has
	// failed, until it succeeds.
	Endless bool

	// Undone is where the loop takes its own counter back after a failure, so
	// that the bound does not hold; NoPos if it doesn't.
	Undone token.Pos

	// Ended says what happens when the context has ended.
	Ended EndedContext

	// Zero says what follows when the bound on attempts is zero.
	Zero ZeroRound

	// Spent is what the first attempt uses up and the others are given again.
	Spent []Spent

	// Leak is the response that stays open on a way back to the operation, nil if
	// none does. Leaks is what gave it: one of Ops, or a request made inside of one.
	Leak  *types.Var
	Leaks *Operation

	// Nested is the site inside what is retried, nil if none is known.
	Nested *Nesting

	// LastTry says that the operation is called once more after the loop.
	LastTry bool

	counters map[*types.Var]bool // memo of counterSet
	res      *Result             // that it belongs to
	walks    []*walk             // from the operation, those that come back
	once     ast.Expr            // the condition with the flag by which there is one more attempt at most

	// Repeats says that a failure comes back to the operation. It may be false
	// of what is no retry: a worker may leave when something failed.
	Repeats bool

	// Defers are the defer statements that run once per attempt but take
	// effect only when the enclosing function returns. Empty for libraries,
	// whose closure returns after each attempt.
	Defers []*ast.DeferStmt

	// Library says what is known about the library when Kind is KindLibrary;
	// Wrapper the user's own retrier when Kind is KindWrapper.
	Library *Library
	Wrapper *types.Func
	// Plain says of a wrapper that it repeats what it is given whatever error
	// comes of it.
	Plain bool
}

// Pos is where diagnostics about the site as a whole point: where it begins, or
// for a recursion, whose function may do a lot before, the operation.
func (s *Site) Pos() token.Pos {
	if s.Kind == KindRecursion {
		return s.Op().Pos()
	}
	return s.Node.Pos()
}

// End is the end of the site's source.
func (s *Site) End() token.Pos { return s.Node.End() }

// Op is the operation that the site is about.
func (s *Site) Op() *Operation { return s.Ops[0] }

// Contains says whether pos lies in what is run once per attempt.
func (s *Site) Contains(pos token.Pos) bool {
	if s.Body != nil {
		return s.Body.Pos() <= pos && pos < s.Body.End()
	}
	return s.Node.Pos() <= pos && pos < s.Node.End()
}

// Classified says whether anything looks, or may look, at what failed in order
// to tell failures apart. Asking only whether the context has ended does not,
// unless nothing else comes back.
func (s *Site) Classified() bool {
	if s.InspectionUnknown {
		return true
	}
	for _, in := range s.Inspections {
		if in.Idle {
			continue
		}
		if o := in.Sentinel; o == nil || o.Pkg() == nil || o.Pkg().Path() != "context" || in.Only {
			return true
		}
	}
	return false
}

// Source is a function of the site's package with its source, nil for any other.
func (s *Site) Source(fn *types.Func) *Func {
	if s.res == nil {
		return nil
	}
	return s.res.FuncOf(fn)
}

// Inspected says whether anything looks, or may look, at what failed before
// the operation is run again.
func (s *Site) Inspected() bool { return len(s.Inspections) > 0 || s.InspectionUnknown }

// Interruptible says whether every wait of the site that was seen ends with a
// context or a stop channel. It is false when there is no wait.
func (s *Site) Interruptible() bool {
	for _, w := range s.Waits {
		if !w.Interruptible {
			return false
		}
	}
	return len(s.Waits) > 0
}

// A Kind is the way in which an operation comes to be repeated.
type Kind uint8

const (
	KindLoop      Kind = iota + 1 // for, range, goto
	KindLibrary                   // a call of a known retry library that runs the caller's function
	KindWrapper                   // a call of a function, of any package, known by a fact or directive to retry its parameter
	KindRecursion                 // a function that calls itself after a failure
)

func (k Kind) String() string {
	return [...]string{"unknown", "loop", "library", "wrapper", "recursion"}[k]
}

// A Shape says what repeating is for. Only ShapeRetry is a retry; the others
// share the loop and the wait with it and are kept apart in Result.Others.
type Shape uint8

const (
	ShapeRetry  Shape = iota + 1 // success leaves, failure repeats, the target stays the same
	ShapeDaemon                  // repeats after failure for as long as its owner lives: leaves only by stop, context or success that nobody waits for
	ShapePoll                    // repeats until the operation's result meets a condition that is not a failure
	ShapeWorker                  // success repeats as well: receive, accept and work loops
)

func (s Shape) String() string {
	return [...]string{"unknown", "retry", "daemon", "poll", "worker"}[s]
}

// A Func is a function with source in the package: a declaration or a literal.
type Func struct {
	Decl *ast.FuncDecl // nil for a literal
	Lit  *ast.FuncLit  // nil for a declaration
	Obj  *types.Func   // nil for a literal
	// Outer is the function that contains the literal, nil for a declaration
	// and for a literal in a package-level variable.
	Outer *Func

	// What stands in it, without what stands in its literals, in source order.
	calls    []*ast.CallExpr
	literals []*Func
	stores   []*ast.AssignStmt // those of storesDelay
	loop     token.Pos         // of the first loop or label, if there is one
}

// Body is the function's body; nil when it has none (assembly, cgo).
func (f *Func) Body() *ast.BlockStmt {
	if f.Decl != nil {
		return f.Decl.Body
	}
	return f.Lit.Body
}

// Type is the function's syntactic type.
func (f *Func) Type() *ast.FuncType {
	if f.Decl != nil {
		return f.Decl.Type
	}
	return f.Lit.Type
}

// Recv is the receiver's field list; nil for functions and literals.
func (f *Func) Recv() *ast.FieldList {
	if f.Decl != nil {
		return f.Decl.Recv
	}
	return nil
}

// Declaration is the outermost declaration around f: f itself, or the
// declaration in which the literal stands; nil for a package-level variable.
func (f *Func) Declaration() *ast.FuncDecl {
	for ; f != nil; f = f.Outer {
		if f.Decl != nil {
			return f.Decl
		}
	}
	return nil
}

// Name is the declared name, or "func literal".
func (f *Func) Name() string {
	if f.Decl != nil {
		return f.Decl.Name.Name
	}
	return "func literal"
}

// Reach says how far an operation goes.
type Reach uint8

const (
	ReachUnknown Reach = iota
	ReachLocal         // memory, files, locks, processes, cryptography
	ReachRemote        // net, http, grpc, sql or anything built on them
	ReachParam         // a func parameter or a func field: whatever the caller hands in
)

func (r Reach) String() string { return [...]string{"unknown", "local", "remote", "param"}[r] }

// An Operation is one call that is made again after it failed.
type Operation struct {
	Call *ast.CallExpr

	// Name is how messages call it: "client.Charge", "http.Get", "fn".
	Name string

	// Callee is the called function or interface method; nil for a func value.
	Callee *types.Func

	// Param is the func parameter that is called, with its index among the
	// parameters of the function declaration; nil and -1 otherwise.
	Param      *types.Var
	ParamIndex int

	// Err is the variable that receives the error; nil where it is returned or
	// compared directly, or where failure is a bool or a status.
	Err *types.Var
	// Failure is the variable by which failure is known when that is not an
	// error: a bool, a status.
	Failure *types.Var
	// Results are the variables that take the results, nil entries for blanks.
	Results []*types.Var

	Reach Reach

	// ContextArg is the context handed to the call, nil if it takes none.
	ContextArg ast.Expr

	// Unlimited says that one call is known to be able to block for ever unless
	// a context ends it: http.Get, net.Dial, an http.Client without a Timeout.
	Unlimited bool

	// OneWay says that the operation can fail in one way only: a bool, or a
	// documented sentinel; there is nothing to inspect.
	OneWay bool
}

// Pos is the position of the call.
func (o *Operation) Pos() token.Pos { return o.Call.Pos() }

// BoundKind says whether, and by what, something is limited.
type BoundKind uint8

const (
	BoundUnknown BoundKind = iota // could not be established
	BoundNone                     // positively none
	BoundConst                    // a constant
	BoundVar                      // a variable, field or call: limited, by a number that is not known here
	BoundOther                    // limited by something else: an iterator, a policy, a helper's answer
)

func (b BoundKind) String() string {
	return [...]string{"unknown", "none", "const", "var", "other"}[b]
}

// Attempts is the bound on the number of attempts.
type Attempts struct {
	Kind BoundKind
	// Max is the number of attempts (the first one included) for BoundConst,
	// else 0.
	Max int64
	// Expr is the limiting expression: the right side of i < n, the argument
	// of an option; nil if there is none.
	Expr ast.Expr
	// Counter is the variable that counts.
	Counter *types.Var
	// Pos is where the bound stands.
	Pos token.Pos
	// MayBeZero says that the bound stands before the first attempt and comes
	// from outside, so that the operation may not run at all.
	MayBeZero bool
}

// Bounded says whether the number of attempts is limited.
func (a Attempts) Bounded() bool { return a.Kind >= BoundConst }

// TimeBound is what limits the time that a site takes in all.
type TimeBound struct {
	Kind BoundKind
	How  TimeHow
	// Max is the limit for BoundConst, else 0.
	Max time.Duration
	Pos token.Pos
	// PerAttempt says that each attempt has a limit of its own: a WithTimeout
	// in the attempt, a client with a Timeout, a dial timeout.
	PerAttempt    bool
	PerAttemptPos token.Pos
}

// TimeHow is the means by which time is limited.
type TimeHow uint8

const (
	TimeNone     TimeHow = iota
	TimeContext          // context.WithTimeout or WithDeadline on the way
	TimeElapsed          // time.Since, Now().After, a timer channel in a select
	TimeLibrary          // an option or default of the library
	TimeCaller           // the caller's context, whatever it says
	TimeUnfollow         // something that could not be followed may limit it
)

// Limited says whether anything limits the time, or may.
func (t TimeBound) Limited() bool { return t.How != TimeNone }

// A Wait is one pause between two attempts.
type Wait struct {
	How WaitHow

	// Node is the call, the receive or the select statement in the site's own
	// source.
	Node ast.Node

	// Duration is the expression that says how long; nil if not known.
	Duration ast.Expr
	// Const is its value where it is constant.
	Const    time.Duration
	HasConst bool

	// Helper is the function through which the pause is made, nil when it is
	// made in place. HelperPos is the sleeping statement in it, when its
	// source is in this package.
	Helper    *types.Func
	HelperPos token.Pos
	made      *pause // what is made in the helper

	Grows     Truth // longer from one attempt to the next
	Capped    Truth // a limit on the growth
	Jittered  Truth // randomness reaches the duration
	Overflows Truth // the computation can wrap or go negative
	// Growth says where and by what the duration grows.
	Growth Growth
	// Longest is the longest that a growing wait can become within a constant
	// bound on attempts, 0 where that is not known.
	Longest time.Duration
	// Statement is the statement that consists of the wait, nil if the wait is a
	// part of another one.
	Statement ast.Stmt

	// Interruptible says that the end of a context, or a stop channel, ends
	// the pause.
	Interruptible bool

	// Position says where the wait stands relative to the operation.
	Position WaitPosition

	// AfterLast says that the pause is also made after the attempt that is the
	// last one.
	AfterLast Truth
}

// Asked is the expression that says how long, with the function that it stands
// in: outer, which has the wait, or the one that pauses for it. nil if it is not
// known.
func (w *Wait) Asked(outer *Func) (fn *Func, d ast.Expr) {
	if w.Duration != nil || w.made == nil {
		return outer, w.Duration
	}
	p := w.made
	for p.inner != nil {
		p = p.inner
	}
	return p.fn, p.duration
}

// Pos is where the wait stands in the site's own source.
func (w *Wait) Pos() token.Pos { return w.Node.Pos() }

// WaitHow is the means of a pause.
type WaitHow uint8

const (
	WaitSleep   WaitHow = iota + 1 // time.Sleep
	WaitAfter                      // a receive from time.After
	WaitTimer                      // a receive from a timer's or ticker's channel
	WaitSelect                     // a select with a timer and nothing that ends it early, or with
	WaitHelper                     // a function that pauses
	WaitLibrary                    // the library's own
	WaitCond                       // a limiter, condition variable or token channel
)

func (w WaitHow) String() string {
	return [...]string{"unknown", "time.Sleep", "time.After", "timer", "select", "helper", "library", "cond"}[w]
}

// WaitPosition is where a wait stands in one round of a loop.
type WaitPosition uint8

const (
	WaitAfterOp  WaitPosition = iota + 1 // between the operation and the back edge
	WaitBeforeOp                         // between the loop's head and the operation
	WaitInPost                           // in the post statement or the condition
)

// Truth is a fact of three values. Its zero value is "not known".
type Truth uint8

const (
	Unknown Truth = iota
	No
	Yes
)

func (t Truth) String() string { return [...]string{"unknown", "no", "yes"}[t] }

// Context is the context that a site lives under.
type Context struct {
	Origin ContextOrigin
	// Expr is the context as the operation or the wait gets it; nil when no
	// context is used.
	Expr ast.Expr
	// Object is the variable, parameter or field that holds it.
	Object types.Object
	// Bounded says that a deadline or timeout was put on it on its way here.
	Bounded bool
	// Detached says that it is cut off from the end of what it was made of.
	Detached bool
	// Pos is where the origin stands: the call of Background, the parameter.
	Pos token.Pos

	// Reachable is a context that could be used where the site stands, as
	// source text ("ctx", "c.ctx", "r.Context()"), "" if there is none.
	// ReachableOrigin says where it comes from.
	Reachable       string
	ReachableOrigin ContextOrigin
}

// ContextOrigin is where a context comes from.
type ContextOrigin uint8

const (
	ContextUnknown    ContextOrigin = iota
	ContextAbsent                   // none is used
	ContextParam                    // a parameter of the function or of one around it
	ContextField                    // a field
	ContextRequest                  // the Context method of a request, command or stream
	ContextBackground               // context.Background()
	ContextTODO                     // context.TODO()
	ContextGlobal                   // a package-level variable
	ContextLibrary                  // handed to the closure by the library
)

func (c ContextOrigin) String() string {
	return [...]string{"unknown", "absent", "param", "field", "request", "background", "todo", "global", "library"}[c]
}

// An Inspection is one look at what failed.
type Inspection struct {
	How InspectHow
	Pos token.Pos
	// Expr is the condition or call that looks.
	Expr ast.Expr
	// Callee is the function that is asked, when one is.
	Callee *types.Func
	// Sentinel is what the error is compared with.
	Sentinel types.Object
	// Values are constants that a status or code is compared with.
	Values []constant.Value
	// Stops says that the look can lead out of the site. One that cannot only
	// logs or counts.
	Stops bool
	// Last says that no other look which can lead out of the site follows before
	// the operation is run again.
	Last bool
	// Only says that no failure comes back but the one that is looked for.
	Only bool
	// Idle says that whichever way the look is answered, the failure is at most
	// logged, counted or wrapped.
	Idle bool
}

// InspectHow is the means of a look at an error.
type InspectHow uint8

const (
	InspectIs        InspectHow = iota + 1 // errors.Is
	InspectAs                              // errors.As, errors.AsType
	InspectType                            // type assertion or switch
	InspectSentinel                        // == or != a value other than nil, switch on the error
	InspectStatus                          // an HTTP status or a gRPC, SQL or other code
	InspectPredicate                       // a function or method that answers yes or no
	InspectPermanent                       // a permanent marker, in the closure
	InspectRetryable                       // a retryable marker of an allowlist library, in the closure
	InspectText                            // the error's text
	InspectLibrary                         // a classifier given to the library or its default
	InspectResult                          // another result of the call (a retry bool)
)

func (i InspectHow) String() string {
	return [...]string{"unknown", "errors.Is", "errors.As", "type", "sentinel", "status", "predicate", "permanent",
		"retryable", "text", "library", "result"}[i]
}

// Exhaustion is what happens when the bound is reached.
type Exhaustion struct {
	// Returns are the statements by which the function ends without success
	// once the site gave up: the returns after the loop and those in it that
	// follow the bound.
	Returns []*ast.ReturnStmt
	// LastErr is the variable that still holds the last error there.
	LastErr *types.Var
	// Fallthrough says that the loop just ends, and the function goes on as if
	// nothing had happened.
	Fallthrough bool
}

// Library is what is known about a retry library at one of its calls.
type Library struct {
	Path    string // import path
	Func    string // as it is written: "backoff.Retry"
	Callee  *types.Func
	Closure ast.Expr // the argument that is run
	Index   int      // its index
	// Repeats is what the library takes for "once more".
	Repeats Repeats
	// GiveContext is how the wait can be made to end with a context, as a
	// message says it: "wrap the backoff in backoff.WithContext"; "" if the
	// library has no way.
	GiveContext string
}

// Repeats is what a library takes for "once more" of what it runs.
type Repeats uint8

const (
	RepeatsOther Repeats = iota // a mark on the error, a flag beside it, or not known
	RepeatsError                // any error that is not marked as permanent
	RepeatsFalse                // a false without an error, which ends it
)

func (r Repeats) String() string { return [...]string{"other", "error", "false"}[r] }
