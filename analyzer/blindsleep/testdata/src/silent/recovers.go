package silent

import (
	"net/http"
	"time"
)

// Here it is the state of something else that is waited for.
func ready(client *http.Client, url string) (*created, error) {
	for {
		c, err := look(client, url)
		if err != nil {
			return nil, err
		}
		if c.StatusCode != http.StatusAccepted {
			return c, nil
		}
		time.Sleep(time.Second)
	}
}

type created struct{ StatusCode int }

func look(client *http.Client, url string) (*created, error) {
	resp, err := client.Get(url)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	return &created{StatusCode: resp.StatusCode}, nil
}
