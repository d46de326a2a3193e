package literal

import (
	"fmt"
	"io"
	"net/http"
	"time"
)

func once(c *http.Client, url string) error {
	resp, err := c.Get(url) // want `resp stays open when c.Get is repeated`
	if err != nil {
		return err
	}
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("status %d", resp.StatusCode)
	}
	defer resp.Body.Close()
	_, err = io.Copy(io.Discard, resp.Body)
	return err
}

func repeated(c *http.Client, url string) (err error) {
	for range 3 {
		if err = once(c, url); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

// It is closed first.
func closed(c *http.Client, url string) error {
	resp, err := c.Get(url)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("status %d", resp.StatusCode)
	}
	return nil
}

func repeatedClosed(c *http.Client, url string) (err error) {
	for range 3 {
		if err = closed(c, url); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

type failed struct{ resp *http.Response }

func (f *failed) Error() string { return f.resp.Status }

// Whoever gets the error has the response.
func kept(c *http.Client, url string) error {
	resp, err := c.Get(url)
	if err != nil {
		return err
	}
	if resp.StatusCode != http.StatusOK {
		return &failed{resp}
	}
	return resp.Body.Close()
}

func repeatedKept(c *http.Client, url string) (err error) {
	for range 3 {
		if err = kept(c, url); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

// Only a success leaves it open here, which does not come back.
func opened(c *http.Client, url string, use func(int)) error {
	resp, err := c.Get(url)
	if err != nil {
		return err
	}
	if resp.StatusCode != http.StatusOK {
		resp.Body.Close()
		return fmt.Errorf("status %d", resp.StatusCode)
	}
	use(resp.StatusCode)
	return nil
}

func repeatedOpened(c *http.Client, url string, use func(int)) (err error) {
	for range 3 {
		if err = opened(c, url, use); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}
