package known

import (
	"go/token"
	"go/types"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

var errorType = types.Universe.Lookup("error").Type()

func function(path, recv, name string, results ...types.Type) *types.Func {
	pkg := types.NewPackage(path, path[strings.LastIndexByte(path, '/')+1:])
	var vars []*types.Var
	for _, r := range results {
		vars = append(vars, types.NewParam(token.NoPos, pkg, "", r))
	}
	var receiver *types.Var
	if recv != "" {
		t := types.NewNamed(types.NewTypeName(token.NoPos, pkg, recv, nil), types.NewStruct(nil, nil), nil)
		receiver = types.NewParam(token.NoPos, pkg, "", types.NewPointer(t))
	}
	return types.NewFunc(token.NoPos, pkg, name, types.NewSignatureType(receiver, nil, nil, nil, types.NewTuple(vars...), false))
}

func TestReachOf(t *testing.T) {
	for _, tt := range []struct {
		path, name string
		fails      bool
		want       Reach
	}{
		{"github.com/aws/aws-sdk-go-v2/service/s3", "PutObject", true, ReachRemote},
		{"github.com/aws/aws-sdk-go-v2/aws", "String", false, ReachLocal},
		{"github.com/stripe/stripe-go/v81/charge", "Get", true, ReachRemote},
		{"github.com/redis/go-redis/v9", "ParseURL", true, ReachLocal},
		{"github.com/redis/go-redis/v9", "Options", false, ReachUnknown},
		{"go.mongodb.org/mongo-driver/bson/primitive", "ObjectIDFromHex", true, ReachLocal},
		{"go.uber.org/zap", "Sync", true, ReachLocal},
		{"github.com/redis/go-redisx", "Do", true, ReachUnknown},
		{"example.com/shop", "Do", true, ReachUnknown},
	} {
		var results []types.Type
		if tt.fails {
			results = append(results, errorType)
		}
		assert.Equal(t, tt.want, ReachOf(function(tt.path, "", tt.name, results...)), "%s.%s", tt.path, tt.name)
	}
	assert.Equal(t, ReachUnknown, ReachOf(nil))
}

func TestMakesID(t *testing.T) {
	for _, tt := range []struct {
		path, recv, name string
		want             bool
	}{
		{"github.com/google/uuid", "", "NewString", true},
		{"github.com/google/uuid", "", "NewV7", true},
		{"github.com/google/uuid", "", "NewSHA1", false},
		{"github.com/google/uuid", "", "Parse", false},
		{"github.com/bwmarrin/snowflake", "Node", "Generate", true},
		{"github.com/bwmarrin/snowflake", "", "Generate", false},
		{"github.com/matoous/go-nanoid/v2", "", "New", true},
		{"crypto/rand", "", "Text", true},
		{"example.com/uuid", "", "New", false},
	} {
		assert.Equal(t, tt.want, MakesID(function(tt.path, tt.recv, tt.name)), "%s.%s.%s", tt.path, tt.recv, tt.name)
	}
	assert.False(t, MakesID(nil))
}

func TestFailureOf(t *testing.T) {
	sentinel := func(path, name string) types.Object {
		return types.NewVar(token.NoPos, types.NewPackage(path, "p"), name, errorType)
	}
	assert.Equal(t, FailureCanceled, FailureOf(sentinel("context", "Canceled")))
	assert.Equal(t, FailurePermanent, FailureOf(sentinel("database/sql", "ErrNoRows")))
	assert.Equal(t, FailureConflict, FailureOf(function("k8s.io/apimachinery/pkg/api/errors", "", "IsConflict")))
	assert.Equal(t, FailureUnknown, FailureOf(function("k8s.io/apimachinery/pkg/api/errors", "T", "IsConflict")))
	assert.Equal(t, FailureUnknown, FailureOf(sentinel("example.com/x", "ErrNoRows")))
	assert.Equal(t, FailureUnknown, FailureOf(nil))
}

// Every path stands by itself: no version suffix is implied, and no entry is
// hidden by an equal one above it.
func TestTables(t *testing.T) {
	for path, r := range reachByPath {
		assert.NotEqual(t, ReachUnknown, r, path)
		assert.False(t, strings.HasSuffix(path, "/"), path)
	}
	for path, names := range idMakers {
		assert.NotEmpty(t, names, path)
	}
	for name, f := range failures {
		assert.NotEqual(t, FailureUnknown, f, name)
		assert.Contains(t, name, ".")
	}
}
