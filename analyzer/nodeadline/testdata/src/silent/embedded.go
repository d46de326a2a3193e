package silent

import (
	"net/rpc"
	"time"
)

// What embeds a client may limit each call by its transport.
type limitedClient struct{ *rpc.Client }

func callEmbedded(c *limitedClient, n int) (err error) {
	for range n {
		var answer string
		if err = c.Call("Service.Method", "argument", &answer); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}
