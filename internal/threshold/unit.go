package threshold

import (
	"math"
	"strconv"
)

// Unit is how people write a value. The zero Unit is the figure's own.
type Unit string

// The units of values.
const (
	Percent      Unit = "%"
	Milliseconds Unit = "ms"
	Seconds      Unit = "s"
)

// limitDigits are as many as anybody writes, and few enough to hide what is lost
// when a value is turned into its unit.
const limitDigits = 12

// shift is by how many decimal places a unit is smaller than the figure's own.
func (u Unit) shift() int {
	switch u {
	case Percent:
		return 2
	case Milliseconds:
		return 3
	}
	return 0
}

// Text shows a figure's value in the unit, with so many digits at most.
func (u Unit) Text(v float64, digits int) string {
	return strconv.FormatFloat(v*math.Pow10(u.shift()), 'g', digits, 64) + string(u)
}
