package silent

import (
	"context"
	"errors"
	"fmt"
	"log"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"sync/atomic"
	"syscall"
	"time"

	"payments"
)

func is(ctx context.Context, c *payments.Client, o payments.Order) (err error) {
	for i := 0; i < 3; i++ {
		if err = c.Charge(ctx, o); err == nil {
			return nil
		}
		if !errors.Is(err, payments.ErrUnavailable) {
			return err
		}
	}
	return err
}

func as(ctx context.Context, c *payments.Client, o payments.Order) (err error) {
	for i := 0; i < 3; i++ {
		err = c.Charge(ctx, o)
		var api *payments.APIError
		if err == nil || errors.As(err, &api) && api.Status < 500 {
			return err
		}
	}
	return err
}

func predicate(ctx context.Context, c *payments.Client, o payments.Order) (err error) {
	for i := 0; i < 3; i++ {
		err = c.Charge(ctx, o)
		if !payments.IsTransient(err) {
			return err
		}
	}
	return err
}

func typeSwitch(ctx context.Context, c *payments.Client, o payments.Order) error {
	for i := 0; i < 3; i++ {
		switch err := c.Charge(ctx, o).(type) {
		case nil:
			return nil
		case *payments.APIError:
			continue
		default:
			return err
		}
	}
	return nil
}

func sentinel(ctx context.Context, c *payments.Client, o payments.Order) error {
	for i := 0; i < 3; i++ {
		switch err := c.Charge(ctx, o); err {
		case nil:
			return nil
		case payments.ErrUnavailable:
		default:
			return err
		}
	}
	return nil
}

func status(client *http.Client, req *http.Request) (*http.Response, error) {
	for i := 0; i < 3; i++ {
		resp, err := client.Do(req)
		if err == nil && resp.StatusCode < 500 {
			return resp, nil
		}
		time.Sleep(time.Second)
	}
	return nil, errors.New("gave up")
}

func retryFlag(ctx context.Context, c *payments.Client, o payments.Order) error {
	for i := 0; i < 3; i++ {
		again, err := try(ctx, c, o)
		if err == nil || !again {
			return err
		}
	}
	return nil
}

func try(ctx context.Context, c *payments.Client, o payments.Order) (retry bool, err error) {
	err = c.Charge(ctx, o)
	return payments.IsTransient(err), err
}

func items(ctx context.Context, c *payments.Client, orders []payments.Order) {
	for _, o := range orders {
		if err := c.Charge(ctx, o); err != nil {
			continue
		}
	}
}

func fallback(ctx context.Context, addrs []string) (net.Conn, error) {
	for _, a := range addrs {
		conn, err := net.Dial("tcp", a)
		if err == nil {
			return conn, nil
		}
	}
	return nil, errors.New("no address answers")
}

func fallbackByIndex(clients []*payments.Client, ctx context.Context, o payments.Order) (err error) {
	for i := 0; i < len(clients); i++ {
		if err = clients[i].Charge(ctx, o); err == nil {
			return nil
		}
	}
	return err
}

func accept(l net.Listener) {
	for {
		conn, err := l.Accept()
		if err != nil {
			time.Sleep(time.Second)
			continue
		}
		go conn.Close()
	}
}

func worker(ctx context.Context, c *payments.Client, orders chan payments.Order) {
	for {
		o := <-orders
		if err := c.Charge(ctx, o); err != nil {
			continue
		}
	}
}

func ticker(ctx context.Context, c *payments.Client) {
	for range time.Tick(time.Second) {
		if _, err := c.Find(ctx, "1"); err != nil {
			continue
		}
	}
}

func poll(ctx context.Context, c *payments.Client) (*payments.Order, error) {
	for {
		o, err := c.Find(ctx, "1")
		if err != nil {
			return nil, err
		}
		if o.ID == "done" {
			return o, nil
		}
		time.Sleep(time.Second)
	}
}

func tolerantPoll(ctx context.Context, c *payments.Client) *payments.Order {
	for {
		o, err := c.Find(ctx, "1")
		if err == nil && o.ID == "done" {
			return o
		}
		time.Sleep(time.Second)
	}
}

func port() (l net.Listener, err error) {
	for port := 8000; port < 8100; port++ {
		if l, err = net.Listen("tcp", fmt.Sprint(":", port)); err == nil {
			return l, nil
		}
	}
	return nil, err
}

func tempName() (*os.File, error) {
	for i := 0; i < 100; i++ {
		f, err := os.OpenFile(fmt.Sprint("x", rand.Int()), os.O_CREATE|os.O_EXCL, 0o600)
		if err == nil {
			return f, nil
		}
	}
	return nil, errors.New("no name is free")
}

func cas(v *atomic.Int64) {
	for {
		old := v.Load()
		if v.CompareAndSwap(old, old+1) {
			return
		}
	}
}

func local() (err error) {
	for i := 0; i < 3; i++ {
		if err = os.Remove("x"); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

func suppressed(ctx context.Context, c *payments.Client, o payments.Order) (err error) {
	for i := 0; i < 3; i++ { //nolint:bareretry // every error of it is transient
		if err = c.Charge(ctx, o); err == nil {
			return nil
		}
	}
	return err
}

type policy struct{ n int }

func (p *policy) onFailure(err error) { p.n++ }
func (p *policy) goOn() bool          { return p.n < 3 }

func policyDecides(ctx context.Context, c *payments.Client, o payments.Order) (err error) {
	p := &policy{}
	for p.goOn() {
		if err = c.Charge(ctx, o); err == nil {
			return nil
		}
		p.onFailure(err)
	}
	return err
}

var errAuthorizationPending = errors.New("authorization_pending")

// The other side is not done yet: that is no failure.
func device(ctx context.Context, c *payments.Client, o payments.Order) error {
	for {
		err := c.Charge(ctx, o)
		if err == nil || err != errAuthorizationPending {
			return err
		}
		time.Sleep(time.Second)
	}
}

// An abort whose error nobody looks at is not what is retried.
func aborts(ctx context.Context, c *payments.Client, o payments.Order) (err error) {
	for {
		if err = c.Charge(ctx, o); !payments.IsTransient(err) {
			return err
		}
		_ = c.Charge(ctx, payments.Order{})
	}
}

// The list is gone through, whatever the loop looks like.
func goesThrough(ctx context.Context, hosts []string) (conn net.Conn, err error) {
	for i := 0; i != len(hosts) && conn == nil; i++ {
		host := hosts[i]
		conn, err = net.Dial("tcp", host)
	}
	return conn, err
}

// What the answer is kept in is asked whether it failed.
type answer struct{ r *payments.Order }

func (a *answer) SetOrder(o *payments.Order) { a.r = o }
func (a *answer) IsFail() bool               { return a.r == nil }

func kept(ctx context.Context, c *payments.Client, a *answer) error {
	for i := 0; i < 3; i++ {
		o, err := c.Find(ctx, "1")
		if err != nil {
			if !payments.IsTransient(err) {
				return err
			}
			continue
		}
		a.SetOrder(o)
		if a.IsFail() {
			continue
		}
		return nil
	}
	return nil
}

func interrupted(fn func() error) error {
	for {
		if err := fn(); err != syscall.EINTR {
			return err
		}
	}
}

func receiver(ctx context.Context, c *payments.Client) error {
	var failures int
	for {
		o, err := c.Find(ctx, "1")
		if err != nil {
			if errors.Is(err, net.ErrClosed) {
				return err
			}
			failures++
			if failures > 0 {
				time.Sleep(time.Second)
			}
			continue
		}
		failures = 0
		switch o.ID {
		case "ping":
		case "pong":
			failures--
		}
	}
}

// handle answers with what to return, nil to go on.
func handle(c *payments.Client, err error) error {
	if c == nil {
		return err
	}
	return nil
}

func handled(ctx context.Context, c *payments.Client, o payments.Order) error {
	for {
		err := c.Charge(ctx, o)
		if err == nil {
			return nil
		}
		if stop := handle(c, err); stop != nil {
			return stop
		}
	}
}

func use(resp *http.Response) error { return resp.Body.Close() }

// Success comes back, and any error leaves: the next round is the next step.
func steps(c *http.Client, r *http.Request) error {
	for {
		resp, err := c.Do(r)
		if err != nil {
			return err
		}
		if err := use(resp); err != nil {
			return err
		}
	}
}

func stepsShared(c *http.Client, r *http.Request) error {
	var resp *http.Response
	var err error
	for {
		if resp, err = c.Do(r); err != nil {
			break
		}
		if err = use(resp); err != nil {
			break
		}
	}
	return err
}

func quietest(clients []*payments.Client) int { return len(clients) - 1 }

// Each client is asked once: the one that failed is taken off the list.
func takenOff(ctx context.Context, clients []*payments.Client, o payments.Order) (err error) {
	for {
		at := quietest(clients)
		if at < 0 {
			return err
		}
		c := clients[at]
		clients = clients[:at]
		if err = c.Charge(ctx, o); err == nil {
			return nil
		}
	}
}

type ring struct {
	clients []*payments.Client
	at      int
}

func (r *ring) Size() int { return len(r.clients) }

func (r *ring) turn() *payments.Client {
	c := r.clients[r.at%len(r.clients)]
	r.at++
	return c
}

// As many rounds as there are clients, and each has the one whose turn it is.
func (r *ring) each(ctx context.Context, o payments.Order) (err error) {
	for i := 0; i < r.Size(); i++ {
		if err = r.turn().Charge(ctx, o); err == nil {
			return nil
		}
	}
	return err
}

// The loop leaves where it would come to the same order again.
func notTwice(ctx context.Context, c *payments.Client, newest func() (string, error)) (*payments.Order, error) {
	var failed string
	var last error
	for {
		id, err := newest()
		if err != nil {
			return nil, err
		}
		if id == failed {
			return nil, last
		}
		o, err := c.Find(ctx, id)
		if err == nil {
			return o, nil
		}
		failed, last = id, err
	}
}

// What may be in the way is taken away before the one attempt that follows.
func replace(ctx context.Context, c *payments.Client, o payments.Order) (err error) {
	for i := 0; i < 2; i++ {
		if err = c.Charge(ctx, o); err == nil {
			break
		}
		if i > 0 {
			break
		}
		if err = c.Cancel(ctx, o); err != nil {
			break
		}
	}
	return err
}

// Only what took too long is asked for again.
func timedOut(ctx context.Context, c *payments.Client, o payments.Order) (err error) {
	for i := 0; i < 3; i++ {
		err = c.Charge(ctx, o)
		if err != nil {
			log.Printf("attempt %d: %v", i+1, err)
		}
		if errors.Is(err, context.DeadlineExceeded) {
			continue
		}
		return
	}
	return
}
