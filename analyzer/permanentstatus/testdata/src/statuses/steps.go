package statuses

import (
	"io"
	"net/http"
	"time"
)

// Of two requests of a round one may be left out.
func challenged(c *http.Client, url string, n int) (body []byte, err error) {
	for i := 0; i <= n; i++ {
		if i > 0 {
			time.Sleep(time.Second)
		}
		var resp *http.Response
		resp, err = c.Get(url)
		if err != nil {
			continue
		}
		if resp.StatusCode == http.StatusPaymentRequired {
			resp.Body.Close()
			resp, err = c.Get(url + "?paid") // want `retries c.Get even after a 400 or a 422`
			if err != nil {
				continue
			}
		}
		if resp.StatusCode != http.StatusOK {
			resp.Body.Close()
			continue
		}
		body, err = io.ReadAll(resp.Body)
		resp.Body.Close()
		if err == nil {
			return body, nil
		}
	}
	return nil, err
}

// Silent: of the first one nobody asks how it went, and the second one's 400
// leaves.
func warmed(c *http.Client, url string, n int) (body []byte, err error) {
	for i := 0; i <= n; i++ {
		if i > 0 {
			time.Sleep(time.Second)
		}
		warm, err := c.Get(url + "/warm")
		if err != nil {
			continue
		}
		warm.Body.Close()
		resp, err := c.Get(url)
		if err != nil {
			continue
		}
		if resp.StatusCode < 500 {
			defer resp.Body.Close()
			return io.ReadAll(resp.Body)
		}
		resp.Body.Close()
	}
	return nil, err
}

// What is made before each attempt takes the variable of its error.
func rebuilt(c *http.Client, url string, n int) (*http.Response, error) {
	var err error
	tries := 0
	for {
		tries++
		if tries > n {
			break
		}
		var req *http.Request
		req, err = http.NewRequest(http.MethodGet, url, nil)
		if err != nil {
			return nil, err
		}
		var resp *http.Response
		resp, err = c.Do(req) // want `retries c.Do even after a 400 or a 422`
		if err != nil {
			time.Sleep(time.Second)
			continue
		}
		switch resp.StatusCode {
		case http.StatusOK, http.StatusNotModified:
			return resp, nil
		default:
			resp.Body.Close()
			time.Sleep(time.Second)
			continue
		}
	}
	return nil, err
}
