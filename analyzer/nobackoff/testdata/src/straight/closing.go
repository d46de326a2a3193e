package straight

import (
	"errors"
	"net/http"
)

type conn struct{ client *http.Client }

func (c *conn) closeLocked() error {
	_, err := c.client.Post("http://localhost/close", "", nil)
	return err
}

// That closing failed is reported, and is not why it goes on.
func (c *conn) redirected(url func() string, report func(error)) error {
	for i := 0; i < 10; i++ { // want `a failed client.Get is repeated at once`
		resp, err := c.client.Get("http://localhost/")
		if err == nil {
			return resp.Body.Close()
		}
		if cerr := c.closeLocked(); cerr != nil && report != nil {
			go report(cerr)
		}
	}
	return errors.New("too many attempts")
}
