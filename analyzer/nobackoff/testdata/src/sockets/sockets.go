package sockets

import (
	"net"
	"strings"
)

type transport struct {
	tcp   *net.TCPListener
	conns chan net.Conn
}

// open takes a port of the same machine.
func open(port int) (*transport, error) {
	ln, err := net.ListenTCP("tcp", &net.TCPAddr{Port: port})
	if err != nil {
		return nil, err
	}
	t := &transport{tcp: ln, conns: make(chan net.Conn)}
	go t.accept()
	return t, nil
}

func (t *transport) accept() {
	for {
		c, err := t.tcp.AcceptTCP()
		if err != nil {
			return
		}
		t.conns <- c
	}
}

func freePort(limit int) (t *transport, err error) {
	for try := 0; try < limit; try++ {
		if t, err = open(0); err == nil {
			return t, nil
		}
		if strings.Contains(err.Error(), "address already in use") {
			continue
		}
	}
	return nil, err
}

func dial(addr string) error {
	c, err := net.Dial("tcp", addr)
	if err != nil {
		return err
	}
	return c.Close()
}

// Who has the address that can't be listened on is on the same machine too.
func listen(addr string) (net.Listener, error) {
	var err error
	for range 5 {
		var ln net.Listener
		if ln, err = net.Listen("tcp", addr); err == nil {
			return ln, nil
		}
		if dialErr := dial(addr); dialErr == nil {
			return nil, nil
		}
	}
	return nil, err
}

func connect(addr, other string) (net.Listener, error) {
	ln, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, err
	}
	for range 5 { // want `a failed dial is repeated at once`
		if err = dial(other); err == nil {
			return ln, nil
		}
	}
	return nil, err
}

// A network that is handed in listens on this machine too, and dials away from it.
type network interface {
	ListenPacket(network, addr string) (net.PacketConn, error)
	Dial(network, addr string) (net.Conn, error)
}

func anyPort(n network, draw func() string) (conn net.PacketConn, err error) {
	for range 10 {
		if conn, err = n.ListenPacket("udp", draw()); err == nil {
			return conn, nil
		}
	}
	return nil, err
}

func outward(n network, addr string) (conn net.Conn, err error) {
	for range 10 { // want `a failed n.Dial is repeated at once`
		if conn, err = n.Dial("udp", addr); err == nil {
			return conn, nil
		}
	}
	return nil, err
}

// However it is made, a listener is opened on this machine.
func anyListener(n network, draw func() string) (ln net.Listener, err error) {
	listen := func(addr string) (net.Listener, error) {
		conn, err := n.Dial("tcp", addr)
		if err != nil {
			return nil, err
		}
		conn.Close()
		return net.Listen("tcp", addr)
	}
	for range 10 {
		if ln, err = listen(draw()); err == nil {
			return ln, nil
		}
	}
	return nil, err
}
