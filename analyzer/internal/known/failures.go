package known

import "go/types"

// Failure says what a predicate asks or a sentinel means.
type Failure uint8

const (
	FailureUnknown   Failure = iota
	FailureTransient         // worth another attempt
	FailurePermanent         // another attempt fails as well
	FailureConflict          // somebody else was first: worth it after reading again
	FailureExists            // the id or name is taken
	FailureCanceled          // nobody waits for the answer any more
	FailureLocal             // of this machine: interrupted, would block, busy
)

func (f Failure) String() string {
	return [...]string{"unknown", "transient", "permanent", "conflict", "exists", "canceled", "local"}[f]
}

// FailureOf says what a sentinel (a package-level variable or constant) means
// or what a predicate (a function of an error) asks.
func FailureOf(obj types.Object) Failure {
	if obj == nil || obj.Pkg() == nil {
		return FailureUnknown
	}
	if fn, ok := obj.(*types.Func); ok && fn.Signature().Recv() != nil {
		return FailureUnknown
	}
	return failures[obj.Pkg().Path()+"."+obj.Name()]
}

var failures = map[string]Failure{
	"context.Canceled":         FailureCanceled,
	"context.DeadlineExceeded": FailureCanceled,

	"database/sql.ErrConnDone":       FailureTransient,
	"database/sql.ErrNoRows":         FailurePermanent,
	"database/sql.ErrTxDone":         FailurePermanent,
	"database/sql/driver.ErrBadConn": FailureTransient,
	"io.ErrUnexpectedEOF":            FailureTransient,
	"io/fs.ErrExist":                 FailureExists,
	"io/fs.ErrNotExist":              FailurePermanent,
	"io/fs.ErrPermission":            FailurePermanent,
	"net.ErrClosed":                  FailurePermanent,
	"net/http.ErrServerClosed":       FailurePermanent,
	"net/http.ErrHandlerTimeout":     FailureTransient,
	"os.ErrDeadlineExceeded":         FailureTransient,
	"os.ErrExist":                    FailureExists,
	"os.ErrNotExist":                 FailurePermanent,
	"os.ErrPermission":               FailurePermanent,
	"os.IsExist":                     FailureExists,
	"os.IsNotExist":                  FailurePermanent,
	"os.IsPermission":                FailurePermanent,
	"os.IsTimeout":                   FailureTransient,
	"syscall.EADDRINUSE":             FailureLocal,
	"syscall.EAGAIN":                 FailureLocal,
	"syscall.EBUSY":                  FailureLocal,
	"syscall.ECONNREFUSED":           FailureTransient,
	"syscall.ECONNRESET":             FailureTransient,
	"syscall.EINTR":                  FailureLocal,
	"syscall.EPIPE":                  FailureTransient,
	"syscall.ETIMEDOUT":              FailureTransient,
	"syscall.ETXTBSY":                FailureLocal,
	"syscall.EWOULDBLOCK":            FailureLocal,
	"golang.org/x/sys/unix.EAGAIN":   FailureLocal,
	"golang.org/x/sys/unix.EBUSY":    FailureLocal,
	"golang.org/x/sys/unix.EINTR":    FailureLocal,

	"google.golang.org/grpc/codes.Aborted":            FailureConflict,
	"google.golang.org/grpc/codes.AlreadyExists":      FailureExists,
	"google.golang.org/grpc/codes.Canceled":           FailureCanceled,
	"google.golang.org/grpc/codes.DeadlineExceeded":   FailureCanceled,
	"google.golang.org/grpc/codes.FailedPrecondition": FailurePermanent,
	"google.golang.org/grpc/codes.InvalidArgument":    FailurePermanent,
	"google.golang.org/grpc/codes.NotFound":           FailurePermanent,
	"google.golang.org/grpc/codes.OutOfRange":         FailurePermanent,
	"google.golang.org/grpc/codes.PermissionDenied":   FailurePermanent,
	"google.golang.org/grpc/codes.ResourceExhausted":  FailureTransient,
	"google.golang.org/grpc/codes.Unauthenticated":    FailurePermanent,
	"google.golang.org/grpc/codes.Unavailable":        FailureTransient,
	"google.golang.org/grpc/codes.Unimplemented":      FailurePermanent,

	"k8s.io/apimachinery/pkg/api/errors.IsAlreadyExists":      FailureExists,
	"k8s.io/apimachinery/pkg/api/errors.IsBadRequest":         FailurePermanent,
	"k8s.io/apimachinery/pkg/api/errors.IsConflict":           FailureConflict,
	"k8s.io/apimachinery/pkg/api/errors.IsForbidden":          FailurePermanent,
	"k8s.io/apimachinery/pkg/api/errors.IsInternalError":      FailureTransient,
	"k8s.io/apimachinery/pkg/api/errors.IsInvalid":            FailurePermanent,
	"k8s.io/apimachinery/pkg/api/errors.IsNotFound":           FailurePermanent,
	"k8s.io/apimachinery/pkg/api/errors.IsServerTimeout":      FailureTransient,
	"k8s.io/apimachinery/pkg/api/errors.IsServiceUnavailable": FailureTransient,
	"k8s.io/apimachinery/pkg/api/errors.IsTimeout":            FailureTransient,
	"k8s.io/apimachinery/pkg/api/errors.IsTooManyRequests":    FailureTransient,
	"k8s.io/apimachinery/pkg/api/errors.IsUnauthorized":       FailurePermanent,
	"k8s.io/apimachinery/pkg/util/net.IsConnectionRefused":    FailureTransient,
	"k8s.io/apimachinery/pkg/util/net.IsConnectionReset":      FailureTransient,

	"go.mongodb.org/mongo-driver/mongo.IsDuplicateKeyError":    FailureExists,
	"go.mongodb.org/mongo-driver/mongo.IsNetworkError":         FailureTransient,
	"go.mongodb.org/mongo-driver/mongo.IsTimeout":              FailureTransient,
	"go.mongodb.org/mongo-driver/mongo.ErrNoDocuments":         FailurePermanent,
	"go.mongodb.org/mongo-driver/v2/mongo.IsDuplicateKeyError": FailureExists,
	"go.mongodb.org/mongo-driver/v2/mongo.IsNetworkError":      FailureTransient,
	"go.mongodb.org/mongo-driver/v2/mongo.IsTimeout":           FailureTransient,
	"go.mongodb.org/mongo-driver/v2/mongo.ErrNoDocuments":      FailurePermanent,
	"github.com/jackc/pgx/v4.ErrNoRows":                        FailurePermanent,
	"github.com/jackc/pgx/v5.ErrNoRows":                        FailurePermanent,
	"github.com/redis/go-redis/v9.Nil":                         FailurePermanent,
	"github.com/go-redis/redis/v8.Nil":                         FailurePermanent,
	"github.com/gocql/gocql.ErrNotFound":                       FailurePermanent,
	"github.com/nats-io/nats.go.ErrNoResponders":               FailureTransient,
	"github.com/nats-io/nats.go.ErrTimeout":                    FailureTransient,
	"gorm.io/gorm.ErrDuplicatedKey":                            FailureExists,
	"gorm.io/gorm.ErrRecordNotFound":                           FailurePermanent,
}
