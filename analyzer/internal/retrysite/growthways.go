package retrysite

import "go/ast"

// alternatives are the ways in which one duration comes about: what a variable is
// given in different places, or what a function returns in different places. One
// that can't be followed doesn't limit another that grows.
type alternatives struct {
	grows     bool // one of them does
	growsOpen bool // one that does may be limited by what can't be followed
	open      bool // so may any other
}

// read reads one way. It builds on the others where it mentions what they give.
func (a *alternatives) read(s *growthScan, builds bool, way func() (moves bool)) {
	before := s.open
	s.open = false
	if moves := way(); moves || builds && s.open {
		a.grows, a.growsOpen = a.grows || moves, a.growsOpen || s.open
	} else {
		a.open = a.open || s.open
	}
	s.open = before
}

// end sums up, and says whether one of the ways grows.
func (a *alternatives) end(s *growthScan) (moves bool) {
	s.open = s.open || a.growsOpen || a.open && !a.grows
	return a.grows
}

// opens says whether a part of e, which has been read, can't be followed.
func (s *growthScan) opens(e ast.Expr) bool {
	open, unknown := s.open, s.unknown
	s.open = false
	s.expr(e)
	found := s.open
	s.open, s.unknown = open, unknown
	return found
}
