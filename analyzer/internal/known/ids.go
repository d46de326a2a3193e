package known

import (
	"go/types"
	"slices"
)

// MakesID says whether a function gives a new unique id at each call. One that
// derives an id from its arguments (a name-based UUID) does not.
func MakesID(fn *types.Func) bool {
	if fn == nil || fn.Pkg() == nil {
		return false
	}
	name := fn.Name()
	if r := fn.Signature().Recv(); r != nil {
		t := types.Unalias(r.Type())
		if p, ok := t.(*types.Pointer); ok {
			t = types.Unalias(p.Elem())
		}
		n, ok := t.(*types.Named)
		if !ok {
			return false
		}
		name = n.Obj().Name() + "." + name
	}
	return slices.Contains(idMakers[fn.Pkg().Path()], name)
}

// idMakers lists functions, and methods as "Type.Method", by import path.
var idMakers = map[string][]string{
	"github.com/google/uuid":                     {"New", "NewString", "NewRandom", "NewRandomFromReader", "NewUUID", "NewV6", "NewV7", "NewV7FromReader"},
	"github.com/gofrs/uuid":                      uuidMakers,
	"github.com/gofrs/uuid/v5":                   uuidMakers,
	"github.com/satori/go.uuid":                  uuidMakers,
	"github.com/pborman/uuid":                    {"New", "NewRandom", "NewUUID"},
	"github.com/hashicorp/go-uuid":               {"GenerateUUID"},
	"github.com/nu7hatch/gouuid":                 {"NewV4"},
	"github.com/twinj/uuid":                      {"NewV1", "NewV4"},
	"k8s.io/apimachinery/pkg/util/uuid":          {"NewUUID"},
	"github.com/oklog/ulid":                      {"New", "MustNew", "Make"},
	"github.com/oklog/ulid/v2":                   {"New", "MustNew", "MustNewDefault", "Make"},
	"github.com/segmentio/ksuid":                 {"New", "NewRandom", "NewRandomWithTime"},
	"github.com/rs/xid":                          {"New", "NewWithTime"},
	"github.com/lithammer/shortuuid":             {"New"},
	"github.com/lithammer/shortuuid/v3":          {"New"},
	"github.com/lithammer/shortuuid/v4":          {"New"},
	"github.com/matoous/go-nanoid":               {"Nanoid", "ID", "Generate"},
	"github.com/matoous/go-nanoid/v2":            {"New", "Must", "Generate", "MustGenerate"},
	"github.com/jaevor/go-nanoid":                {"Standard", "CustomASCII"},
	"github.com/teris-io/shortid":                {"Generate", "MustGenerate", "Shortid.Generate", "Shortid.MustGenerate"},
	"github.com/bwmarrin/snowflake":              {"Node.Generate"},
	"github.com/sony/sonyflake":                  {"Sonyflake.NextID"},
	"github.com/sony/sonyflake/v2":               {"Sonyflake.NextID"},
	"github.com/nats-io/nuid":                    {"Next", "NUID.Next"},
	"github.com/lucsky/cuid":                     {"New", "Slug"},
	"github.com/nrednav/cuid2":                   {"Generate"},
	"github.com/jetify-com/typeid":               {"WithPrefix", "New"},
	"go.jetify.com/typeid":                       {"WithPrefix", "New", "Generate", "MustGenerate"},
	"go.mongodb.org/mongo-driver/bson/primitive": {"NewObjectID"},
	"go.mongodb.org/mongo-driver/v2/bson":        {"NewObjectID"},
	"gopkg.in/mgo.v2/bson":                       {"NewObjectId"},
	"crypto/rand":                                {"Text"},
}

var uuidMakers = []string{"NewV1", "NewV4", "NewV6", "NewV7", "Must", "Gen.NewV4", "Gen.NewV7"}
