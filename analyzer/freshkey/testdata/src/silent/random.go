package silent

import (
	"crypto/rand"
	"encoding/hex"
	"net/http"
	"strconv"
	"time"
)

func randomKey() string {
	b := make([]byte, 16)
	rand.Read(b)
	return hex.EncodeToString(b)
}

// Made once, and the time that an attempt is sent at.
func randomOnce(c *http.Client, url string) error {
	key := randomKey()
	var err error
	for range 3 {
		req, _ := http.NewRequest(http.MethodPost, url, nil)
		req.Header.Set("Idempotency-Key", key)
		req.Header.Set("X-Sent", strconv.FormatInt(time.Now().UnixNano(), 10))
		req.Header.Set("X-Request-Id", strconv.FormatInt(time.Now().UnixNano(), 10))
		req.Header.Set("X-Nonce", randomKey())
		if _, err = c.Do(req); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

// What is written as hexadecimal digits was not drawn.
func digest(c *http.Client, url string, sum []byte) error {
	var err error
	for range 3 {
		req, _ := http.NewRequest(http.MethodPost, url, nil)
		req.Header.Set("Idempotency-Key", hex.EncodeToString(sum))
		if _, err = c.Do(req); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}
