package silent

import (
	"fmt"
	"net/http"
	"time"
)

// The literal knows which attempt is the last, and gives an error then.
func literal(c *http.Client, req *http.Request, seen func(int)) error {
	for i := 0; i < 3; i++ {
		err, retry := func() (error, bool) {
			resp, err := c.Do(req)
			if err != nil {
				return err, false
			}
			defer resp.Body.Close()
			seen(resp.StatusCode)
			if resp.StatusCode >= 500 {
				if i < 2 {
					return nil, true
				}
				return fmt.Errorf("status %s", resp.Status), false
			}
			return nil, false
		}()
		if err != nil {
			return err
		}
		if retry {
			time.Sleep(time.Second)
			continue
		}
		return nil
	}
	return nil
}
