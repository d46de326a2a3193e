package freshkey

import (
	"go/types"
	"strings"

	"github.com/retrykit/retrykit/analyzer/internal/retrysite"
)

// inTransaction says whether each attempt is handed a transaction of its own.
// What one that failed had inserted is undone then.
func inTransaction(info *types.Info, s *retrysite.Site) bool {
	if s.Attempt == nil {
		return false
	}
	for _, field := range s.Attempt.Type().Params.List {
		if t := info.TypeOf(field.Type); t != nil && transaction(t) {
			return true
		}
	}
	return false
}

// transaction says whether a type is one, by the name that all have: sql.Tx,
// pgx.Tx, spanner.ReadWriteTransaction.
func transaction(t types.Type) bool {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	return ok && (strings.HasSuffix(n.Obj().Name(), "Tx") || strings.Contains(n.Obj().Name(), "Transaction"))
}
