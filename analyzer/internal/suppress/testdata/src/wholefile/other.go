package wholefile

func g() {
	bang() // want `a bang`
}
