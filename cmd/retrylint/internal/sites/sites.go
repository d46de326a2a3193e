// Package sites puts the inventories of a module's packages together: every
// retry site, which site retries what another one retries already, and how
// many attempts and how much time that can make.
package sites

import (
	"cmp"
	"slices"

	"github.com/retrykit/retrykit/analyzer/inventory"
)

// maxDepth bounds how many calls a chain from one site to another may have.
const maxDepth = 12

// A Site is one retry site with what it can come to.
type Site struct {
	File string `json:"file"` // absolute
	Line int    `json:"line"`
	*inventory.Site

	// Module is the module that the site belongs to, as path@version, or as
	// the path alone where it has no version; "" if it belongs to none.
	Module string `json:"module,omitempty"`

	// WorstAttempts is how often the innermost operation below this site can
	// run for one request: the product along the chain; nil if a bound on it
	// is not known, or there is none.
	WorstAttempts *int64 `json:"worst_attempts"`
	// WorstSeconds is how long the site can take in all: its limit, where it
	// has a constant one; nil otherwise.
	WorstSeconds *float64 `json:"worst_seconds"`

	// Inner are the sites that run within an attempt of this one.
	Inner []Edge `json:"inner"`

	inner     bool // it is the inner one of some other
	moduleDir string
}

// A Package is an inventory with the module that it belongs to.
type Package struct {
	*inventory.Package
	Module    string // path@version
	ModuleDir string
}

// An Edge leads from a site to one that its attempts run.
type Edge struct {
	Site int `json:"site"` // index in the inventory
	// Through are the functions from the operation to the one that holds the
	// inner site; none when it stands in the same function.
	Through []string `json:"through"`
}

// Inventory is that of a module.
type Inventory struct {
	Sites []*Site
}

// Of puts packages together. Sites are sorted by file and line.
func Of(packages []Package) *Inventory {
	inv := &Inventory{}
	calls := make(map[string][]string)
	seen := make(map[[2]any]bool)
	index := make(map[*inventory.Site]*Site)
	for _, pkg := range packages {
		for caller, callees := range pkg.Calls {
			if len(callees) > len(calls[caller]) {
				calls[caller] = callees
			}
		}
		for _, s := range pkg.Sites {
			// A package and its variant for tests hold the same files.
			key := [2]any{s.Position, s.Kind}
			if seen[key] {
				continue
			}
			seen[key] = true
			site := &Site{File: s.Position.Filename, Line: s.Position.Line, Site: s, Inner: []Edge{}, Module: pkg.Module, moduleDir: pkg.ModuleDir}
			index[s] = site
			inv.Sites = append(inv.Sites, site)
		}
	}
	slices.SortStableFunc(inv.Sites, func(a, b *Site) int { return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line)) })
	number := make(map[*Site]int)
	inFunction := make(map[string][]*Site)
	for i, s := range inv.Sites {
		number[s] = i
		inFunction[s.Function] = append(inFunction[s.Function], s)
	}
	for _, pkg := range packages {
		for _, s := range pkg.Sites {
			if site := index[s]; site != nil && s.Inside >= 0 {
				if outer := index[pkg.Sites[s.Inside]]; outer != nil {
					outer.Inner = append(outer.Inner, Edge{Site: number[site], Through: []string{}})
					site.inner = true
				}
			}
		}
	}
	for _, s := range inv.Sites {
		for _, callee := range s.Callees {
			for _, found := range reach(callee, calls, inFunction) {
				if found.site == s || slices.ContainsFunc(s.Inner, func(e Edge) bool { return e.Site == number[found.site] }) {
					continue
				}
				s.Inner = append(s.Inner, Edge{Site: number[found.site], Through: found.through})
				found.site.inner = true
			}
		}
	}
	for _, s := range inv.Sites {
		s.WorstAttempts = inv.worst(s, make(map[*Site]bool))
		s.WorstSeconds = s.Time.Seconds
	}
	return inv
}

type reached struct {
	site    *Site
	through []string
}

// reach returns the sites that a call of a function leads to, by calls that
// are known by name, and the shortest way to each. It stops at functions that
// hold a site: what lies behind is below that site.
func reach(start string, calls map[string][]string, inFunction map[string][]*Site) []reached {
	type step struct {
		function string
		through  []string
	}
	var found []reached
	seen := map[string]bool{start: true}
	for queue := []step{{start, []string{start}}}; len(queue) > 0; queue = queue[1:] {
		at := queue[0]
		if sites := inFunction[at.function]; len(sites) > 0 {
			for _, site := range sites {
				if site.Inside < 0 {
					found = append(found, reached{site, at.through})
				}
			}
			continue
		}
		if len(at.through) > maxDepth {
			continue
		}
		for _, callee := range calls[at.function] {
			if !seen[callee] {
				seen[callee] = true
				queue = append(queue, step{callee, append(slices.Clip(at.through), callee)})
			}
		}
	}
	return found
}

// worst is the largest product of attempts from a site downwards; nil when a
// bound is not a known number.
func (inv *Inventory) worst(s *Site, above map[*Site]bool) *int64 {
	if s.Attempts.Max == nil || above[s] {
		return nil
	}
	above[s] = true
	defer delete(above, s)
	product := *s.Attempts.Max
	largest := int64(1)
	for _, e := range s.Inner {
		below := inv.worst(inv.Sites[e.Site], above)
		if below == nil {
			return nil
		}
		largest = max(largest, *below)
	}
	if largest > 1 && product > (1<<62)/largest {
		return nil // more than can be counted; say nothing rather than a wrong number
	}
	product *= largest
	return &product
}
