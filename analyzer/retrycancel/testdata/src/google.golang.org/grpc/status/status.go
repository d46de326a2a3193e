// Package status stands in for the real one.
package status

import "google.golang.org/grpc/codes"

func Code(err error) codes.Code { return codes.OK }
