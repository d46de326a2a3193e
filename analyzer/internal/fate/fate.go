// Package fate runs the body of a retry site in the mind, with the operation
// ending in a given way, and says whether that leads back to it. Checks use it
// to ask which HTTP statuses and errors are retried.
package fate

import (
	"go/types"

	"github.com/retrykit/retrykit/analyzer/internal/retrysite"
)

// Fate is what becomes of a request after an attempt with a certain outcome.
type Fate uint8

// The fates.
const (
	Unknown Fate = iota // something that could not be followed decides
	Back                // at least one way leads back to the operation
	Leaves              // every way leaves the site
)

func (f Fate) String() string { return [...]string{"unknown", "back", "leaves"}[f] }

// OfStatus runs the body of a site in the mind, with one of its operations
// answering a response of this HTTP status and no error, and says where that
// leads. Conditions that have nothing to do with the response, such as a bound
// on attempts, are taken both ways; one that does and can't be evaluated makes
// the fate unknown, unless both of its ways come to the same.
//
// An operation may give the response in a struct of its own, and make an error of
// a status that carries it. Which of them it does is told by the site, which
// tells statuses apart by it; the fate is unknown where it does not. Or it may
// judge the response itself.
func OfStatus(info *types.Info, s *retrysite.Site, op *retrysite.Operation, status int) Fate {
	held, known := heldBy(op), false
	if held != byResponse {
		if fate := ofInside(info, s, op, status); fate != Unknown {
			return fate
		}
	}
	for _, how := range [...]answered{{held: held}, {held: held, failed: true}} {
		if how.apart(info, s, op) {
			return how.fate(info, s, op, status)
		}
		known = known || held == byResponse
	}
	if known {
		return answered{held: held}.fate(info, s, op, status)
	}
	return Unknown
}

// answered is how an operation tells the status of what was answered.
type answered struct {
	held   holder
	failed bool // with an error as well, which may carry it
}

type holder uint8

const (
	byNothing  holder = iota
	byResponse        // the response is there
	byStruct          // a struct that holds it, or its status
)

func heldBy(op *retrysite.Operation) (held holder) {
	for _, v := range op.Results {
		switch {
		case v == nil:
		case isResponse(v.Type()):
			return byResponse
		case holdsStatus(v.Type()):
			held = byStruct
		}
	}
	return held
}

func (how answered) fate(info *types.Info, s *retrysite.Site, op *retrysite.Operation, status int) Fate {
	n := int64(status)
	answer, err := value{kind: valueNil}, value{kind: valueNil}
	switch how.held {
	case byResponse:
		answer = value{kind: valueResponse, number: n}
	case byStruct:
		answer = value{kind: valueHolder, number: n}
	}
	if how.failed && status >= 300 {
		err = value{kind: valueError, number: n}
	}
	return fateOf(info, s, op, answer, err)
}

// apart reports whether a site comes back after some status and leaves after
// another one.
func (how answered) apart(info *types.Info, s *retrysite.Site, op *retrysite.Operation) bool {
	if how.held == byNothing && !how.failed {
		return false
	}
	back, leaves := false, false
	for _, status := range [...]int{200, 400, 401, 403, 404, 409, 422, 429, 500, 502, 503} {
		if how.failed && status == 200 {
			continue
		}
		switch how.fate(info, s, op, status) {
		case Back:
			back = true
		case Leaves:
			leaves = true
		}
	}
	return back && leaves
}

// ByResponse reports whether an operation gives the response itself.
func ByResponse(op *retrysite.Operation) bool { return heldBy(op) == byResponse }

// OfError is OfStatus for an attempt that fails with an error of which
// nothing is known, and without a response.
func OfError(info *types.Info, s *retrysite.Site) Fate {
	return fateOf(info, s, s.Op(), value{kind: valueNil}, value{kind: valueError})
}

func fateOf(info *types.Info, s *retrysite.Site, op *retrysite.Operation, response, err value) Fate {
	if !followed(s) {
		return Unknown
	}
	results, answered := make(map[*types.Var]value), false
	for _, v := range op.Results {
		switch {
		case v == nil:
		case isResponse(v.Type()), response.kind == valueHolder && holdsStatus(v.Type()):
			results[v], answered = response, true
		case isErrorType(v.Type()):
			results[v] = err
			answered = answered || err.number != 0
		}
	}
	if !answered {
		return Unknown
	}
	return judged(s, waysAfter(info, s, op, results, value{}))
}

// followed reports whether what a site does after an attempt can be run: it has a
// body, and it is known what repeats it.
func followed(s *retrysite.Site) bool {
	return s.Body != nil && (s.Kind == retrysite.KindLoop || s.Kind == retrysite.KindLibrary || s.Plain)
}

// waysAfter are the ways through a round of a site after an operation has given
// certain results; direct is the one that is not assigned.
func waysAfter(info *types.Info, s *retrysite.Site, op *retrysite.Operation, results map[*types.Var]value, direct value) []way {
	m := &mind{info: info, site: s, call: op.Call, results: results, direct: direct}
	if s.Func != nil && s.Func.Body() != nil {
		m.label = labelOf(info, s)
	}
	before, from := m.beforeCall(s.Body.List)
	switch {
	case s.Kind != retrysite.KindLoop:
		return m.block(s.Body.List, make(state))
	case before == nil:
		return m.loopEnd(m.block(s.Body.List, make(state)))
	}
	return m.nextRound(before, m.loopEnd(m.block(from, make(state))))
}

// judged is what ways come to.
func judged(s *retrysite.Site, ways []way) Fate {
	back, doubtfulBack, doubtfulLeaves := false, false, false
	for _, w := range ways {
		switch w.end {
		case endUnknown:
			return Unknown
		case endBreak: // of the loop itself: those of a switch or select are caught there
			if s.Kind != retrysite.KindLoop {
				return Unknown
			}
			doubtfulLeaves = doubtfulLeaves || w.doubt
		case endBack:
			back, doubtfulBack = true, doubtfulBack || w.doubt
		default:
			doubtfulLeaves = doubtfulLeaves || w.doubt
		}
	}
	if doubtfulBack && doubtfulLeaves {
		return Unknown // which of them is what could not be followed
	}
	if back {
		return Back
	}
	return Leaves
}

func isResponse(t types.Type) bool { return t.String() == "*net/http.Response" }

func isErrorType(t types.Type) bool { return types.Identical(t, types.Universe.Lookup("error").Type()) }
