package retrysite

import (
	"go/ast"
	"slices"

	"golang.org/x/tools/go/cfg"
)

// aside says whether what a node does belongs to rounds of l in which none of
// some operations runs: it waits for something that they need, and not between
// two of them.
//
//	for {
//		server := servers.best()
//		if server == nil {
//			time.Sleep(delay)
//			continue
//		}
//		...
//	}
func (g *graph) aside(l *loop, n ast.Node, ops []*candidate) bool {
	at := l.blockOf(n)
	if at == nil {
		return false
	}
	after := g.thisRound(l, at)
	return !slices.ContainsFunc(ops, func(c *candidate) bool {
		op := g.at[c.call].block
		return op == at || after[op] || g.thisRound(l, op)[at]
	})
}

// blockOf is the block of l in which a node stands, nil if it is none.
func (l *loop) blockOf(n ast.Node) *cfg.Block {
	for b := range l.blocks {
		for _, x := range b.Nodes {
			if contains(x, n) || contains(n, x) {
				return b
			}
		}
	}
	return nil
}

// thisRound are the blocks of l that can follow one before the next round.
func (g *graph) thisRound(l *loop, from *cfg.Block) map[*cfg.Block]bool {
	seen := make(map[*cfg.Block]bool)
	work := []*cfg.Block{from}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		for _, next := range b.Succs {
			if l.blocks[next] && !l.starts(next) && !seen[next] {
				seen[next] = true
				work = append(work, next)
			}
		}
	}
	return seen
}
