package oldrand

import (
	"math/rand"
	"net/http"
	"time"
)

// The name that the fix needs is another package's here: no fix.
func taken(client *http.Client, req *http.Request) (resp *http.Response, err error) {
	first := rand.Intn(10)
	for i := first; i < first+3; i++ {
		if resp, err = client.Do(req); err == nil {
			return resp, nil
		}
		time.Sleep(time.Second) // want `the same number`
	}
	return nil, err
}
