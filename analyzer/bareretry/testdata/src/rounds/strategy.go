package rounds

import (
	"math/rand/v2"
	"net/http"
)

// Each host once, whatever the first one is.
func (c *cluster) byStrategy(cl *http.Client, path string, from, strategy int) (resp *http.Response, err error) {
	for i := range c.hosts {
		var at int
		switch strategy {
		case 0:
			at = i
		case 1:
			at = (from + i) % len(c.hosts)
		default:
			at = (rand.Int() + i) % len(c.hosts)
		}
		if resp, err = cl.Get(c.hosts[at] + path); err == nil {
			return resp, nil
		}
	}
	return nil, err
}

// The same hosts again and again, in one of two orders.
func (c *cluster) manyTimes(cl *http.Client, path string, backwards bool) (resp *http.Response, err error) {
	for i := 0; i < 100; i++ { // want `retries every error from cl.Get`
		at := i % len(c.hosts)
		if backwards {
			at = (100 - i) % len(c.hosts)
		}
		if resp, err = cl.Get(c.hosts[at] + path); err == nil {
			return resp, nil
		}
	}
	return nil, err
}
