package otelretry

import "time"

// verdict is what can be said about a failure from its error alone.
type verdict struct {
	class Class         // a mark's, or else the classifiers'
	hint  time.Duration // what the server asked to wait; 0: nothing
}

// judge looks through the chain of err once.
func (p *Policy) judge(err error) verdict {
	var found finding
	found.visit(err, p.classifiers == nil)
	v := found.verdict
	if v.class == ClassUnknown {
		v.class = found.listed
		for _, classify := range p.classifiers {
			if v.class = classify(err); v.class != ClassUnknown {
				break
			}
		}
	}
	if !p.useRetryAfter {
		v.hint = 0
	}
	return v
}

// finding is a verdict in the making: verdict.class is that of the outermost
// mark, listed that of the outermost error on the default allowlist.
type finding struct {
	verdict
	listed Class
}

func (f *finding) visit(err error, defaults bool) {
	for err != nil {
		switch e := err.(type) {
		case *markedError:
			if f.class == ClassUnknown {
				f.class = e.class
			}
			if f.hint == 0 {
				f.hint = e.after
			}
			err = e.err
			continue
		case interface{ RetryAfter() time.Duration }:
			if f.hint == 0 {
				f.hint = max(e.RetryAfter(), 0)
			}
		}
		if defaults && f.listed == ClassUnknown {
			f.listed = classifyOne(err)
		}
		switch wrapper := err.(type) {
		case interface{ Unwrap() error }:
			err = wrapper.Unwrap()
		case interface{ Unwrap() []error }:
			for _, branch := range wrapper.Unwrap() {
				f.visit(branch, defaults)
			}
			return
		default:
			return
		}
	}
}
