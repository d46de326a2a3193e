package another

import (
	"errors"
	"net/http"
	"net/url"
)

type node struct{ host string }

func query(c *http.Client, base *url.URL, path string) error {
	resp, err := c.Get(base.String() + path)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// Silent: each of the nodes is asked once, from any of them on.
func eachOnce(c *http.Client, nodes []node, from int, path string) error {
	tries := len(nodes)
	for i := 0; i < tries; i++ {
		n := nodes[(from+i)%len(nodes)]
		base := &url.URL{Scheme: "http", Host: n.host}
		if err := query(c, base, path); err == nil {
			return nil
		}
	}
	return errors.New("all nodes failed")
}

type bucket struct{ nodes []node }

func (b *bucket) urlNext(last int) (*url.URL, int, error) {
	if len(b.nodes) == 0 {
		return nil, 0, errors.New("no nodes")
	}
	i := (last + 1) % len(b.nodes)
	return &url.URL{Scheme: "http", Host: b.nodes[i].host}, i, nil
}

// Silent: the function that makes the target gives the next one.
func (b *bucket) put(c *http.Client, tries int) (last error) {
	at := -1
	for i := 0; i < tries; i++ {
		base, chosen, err := b.urlNext(at)
		if err != nil {
			return err
		}
		at = chosen
		if last = query(c, base, "/put"); last == nil {
			return nil
		}
	}
	return last
}

// The same one is asked every time.
func same(c *http.Client, base *url.URL, tries int) (last error) {
	for i := 0; i < tries; i++ { // want `a failed query is repeated at once`
		if last = query(c, base, "/put"); last == nil {
			return nil
		}
	}
	return last
}
