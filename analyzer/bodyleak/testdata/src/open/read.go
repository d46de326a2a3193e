package open

import (
	"encoding/json"
	"io"
	"net/http"
	"time"
)

func read(url string, v any) (err error) {
	for i := 0; i < 3; i++ {
		var resp *http.Response
		resp, err = http.Get(url) // want `resp stays open when http.Get is repeated`
		if err != nil {
			time.Sleep(time.Second)
			continue
		}
		if err = json.NewDecoder(resp.Body).Decode(v); err != nil {
			time.Sleep(time.Second)
			continue
		}
		return resp.Body.Close()
	}
	return err
}

// Silent: closed once it was read.
func readAll(url string, v any) (err error) {
	for i := 0; i < 3; i++ {
		var resp *http.Response
		resp, err = http.Get(url)
		if err != nil {
			time.Sleep(time.Second)
			continue
		}
		var b []byte
		b, err = io.ReadAll(resp.Body)
		resp.Body.Close()
		if err == nil {
			return json.Unmarshal(b, v)
		}
		time.Sleep(time.Second)
	}
	return err
}
