package noreason

func bang() {}

func f() {
	//lint:ignore bang // want `//lint:ignore without a reason is not followed; write why after the name: //lint:ignore bang reason`
	bang() // want `a bang`
	bang() //retrylint:ignore bang // want `without a reason` `a bang`
}

//retrylint:ignore retrylint // want `without a reason`
func twice() { // one report for the directive
	bang() // want `a bang`
	bang() // want `a bang`
}
