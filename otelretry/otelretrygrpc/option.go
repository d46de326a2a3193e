package otelretrygrpc

import (
	"fmt"
	"strings"
)

// DefaultKeyMetadata is the metadata key that idempotency keys are sent in.
const DefaultKeyMetadata = "idempotency-key"

// Option is a setting of an [Interceptor]; see [New].
type Option func(*settings)

type settings struct {
	idempotent map[string]bool
	keyName    string // "": no keys
	configOff  bool
	wrong      []error
}

// WithIdempotentMethods says which methods may be called twice without harm,
// by their full names, as in "/inventory.v1.Items/Get". The name of a service
// with a slash at its end, "/inventory.v1.Items/", stands for all its methods.
// Default: none.
func WithIdempotentMethods(methods ...string) Option {
	return func(s *settings) {
		for _, method := range methods {
			if strings.Count(method, "/") != 2 || method[0] != '/' {
				s.wrong = append(s.wrong, fmt.Errorf(`WithIdempotentMethods: %q is not a full method name such as "/package.Service/Method"`, method))
				continue
			}
			s.idempotent[method] = true
		}
	}
}

// WithIdempotencyKeys sends the request's idempotency key (see
// otelretry.IdempotencyKey) in the metadata of each attempt, under this name,
// [DefaultKeyMetadata] if it is "". All methods are then safe to repeat, at
// servers that honour the key. A key that the caller set under that name is
// kept. By default no key is sent.
func WithIdempotencyKeys(name string) Option {
	return func(s *settings) {
		if name == "" {
			name = DefaultKeyMetadata
		}
		if !validName(name) {
			s.wrong = append(s.wrong, fmt.Errorf("WithIdempotencyKeys: %q can't name metadata: use lower-case letters, digits and the signs - _ . without the prefix grpc- and the suffix -bin", name))
			return
		}
		s.keyName = name
	}
}

// WithServiceConfigRetriesOff says that the connection was made with
// grpc.WithDisableRetry, so that a retryPolicy in its service config does
// nothing: the interceptors then retry such methods as any other.
func WithServiceConfigRetriesOff() Option {
	return func(s *settings) { s.configOff = true }
}

func validName(name string) bool {
	for _, c := range name {
		if !(c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '-' || c == '_' || c == '.') {
			return false
		}
	}
	return !strings.HasPrefix(name, "grpc-") && !strings.HasSuffix(name, "-bin")
}

func (s *settings) isIdempotent(method string) bool {
	if s.keyName != "" || s.idempotent[method] {
		return true
	}
	return s.idempotent[method[:strings.LastIndexByte(method, '/')+1]]
}
