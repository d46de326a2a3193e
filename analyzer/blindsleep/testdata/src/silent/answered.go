package silent

import (
	"log"
	"net"
	"time"
)

// Each round tells the other side, whatever comes of it.
func beats(stop chan struct{}) {
	for {
		select {
		case <-stop:
			return
		default:
		}
		conn, err := net.Dial("tcp", "server:80")
		if err != nil {
			log.Println("no beat:", err)
		}
		if conn != nil {
			conn.Close()
		}
		time.Sleep(time.Second)
	}
}
