package statuses

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"time"
)

// What the body says goes into the error, and both ways come back.
func reads(c *http.Client, url string, body []byte) error {
	var last error
	for range 3 {
		time.Sleep(time.Second)
		resp, err := c.Post(url, "application/json", bytes.NewReader(body)) // want `retries c.Post even after a 400 or a 422`
		if err != nil {
			last = err
			continue
		}
		if resp.StatusCode >= 200 && resp.StatusCode < 300 {
			resp.Body.Close()
			return nil
		}
		text, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil {
			last = fmt.Errorf("status %d: %w", resp.StatusCode, err)
			continue
		}
		last = fmt.Errorf("status %d: %s", resp.StatusCode, text)
	}
	return last
}
