// Package analyzer is the suite of retrylint's checks: faults in the way a Go
// program runs an operation again after it failed.
//
// Each check is a package beneath this one with an Analyzer variable, so that
// any driver can take it alone: go vet, golangci-lint, Bazel's nogo, gopls, or
// a driver of one's own. The checks share one model of a retry: a check never
// searches for loops by itself, and a place that the model can't establish as
// a retry is left alone by all of them.
//
// A finding is silenced by a comment with a reason: //nolint:retrylint,
// //nolint:<check>, //lint:ignore <check> reason, //retrylint:ignore <check>
// reason. The checks follow these comments themselves, so that they work
// under every driver. The unusedignore analyzer reports those that silence
// nothing.
//
// Checks that are not precise enough to be on for everybody are in OptIn; the
// measured precision of each is in docs/checks.
package analyzer

import (
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/retrykit/retrykit/analyzer/backoffcap"
	"github.com/retrykit/retrykit/analyzer/bareretry"
	"github.com/retrykit/retrykit/analyzer/blindsleep"
	"github.com/retrykit/retrykit/analyzer/bodyleak"
	"github.com/retrykit/retrykit/analyzer/bodyreuse"
	"github.com/retrykit/retrykit/analyzer/deferattempt"
	"github.com/retrykit/retrykit/analyzer/errstring"
	"github.com/retrykit/retrykit/analyzer/freshkey"
	"github.com/retrykit/retrykit/analyzer/lasterror"
	"github.com/retrykit/retrykit/analyzer/lastsleep"
	"github.com/retrykit/retrykit/analyzer/nestedretry"
	"github.com/retrykit/retrykit/analyzer/nobackoff"
	"github.com/retrykit/retrykit/analyzer/nodeadline"
	"github.com/retrykit/retrykit/analyzer/nojitter"
	"github.com/retrykit/retrykit/analyzer/opcardinality"
	"github.com/retrykit/retrykit/analyzer/percallbudget"
	"github.com/retrykit/retrykit/analyzer/permanentstatus"
	"github.com/retrykit/retrykit/analyzer/retryafter"
	"github.com/retrykit/retrykit/analyzer/retrycancel"
	"github.com/retrykit/retrykit/analyzer/staleattempt"
	"github.com/retrykit/retrykit/analyzer/unbounded"
	"github.com/retrykit/retrykit/analyzer/unsafemethod"
	"github.com/retrykit/retrykit/analyzer/zeroattempts"
)

// onByDefault and optIn hold every check of the suite, one a line, in
// alphabetical order.
var (
	onByDefault = []*analysis.Analyzer{
		backoffcap.Analyzer,
		bareretry.Analyzer,
		blindsleep.Analyzer,
		bodyleak.Analyzer,
		bodyreuse.Analyzer,
		deferattempt.Analyzer,
		errstring.Analyzer,
		freshkey.Analyzer,
		lasterror.Analyzer,
		lastsleep.Analyzer,
		nestedretry.Analyzer,
		nobackoff.Analyzer,
		nodeadline.Analyzer,
		nojitter.Analyzer,
		opcardinality.Analyzer,
		percallbudget.Analyzer,
		permanentstatus.Analyzer,
		retryafter.Analyzer,
		retrycancel.Analyzer,
		staleattempt.Analyzer,
		unbounded.Analyzer,
		unsafemethod.Analyzer,
		zeroattempts.Analyzer,
	}
	optIn = []*analysis.Analyzer{}
)

// Default returns the checks that run unless told otherwise.
func Default() []*analysis.Analyzer { return slices.Clone(onByDefault) }

// OptIn returns the checks that run only when they are asked for.
func OptIn() []*analysis.Analyzer { return slices.Clone(optIn) }

// All returns every check, those of Default first.
func All() []*analysis.Analyzer { return slices.Concat(onByDefault, optIn) }
