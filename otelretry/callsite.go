package otelretry

import (
	"runtime"
	"strings"
	"sync/atomic"

	"go.opentelemetry.io/otel/attribute"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
)

// site is a line of code that makes requests of one operation.
type site struct {
	code  []attribute.KeyValue
	first []attribute.KeyValue // all attributes of a request span whose first attempt succeeded
}

// sites remembers the call sites of an operation by return address: reading a
// function's name and line from the binary is done once for each.
type sites struct {
	known atomic.Pointer[map[uintptr]*site]
}

// maxSites bounds what is remembered; a program has only so many call sites.
const maxSites = 1024

// find gives the site of a call. pc is the return address into the caller of
// Do or Run.
func (op *Operation) site() *site {
	var pcs [1]uintptr
	const skip = 7 // Callers, site, startSpan, begin, run, do, Do
	if runtime.Callers(skip, pcs[:]) == 0 {
		return op.newSite(runtime.Frame{})
	}
	if known := op.sites.known.Load(); known != nil {
		if s := (*known)[pcs[0]]; s != nil {
			if s.code != nil {
				return s
			}
			return op.siteAbove(skip + 1)
		}
	}
	frame, _ := runtime.CallersFrames([]uintptr{pcs[0]}).Next() // a copy, so that pcs stays off the heap
	if transport(frame.Function) {
		op.remember(pcs[0], &site{})
		return op.siteAbove(skip + 1)
	}
	s := op.newSite(frame)
	op.remember(pcs[0], s)
	return s
}

// siteAbove looks for the first frame that isn't part of a transport: the
// code that sent the request, when Do was called on its behalf.
func (op *Operation) siteAbove(skip int) *site {
	var pcs [32]uintptr
	n := runtime.Callers(skip, pcs[:])
	frames := runtime.CallersFrames(pcs[:n])
	for {
		frame, more := frames.Next()
		if !transport(frame.Function) {
			if known := op.sites.known.Load(); known != nil && (*known)[frame.PC] != nil {
				return (*known)[frame.PC]
			}
			s := op.newSite(frame)
			op.remember(frame.PC, s)
			return s
		}
		if !more {
			return op.newSite(runtime.Frame{})
		}
	}
}

// transport reports whether a function belongs to the packages that make
// requests on behalf of others.
func transport(function string) bool {
	for _, prefix := range []string{ScopeName + "/", "net/http.", "database/sql.", "google.golang.org/grpc."} {
		if strings.HasPrefix(function, prefix) {
			return true
		}
	}
	return false
}

func (op *Operation) newSite(frame runtime.Frame) *site {
	s := &site{code: []attribute.KeyValue{}}
	if frame.Function != "" {
		s.code = []attribute.KeyValue{
			semconv.CodeFunctionName(frame.Function), semconv.CodeFilePath(frame.File), semconv.CodeLineNumber(frame.Line),
		}
	}
	s.first = op.requestAttributes(nil, s, 1, FirstAttemptSuccess, 0)
	return s
}

func (op *Operation) remember(pc uintptr, s *site) {
	for {
		known := op.sites.known.Load()
		grown := map[uintptr]*site{pc: s}
		if known != nil {
			if len(*known) >= maxSites {
				return
			}
			for pc, s := range *known {
				grown[pc] = s
			}
		}
		if op.sites.known.CompareAndSwap(known, &grown) {
			return
		}
	}
}
