package loops

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"io"
	mathrand "math/rand"
	"net/http"
	"strconv"
	"time"
)

func randomKey() string {
	b := make([]byte, 16)
	if _, err := rand.Read(b); err != nil {
		panic(err)
	}
	return hex.EncodeToString(b)
}

const letters = "abcdefghijklmnopqrstuvwxyz"

func lettersKey(n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = letters[mathrand.Intn(len(letters))]
	}
	return string(b)
}

func request(url string) *http.Request {
	req, _ := http.NewRequest(http.MethodPost, url, nil)
	return req
}

func byHelper(c *http.Client, url string) error {
	var err error
	for range 3 {
		req := request(url)
		req.Header.Set("Idempotency-Key", randomKey()) // want `makes a new Idempotency-Key with randomKey for each attempt`
		if _, err = c.Do(req); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

func byLetters(c *http.Client, url string) error {
	var err error
	for range 3 {
		req := request(url)
		req.Header.Set("Idempotency-Key", lettersKey(20)) // want `makes a new Idempotency-Key with lettersKey for each attempt`
		if _, err = c.Do(req); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

func inPlace(c *http.Client, url string) error {
	var err error
	for range 3 {
		var b [16]byte
		if _, err := io.ReadFull(rand.Reader, b[:]); err != nil {
			return err
		}
		req := request(url)
		req.Header.Set("Idempotency-Key", fmt.Sprintf("%x", b[:])) // want `makes a new Idempotency-Key with fmt.Sprintf for each attempt`
		if _, err = c.Do(req); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

func byClock(c *http.Client, url string) error {
	var err error
	for range 3 {
		req := request(url)
		req.Header.Set("Idempotency-Key", strconv.FormatInt(time.Now().UnixNano(), 10)) // want `makes a new Idempotency-Key with .* for each attempt`
		if _, err = c.Do(req); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}
