// Package opcardinality reports otelretry operation and dependency names that are built at run time from values without a small bound.
//
// The names are attributes of every metric. A name with an identifier, a path
// or an error's text in it makes a new series for each value: otelretry keeps
// 64 of them and counts the rest under "_OTHER", so that the figures of all
// operations that come later are lost in one heap.
//
// # Before
//
//	func get(policy *otelretry.Policy, orderID string) *otelretry.Operation {
//		return policy.Operation(fmt.Sprintf("get-order-%s", orderID))
//	}
//
// # After
//
//	func get(policy *otelretry.Policy) *otelretry.Operation {
//		return policy.Operation("get-order") // once, at start-up
//	}
//
// # When it speaks
//
// The name given to otelretry.New or Policy.Operation, or what the function
// given to otelretryhttp.WithOperationName returns, is or contains the path,
// query or text of a URL, the remote address of a request, the text of an
// error, a generated id, a number turned into text, or a variable or field
// that is named as an identifier (id, uuid, key, token, email, url, path).
//
// # When it is silent
//
// Constants and what is chosen among constants; a request's method; parameters,
// fields and functions that it knows nothing of.
//
// # How to silence it
//
//	//retrylint:ignore opcardinality tenantID is one of a dozen
package opcardinality
