package forms

func bang() int { return 0 }

func speaks() {
	bang() // want `a bang`
}

func trailing() {
	bang() //nolint:bang
	bang() //nolint:retrylint // needed for the launch
	bang() //nolint: errcheck, bang
	bang() // nolint:bang
	bang() //nolint
	bang() //nolint:all
	bang() //lint:ignore bang the launch needs it
	bang() //lint:ignore b* staticcheck takes patterns
	bang() //retrylint:ignore bang the launch needs it
	bang() //retrylint:ignore retrylint,errcheck the launch needs it

	bang() //nolint:errcheck // want `a bang`
	bang() //nolintbang // want `a bang`
	bang() //lint:ignore SA1000 not ours // want `a bang`
	bang() // retrylint:ignore bang a space makes it prose // want `a bang`
	bang() /*nolint:bang*/ // want `a bang`
}

func above() {
	//nolint:bang
	bang()
	//lint:ignore bang the launch needs it
	bang()

	//retrylint:ignore bang the launch needs it
	// and this line says more of it.
	bang()

	//nolint:bang
	//lint:ignore SA1000 two tools, one line
	bang()

	//nolint:bang

	bang() // want `a bang`

	bang() //nolint:bang
	bang() // want `a bang`
}

//nolint:bang
func wholeFunction() {
	bang()
	if true {
		bang()
	}
}

// documented has a doc comment.
//
//retrylint:ignore bang the launch needs it
func documented() {
	bang()
}

func openingBrace() { //nolint:bang
	bang()
}

func blocks() {
	for range 3 { //nolint:bang
		bang()
	}
	if true {
		bang() // want `a bang`
	} else { //nolint:bang
		bang()
	}
	//nolint:bang
	for range 3 {
		bang()
	}
	for range 3 {
		bang() // want `a bang`
	} //nolint:bang
	_ = []int{ //nolint:bang
		bang(),
	}
}
