package retrysite_test

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/retrykit/retrykit/analyzer/internal/retrysite"
)

func TestFacts(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), retrysite.Facts, "retriers", "callers", "inside")
}

func TestCallOfRetrierIsSite(t *testing.T) {
	results := analysistest.Run(t, analysistest.TestData(), onlySites, "sites")
	require.Len(t, results, 1)
	sites := results[0].Result.(*retrysite.Result).Sites
	require.Len(t, sites, 2)
	for _, s := range sites {
		assert.Equal(t, retrysite.KindWrapper, s.Kind)
		assert.Equal(t, "Do", s.Wrapper.Name())
		assert.Equal(t, retrysite.Attempts{Kind: retrysite.BoundConst, Max: 3, Pos: s.Pos()}, s.Attempts)
	}
	assert.Equal(t, "op", sites[0].Op().Name)
	assert.Equal(t, "http.Get", sites[1].Op().Name)
	assert.True(t, sites[1].Op().Unlimited, "http.Get has no limit of its own")
}

// onlySites hands on the sites of a package and, unlike retrysite.Analyzer,
// leaves its facts unasserted.
var onlySites = &analysis.Analyzer{
	Name:       "onlysites",
	Doc:        "hand on the sites",
	Requires:   []*analysis.Analyzer{retrysite.Analyzer},
	ResultType: reflect.TypeFor[*retrysite.Result](),
	Run: func(pass *analysis.Pass) (any, error) {
		return pass.ResultOf[retrysite.Analyzer], nil
	},
}
