// Package unusedignore reports comments that silence a check where it has nothing to say.
//
// A comment such as //nolint:bareretry outlives the code that it was written
// for. Then it hides the next fault at the same place, and tells readers of a
// fault that is not there. This analyzer runs every check and reports the
// directives by which none of them was silenced, those that name a check which
// does not exist, and those that lack the reason they have to give.
//
// It is off unless it is asked for, by -unused-ignores, since it has to run
// the checks that are off by default as well.
//
// # Before
//
//	receipt, err := client.Charge(ctx, order) //nolint:bareretry // no retry here any more
//
// # After
//
//	receipt, err := client.Charge(ctx, order)
//
// # When it is silent
//
// Directives for other tools are not looked at: //nolint:errcheck,
// //lint:ignore SA1000, a bare //nolint. Neither are those in generated files,
// and those in tests unless -tests is given, since no check looks there.
package unusedignore
