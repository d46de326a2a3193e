package a

func bang() {}

func used() {
	bang() //nolint:bang
	bang() //lint:ignore bang the launch needs it
	bang() //nolint:retrylint
}

func unused() {
	_ = 1  //nolint:bang // want `//nolint:bang silences nothing, since bang has nothing to say here; remove it`
	_ = 2  //nolint:retrylint // want `//nolint:retrylint silences nothing, since retrylint has nothing to say here`
	_ = 3  //lint:ignore bang the launch needs it // want `//lint:ignore bang silences nothing`
	_ = 4  //retrylint:ignore bang,nosuch the launch needs it // want `ignore bang silences nothing` `ignore nosuch names no check of retrylint`
	_ = 5  //retrylint:ignore // want `//retrylint:ignore names no check; write //retrylint:ignore <check> reason, or remove it`
	_ = 6  //lint:ignore bang // want `//lint:ignore without a reason is not followed`
	bang() //nolint:bang,errcheck
}

// Of other tools nothing is known.
func others() {
	_ = 1 //nolint
	_ = 2 //nolint:errcheck
	_ = 3 //lint:ignore SA1000 regexp
	_ = 4 //lint:ignore SA1000
}
