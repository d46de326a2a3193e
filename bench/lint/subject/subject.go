// Package subject keeps the module that is measured, and what it needs, in
// go.mod.
package subject

import _ "github.com/minio/minio-go/v7"
