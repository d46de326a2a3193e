package open

import (
	"io"
	"net/http"
	"time"
)

func leaks(client *http.Client, req *http.Request) (resp *http.Response, err error) {
	for range 3 {
		resp, err = client.Do(req) // want `resp stays open when client.Do is repeated, so that each failed attempt keeps a connection; drain and close resp.Body before the next one`
		if err == nil && resp.StatusCode < 500 {
			return resp, nil
		}
		time.Sleep(time.Second)
	}
	return resp, err
}

func closes(client *http.Client, req *http.Request) (resp *http.Response, err error) {
	for range 3 {
		resp, err = client.Do(req)
		if err == nil && resp.StatusCode < 500 {
			return resp, nil
		}
		if err == nil {
			io.Copy(io.Discard, resp.Body)
			resp.Body.Close()
		}
		time.Sleep(time.Second)
	}
	return resp, err
}

func drain(resp *http.Response) {
	if resp != nil {
		resp.Body.Close()
	}
}

func inHelper(client *http.Client, req *http.Request) (resp *http.Response, err error) {
	for range 3 {
		resp, err = client.Do(req)
		if err == nil && resp.StatusCode < 500 {
			return resp, nil
		}
		drain(resp)
		time.Sleep(time.Second)
	}
	return nil, err
}

func delay(resp *http.Response) time.Duration {
	if resp != nil && resp.Header.Get("Retry-After") != "" {
		return time.Minute
	}
	return time.Second
}

func looksOnly(client *http.Client, req *http.Request) (resp *http.Response, err error) {
	for range 3 {
		resp, err = client.Do(req) // want `resp stays open`
		if err == nil && resp.StatusCode < 500 {
			return resp, nil
		}
		time.Sleep(delay(resp))
	}
	return nil, err
}

// Without a response there is nothing to close.
func errorsOnly(client *http.Client, req *http.Request) (resp *http.Response, err error) {
	for range 3 {
		resp, err = client.Do(req)
		if err == nil {
			return resp, nil
		}
		time.Sleep(time.Second)
	}
	return nil, err
}

// There is nothing to close where there is no body, and the last attempt's is
// the caller's.
func guarded(rt http.RoundTripper, req *http.Request, n int) (res *http.Response, err error) {
	for i := 0; i <= n; i++ {
		res, err = rt.RoundTrip(req)
		if err == nil && res.StatusCode < 500 {
			break
		}
		if err == nil && i < n {
			if res.Body != nil {
				res.Body.Close()
			}
		}
		time.Sleep(time.Second)
	}
	return res, err
}

func open(rt http.RoundTripper, req *http.Request, n int) (res *http.Response, err error) {
	for i := 0; i <= n; i++ {
		res, err = rt.RoundTrip(req) // want `res stays open when rt.RoundTrip is repeated`
		if err == nil && res.StatusCode < 500 {
			break
		}
		if i < n {
			time.Sleep(time.Second)
		}
	}
	return res, err
}

// Both conditions at once say that there is nothing to close.
func guardedAtOnce(rt http.RoundTripper, req *http.Request, n int) (res *http.Response, err error) {
	for i := 0; i <= n; i++ {
		res, err = rt.RoundTrip(req)
		if err == nil && res.StatusCode < 500 || i >= n {
			break
		}
		if res != nil && res.Body != nil {
			res.Body.Close()
		}
		time.Sleep(time.Second)
	}
	return res, err
}

func guardedByStatus(rt http.RoundTripper, req *http.Request, n int) (res *http.Response, err error) {
	for i := 0; i <= n; i++ {
		res, err = rt.RoundTrip(req) // want `res stays open when rt.RoundTrip is repeated`
		if err == nil && res.StatusCode < 500 || i >= n {
			break
		}
		if res != nil && res.StatusCode == 503 {
			res.Body.Close()
		}
		time.Sleep(time.Second)
	}
	return res, err
}

func worthAnother(req *http.Request, res *http.Response) bool {
	if req.Body != nil && req.GetBody == nil {
		return false
	}
	if res == nil {
		return true
	}
	return res.StatusCode >= 500
}

type client struct {
	request *http.Request
	retries int
}

// What the function that judges has found out of the response is known here.
func (c *client) judged(handler func(*http.Request) (*http.Response, error)) (res *http.Response, err error) {
	for n := 0; n <= c.retries; n++ {
		res, err = handler(c.request.Clone(c.request.Context()))
		if !worthAnother(c.request, res) || n >= c.retries {
			break
		}
		if c.request.GetBody == nil && c.request.Body != nil {
			break
		}
		if res != nil && res.Body != nil {
			res.Body.Close()
		}
		time.Sleep(time.Second)
	}
	return res, err
}

type api struct{ client *http.Client }

// send has read the response when it gives it.
func (a *api) send(req *http.Request) (resp *http.Response, again bool, err error) {
	if resp, err = a.client.Do(req); err != nil {
		return nil, true, err
	}
	defer resp.Body.Close()
	_, err = io.Copy(io.Discard, resp.Body)
	return resp, true, err
}

func readThere(a *api, req *http.Request) (resp *http.Response, err error) {
	for range 3 {
		resp, _, err = a.send(req)
		if err == nil && resp.StatusCode < 500 {
			return resp, nil
		}
		time.Sleep(time.Second)
	}
	return resp, err
}

func (a *api) pass(req *http.Request) (*http.Response, error) { return a.client.Do(req) }

func readNowhere(a *api, req *http.Request) (resp *http.Response, err error) {
	for range 3 {
		resp, err = a.pass(req) // want `resp stays open when a.pass is repeated`
		if err == nil && resp.StatusCode < 500 {
			return resp, nil
		}
		time.Sleep(time.Second)
	}
	return resp, err
}

func shouldRetry(err error) bool { return err != nil && err != io.EOF }

// There is no response where there is something to retry.
func judgedByError(a *api, req *http.Request) (*http.Response, error) {
	for range 3 {
		resp, err := a.pass(req)
		if shouldRetry(err) {
			time.Sleep(time.Second)
			continue
		}
		return resp, err
	}
	return nil, io.EOF
}
