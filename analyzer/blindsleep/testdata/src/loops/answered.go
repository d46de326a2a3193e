package loops

import (
	"context"
	"log"
	"net"
	"time"
)

// What is asked for is the connection, and the error only told.
func untilThere(ctx context.Context) net.Conn {
	var conn net.Conn
	for conn == nil {
		time.Sleep(time.Second) // want `waits 1s with time.Sleep before retrying net.Dial, so a cancelled ctx still waits it out`
		var err error
		if conn, err = net.Dial("tcp", "server:80"); err != nil {
			log.Println("no connection yet:", err)
		}
	}
	return conn
}

func untilSet(ctx context.Context) (c net.Conn) {
	for {
		conn, err := net.Dial("tcp", "server:80")
		if err != nil {
			log.Println("no connection yet:", err)
		}
		if conn != nil {
			c = conn
			break
		}
		time.Sleep(time.Second) // want `waits 1s with time.Sleep before retrying net.Dial`
	}
	return c
}

// The timer fires at once the first time, and is set for those that follow.
func setAfter(ctx context.Context) net.Conn {
	t := time.NewTimer(0)
	defer t.Stop()
	for {
		<-t.C // want `waits .*before retrying net.Dial`
		if conn, err := net.Dial("tcp", "server:80"); err == nil {
			return conn
		}
		t.Reset(time.Second)
	}
}
