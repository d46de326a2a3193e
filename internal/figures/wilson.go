package figures

import "math"

// z95 is the 97.5th percentile of the normal distribution: two-sided 95 %.
const z95 = 1.959963984540054

// Wilson returns the 95 % score interval of a share of k in n
// (E. B. Wilson, 1927); it stays within 0 and 1 and is useful for small n.
// n must be positive.
func Wilson(k, n float64) (lo, hi float64) {
	p := k / n
	z2 := z95 * z95
	middle := (p + z2/(2*n)) / (1 + z2/n)
	half := z95 / (1 + z2/n) * math.Sqrt(p*(1-p)/n+z2/(4*n*n))
	lo, hi = max(0, middle-half), min(1, middle+half)
	if k == 0 {
		lo = 0
	}
	if k == n {
		hi = 1
	}
	return lo, hi
}
