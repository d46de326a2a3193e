package silent

import (
	"context"
	"errors"
	"net/http"
	"time"
)

type tableClient struct {
	http        *http.Client
	retriesOn   map[int]bool
	retriesOnly [600]bool
	most        int
}

// Only an answer whose status is in the table comes back.
func (c *tableClient) do(req *http.Request) (*http.Response, error) {
	for n := 0; ; n++ {
		resp, err := c.http.Do(req)
		if err != nil {
			if errors.Is(err, context.DeadlineExceeded) {
				return nil, errSlow
			}
			return nil, err
		}
		if c.retriesOn[resp.StatusCode] && n < c.most {
			resp.Body.Close()
			time.Sleep(time.Second)
			continue
		}
		return resp, nil
	}
}

var errSlow = errors.New("slow")

func (c *tableClient) array(req *http.Request) (resp *http.Response, err error) {
	for n := 0; n < c.most; n++ {
		resp, err = c.http.Do(req)
		if err != nil || !c.retriesOnly[resp.StatusCode] {
			break
		}
		resp.Body.Close()
		time.Sleep(time.Second)
	}
	return resp, err
}
