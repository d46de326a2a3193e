package datagram

import (
	"errors"
	"io"
	"net"
	"strings"
)

type packet struct {
	id   uint32
	code int
}

type client struct {
	conn    net.Conn
	retries int
	next    uint32
	onRetry func(*client)
	onSent  func(*client)
	onReply func(*client)
	strict  bool
	debug   bool
}

func decode(data []byte, p *packet) error {
	if len(data) < 4 {
		return errors.New("short")
	}
	p.id = uint32(data[0])
	return nil
}

func (c *client) receive() ([]byte, error) {
	buf := make([]byte, 512)
	n, err := c.conn.Read(buf)
	return buf[:n], err
}

// A failed write goes straight to the next round; within a round, answers to
// earlier requests are passed over.
func (c *client) send(data []byte) (reply *packet, err error) {
	ids := make(map[uint32]bool)
	for attempt := 0; ; attempt++ { // want `a failed conn.Write is repeated at once`
		if attempt > 0 {
			if c.onRetry != nil {
				c.onRetry(c)
			}
			if attempt > c.retries {
				break
			}
		}
		c.next++
		ids[c.next] = true
		_, err = c.conn.Write(data)
		if err != nil {
			continue
		}
		if c.onSent != nil {
			c.onSent(c)
		}
		for {
			var data []byte
			data, err = c.receive()
			if err == io.EOF && strings.HasPrefix(c.conn.LocalAddr().Network(), "tcp") {
				attempt--
				break
			} else if err != nil {
				break
			}
			if c.onReply != nil {
				c.onReply(c)
			}
			reply = new(packet)
			if err = decode(data, reply); err != nil {
				break
			}
			if !ids[reply.id] {
				continue
			}
			break
		}
		if err != nil {
			continue
		}
		return reply, nil
	}
	return nil, err
}
