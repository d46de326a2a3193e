package silent

import "net/http"

// Zero means that there is no limit.
func Unlimited(client *http.Client, req *http.Request, attempts int) (err error) {
	for i := 0; attempts <= 0 || i < attempts; i++ {
		if _, err = client.Do(req); err == nil {
			return nil
		}
	}
	return err
}
