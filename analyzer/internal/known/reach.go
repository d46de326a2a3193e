package known

import (
	"go/types"
	"strings"
)

// Reach says how far a call goes.
type Reach uint8

const (
	ReachUnknown Reach = iota
	ReachLocal         // memory, files, processes
	ReachRemote        // another machine or service
)

func (r Reach) String() string { return [...]string{"unknown", "local", "remote"}[r] }

// ReachOf says how far a function or method goes, by its package. Of a package
// that talks to a service, only what can fail and is not a maker, parser or
// setter counts as leaving the process.
func ReachOf(fn *types.Func) Reach {
	if fn == nil || fn.Pkg() == nil {
		return ReachUnknown
	}
	switch r := reachOfPackage(fn.Pkg().Path()); {
	case r != ReachRemote:
		return r
	case !fails(fn.Signature()):
		return ReachUnknown
	case staysLocal(fn.Name()) && !takesContext(fn.Signature()):
		return ReachLocal
	}
	return ReachRemote
}

// reachOfPackage looks a path up by its longest listed prefix of whole
// elements.
func reachOfPackage(path string) Reach {
	for p := path; p != ""; {
		if r, ok := reachByPath[p]; ok {
			return r
		}
		i := strings.LastIndexByte(p, '/')
		if i < 0 {
			return ReachUnknown
		}
		p = p[:i]
	}
	return ReachUnknown
}

func fails(sig *types.Signature) bool {
	n := sig.Results().Len()
	if n == 0 {
		return false
	}
	t, ok := types.Unalias(sig.Results().At(n - 1).Type()).(*types.Named)
	return ok && t.Obj().Pkg() == nil && t.Obj().Name() == "error"
}

func takesContext(sig *types.Signature) bool {
	for v := range sig.Params().Variables() {
		if t, ok := types.Unalias(v.Type()).(*types.Named); ok && t.Obj().Pkg() != nil && t.Obj().Pkg().Path() == "context" && t.Obj().Name() == "Context" {
			return true
		}
	}
	return false
}

// localPrefixes begin the names of functions that only prepare.
var localPrefixes = []string{"Parse", "Marshal", "Unmarshal", "Encode", "Decode", "Validate", "Format", "With", "Must", "Register", "Set", "Build", "New", "Load", "Close", "String", "Err", "Is", "As"}

func staysLocal(name string) bool {
	for _, p := range localPrefixes {
		if strings.HasPrefix(name, p) {
			return true
		}
	}
	return false
}
