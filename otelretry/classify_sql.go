package otelretry

// ClassifySQLState knows errors of database drivers that tell an SQLSTATE by
// a method SQLState() string, as those of lib/pq and pgx do: 40001
// (serialization failure) and 40P01 (deadlock) are transient, when the whole
// transaction is what is retried; every other state is permanent.
func ClassifySQLState(err error) Class { return visit(err, sqlClass) }

func sqlClass(err error) Class {
	if e, ok := err.(interface{ SQLState() string }); ok {
		return SQLStateClass(e.SQLState())
	}
	return ClassUnknown
}

// SQLStateClass classifies an SQLSTATE code as [ClassifySQLState] does. The
// empty code is unknown.
func SQLStateClass(state string) Class {
	switch state {
	case "40001", "40P01":
		return ClassTransient
	case "":
		return ClassUnknown
	}
	return ClassPermanent
}
