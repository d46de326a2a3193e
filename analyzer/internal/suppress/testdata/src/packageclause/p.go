//nolint:bang
package packageclause

func bang() {}

func f() {
	bang()
}
