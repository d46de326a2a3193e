package recursion

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"
)

var errBusy = errors.New("busy")

type client struct{ http *http.Client }

func (c *client) charge(ctx context.Context, order string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://payments/"+order, nil)
	if err != nil {
		return err
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

const most = 4

func (c *client) up(ctx context.Context, order string, attempt int) error {
	err := c.charge(ctx, order) // want `retries every error from c.charge`
	if err == nil {
		return nil
	}
	if attempt >= most {
		return fmt.Errorf("charge: %w", err)
	}
	time.Sleep(time.Second)
	return c.up(ctx, order, attempt+1)
}

func down(ctx context.Context, c *client, order string, retries int) error {
	if err := c.charge(ctx, order); err != nil { // want `retries every error from c.charge`
		if retries > 0 {
			return down(ctx, c, order, retries-1)
		}
		return err
	}
	return nil
}

// Silent: something asks what failed.
func (c *client) asks(ctx context.Context, order string, attempt int) error {
	err := c.charge(ctx, order)
	if errors.Is(err, errBusy) && attempt < most {
		time.Sleep(time.Second)
		return c.asks(ctx, order, attempt+1)
	}
	return err
}

// Silent: the next page is another target.
func (c *client) pages(ctx context.Context, page string, n int) error {
	if err := c.charge(ctx, page); err != nil && n > 0 {
		return c.pages(ctx, page+"x", n-1)
	}
	return nil
}

// Silent: success comes back too.
func (c *client) each(ctx context.Context, order string, n int) error {
	if err := c.charge(ctx, order); err != nil {
		return err
	}
	if n == 0 {
		return nil
	}
	return c.each(ctx, order, n-1)
}

// Nothing counts, so that it goes on for as long as it fails.
func (c *client) uncounted(ctx context.Context, order string) error {
	if err := c.charge(ctx, order); err != nil { // want `retries every error from c.charge`
		time.Sleep(time.Second)
		return c.uncounted(ctx, order)
	}
	return nil
}

// Silent: the next one is a part of it.
func (c *client) parts(ctx context.Context, order []string) error {
	if err := c.charge(ctx, order[0]); err != nil {
		return c.parts(ctx, order[1:])
	}
	return nil
}

// Silent: it goes down a tree.
func (c *client) tree(ctx context.Context, order string, depth int) error {
	if depth == 0 {
		return c.charge(ctx, order)
	}
	if err := c.tree(ctx, order, depth-1); err != nil {
		return err
	}
	return c.tree(ctx, order, depth-1)
}

// Silent: another one is called.
func (c *client) other(ctx context.Context, d *client, order string, n int) error {
	if err := c.charge(ctx, order); err != nil && n > 0 {
		return d.other(ctx, c, order, n-1)
	}
	return nil
}
