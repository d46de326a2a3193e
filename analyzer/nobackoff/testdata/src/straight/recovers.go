package straight

import (
	"net"
	"net/http"
	"time"
)

// The pause comes before the new connection, in the function that makes it.
func recovers(client *http.Client, req *http.Request, conn *net.Conn) (*http.Response, error) {
	again := func() {
		time.Sleep(time.Second)
		*conn, _ = net.Dial("tcp", req.Host)
	}
	for {
		resp, err := client.Do(req)
		if err == nil {
			return resp, nil
		}
		again()
	}
}
