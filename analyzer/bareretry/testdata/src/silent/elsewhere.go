package silent

import (
	"context"
	"errors"
	"math/rand"
	"net"
	"net/http"
	"net/rpc"
)

func randomPort() int { return rand.Intn(60000) + 1024 }

type gateway struct{ c *rpc.Client }

func (g *gateway) add(inside, outside int) error { return g.c.Call("add", inside, &outside) }

// Another port each time.
func mapPort(g *gateway, inside int) (int, error) {
	var err error
	for range 3 {
		port := randomPort()
		if err = g.add(inside, port); err == nil {
			return port, nil
		}
	}
	return 0, err
}

type conn struct{ c net.Conn }

func (c *conn) open(ctx context.Context) (net.Conn, error) {
	var d net.Dialer
	return d.DialContext(ctx, "tcp", "server:80")
}

func (c *conn) closed() bool { return c.c == nil }

type pool struct{ conns []*conn }

func (p *pool) best() *conn { return p.conns[0] }

// Only where the connection turns out to be closed.
func stream(ctx context.Context, p *pool) (net.Conn, error) {
	for range 3 {
		c := p.best()
		s, err := c.open(ctx)
		if err != nil {
			if c.closed() {
				continue
			}
			return nil, err
		}
		return s, nil
	}
	return nil, errors.New("all connections are closed")
}

func (g *gateway) admit(a net.Addr) error { return g.c.Call("admit", a, nil) }

// The next connection that somebody opens.
func admitted(l net.Listener, g *gateway) (net.Conn, error) {
	for {
		c, err := l.Accept()
		if err != nil {
			return nil, err
		}
		if err := g.admit(c.RemoteAddr()); err != nil {
			c.Close()
			continue
		}
		return c, nil
	}
}

type protocol interface {
	Parse(map[string]string) error
	Dial(context.Context) (net.Conn, error)
}

func instances(ctx context.Context) (map[string]string, error) {
	resp, err := http.Get("http://browser/")
	if err != nil {
		return nil, err
	}
	return nil, resp.Body.Close()
}

// What is asked once on the way to the protocol that works.
func firstThatWorks(ctx context.Context, names []string, by map[string]protocol) (c net.Conn, err error) {
	var known map[string]string
	for _, name := range names {
		p := by[name]
		if known == nil {
			known, err = instances(ctx)
			if err != nil {
				println(err.Error())
			}
		}
		if err = p.Parse(known); err != nil {
			continue
		}
		if c, err = p.Dial(ctx); c != nil {
			return c, nil
		}
	}
	return nil, err
}
