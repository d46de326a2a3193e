package retrylib

import (
	"go/ast"
	"time"
)

// A Policy is what is known of how a library will retry. Its zero value knows
// nothing.
type Policy struct {
	Attempts Count // the first attempt included
	Deadline Span  // limit on the whole, waits included
	Delay    Delay
	Base     Span // the first or only delay
	Cap      Span // limit on one delay
	Jitter   Truth
	Classify Truth // a predicate or an allowlist decides which failures are retried
	Context  Context
	Wait     Wait
}

// Truth is a fact of three values.
type Truth uint8

const (
	Unknown Truth = iota
	No
	Yes
)

func (t Truth) String() string { return [...]string{"unknown", "no", "yes"}[t] }

// State says how much is known of a limit.
type State uint8

const (
	StateUnknown State = iota // nothing
	StateNone                 // positively no limit
	StateConst                // a constant
	StateGiven                // a limit whose value is not known here
)

func (s State) String() string { return [...]string{"unknown", "none", "const", "given"}[s] }

// A Count is a limit on the number of attempts.
type Count struct {
	State State
	N     int64    // for StateConst
	Expr  ast.Expr // where the number is written, nil for a default
}

// A Span is a length of time or a limit on one.
type Span struct {
	State State
	D     time.Duration // for StateConst
	Expr  ast.Expr      // where it is written, nil for a default
}

// Delay says how the pauses develop.
type Delay uint8

const (
	DelayUnknown  Delay = iota
	DelayNone           // there is no pause
	DelayConstant       // each as long as the one before
	DelayGrowing        // longer each time
)

func (d Delay) String() string { return [...]string{"unknown", "none", "constant", "growing"}[d] }

// A Context is the context that a library was given.
type Context struct {
	Given Truth
	Expr  ast.Expr // for Yes
}

// Wait says what can end a pause early.
type Wait uint8

const (
	WaitUnknown Wait = iota
	WaitBlind        // nothing
	WaitContext      // the context, if one was given
	WaitStop         // a stop channel
)

func (w Wait) String() string { return [...]string{"unknown", "blind", "context", "stop"}[w] }

// Interruptible says whether something ends a pause early.
func (p Policy) Interruptible() Truth {
	switch p.Wait {
	case WaitBlind:
		return No
	case WaitStop:
		return Yes
	case WaitContext:
		return p.Context.Given
	}
	return Unknown
}

// merge is what holds when either a or b does.
func merge(a, b Policy) Policy {
	if a.Attempts != b.Attempts {
		a.Attempts = Count{}
	}
	if a.Deadline != b.Deadline {
		a.Deadline = Span{}
	}
	if a.Delay != b.Delay {
		a.Delay = DelayUnknown
	}
	if a.Base != b.Base {
		a.Base = Span{}
	}
	if a.Cap != b.Cap {
		a.Cap = Span{}
	}
	if a.Jitter != b.Jitter {
		a.Jitter = Unknown
	}
	if a.Classify != b.Classify {
		a.Classify = Unknown
	}
	if a.Context != b.Context {
		a.Context = Context{}
	}
	if a.Wait != b.Wait {
		a.Wait = WaitUnknown
	}
	return a
}
