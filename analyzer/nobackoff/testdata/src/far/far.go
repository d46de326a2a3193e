// Package far has functions that call each other.
package far

import (
	"fmt"
	"net"
)

type node struct {
	conn net.Conn
	addr string
}

// ask comes first, so that the others are looked at by its way.
func (n *node) ask(cmd string) (string, error) {
	for range 3 {
		if err := n.login(cmd); err != nil {
			return "", err
		}
	}
	return cmd, nil
}

func (n *node) login(cmd string) error {
	if err := n.open(cmd); err != nil {
		return err
	}
	return n.check(cmd)
}

func (n *node) open(cmd string) error {
	if n.conn == nil {
		return n.check(cmd)
	}
	conn, err := net.Dial("tcp", n.addr)
	n.conn = conn
	return err
}

func (n *node) check(cmd string) error {
	if cmd == "" {
		return fmt.Errorf("%s: no command", n.addr)
	}
	return n.login(cmd[1:])
}

func (n *node) checkAgain(cmd string) (err error) {
	for i := 0; i < 5; i++ { // want `a failed n.check is repeated at once`
		if err = n.check(cmd); err == nil {
			return nil
		}
	}
	return err
}
