package otelretry

// Class is what a classifier says about a failure.
type Class uint8

const (
	// ClassUnknown: not on this classifier's list; the next one is asked.
	// What no classifier knows is not retried.
	ClassUnknown Class = iota
	// ClassPermanent: the same call fails the same way again.
	ClassPermanent
	// ClassTransient: the request was not processed, or is safe to repeat:
	// retried for every operation.
	ClassTransient
	// ClassAmbiguous: the server may have acted. Retried only for an
	// operation that is [Idempotent] or whose request carries an idempotency
	// key.
	ClassAmbiguous
)

// String names the class: "unknown", "permanent", "transient", "ambiguous".
func (c Class) String() string {
	switch c {
	case ClassPermanent:
		return "permanent"
	case ClassTransient:
		return "transient"
	case ClassAmbiguous:
		return "ambiguous"
	}
	return "unknown"
}

// Classifier looks at the error of an attempt, by type, sentinel or code and
// never by its text. It must be safe for concurrent use.
type Classifier func(error) Class

// Classify is the classifier that a policy uses unless WithClassifiers says
// otherwise: [ClassifyNetwork], [ClassifyHTTPStatus], [ClassifySQLState] and
// [ClassifyGRPC], in this order. It is an allowlist: an error that none of
// them knows is not retried. Put it last in WithClassifiers to add to it.
func Classify(err error) Class {
	return visit(err, classifyOne)
}

// classifyOne looks at one error of a chain.
func classifyOne(err error) Class {
	if class := networkClass(err); class != ClassUnknown {
		return class
	}
	if class := httpClass(err); class != ClassUnknown {
		return class
	}
	if class := sqlClass(err); class != ClassUnknown {
		return class
	}
	return grpcClass(err)
}

// visit walks the tree of err in the order of errors.Is and gives the first
// answer that is not ClassUnknown.
func visit(err error, ask func(error) Class) Class {
	for err != nil {
		if class := ask(err); class != ClassUnknown {
			return class
		}
		switch wrapper := err.(type) {
		case interface{ Unwrap() error }:
			err = wrapper.Unwrap()
		case interface{ Unwrap() []error }:
			for _, branch := range wrapper.Unwrap() {
				if class := visit(branch, ask); class != ClassUnknown {
					return class
				}
			}
			return ClassUnknown
		default:
			return ClassUnknown
		}
	}
	return ClassUnknown
}
