package straight

import (
	"context"
	"errors"
	"net"
	"net/http"
	"strings"
)

// Each node tells a place of its own.
func create(client *http.Client, nodes []string, body string) (err error) {
	for _, node := range nodes {
		var named, made *http.Response
		named, err = client.Get("http://" + node + "/create")
		if err != nil {
			return err
		}
		named.Body.Close()
		place, ok := named.Header["Location"]
		if !ok || len(place) == 0 {
			return errors.New("no place")
		}
		made, err = client.Post(place[0], "text/plain", strings.NewReader(body))
		if err != nil {
			continue
		}
		return made.Body.Close()
	}
	return err
}

// One place is told before the first attempt.
func createThere(client *http.Client, place []string, body string) (err error) {
	var made *http.Response
	for range 3 { // want `a failed client.Post is repeated at once`
		made, err = client.Post(place[0], "text/plain", strings.NewReader(body))
		if err != nil {
			continue
		}
		return made.Body.Close()
	}
	return err
}

type brokerSession struct {
	conn  net.Conn
	limit int
}

type brokerLink struct{ s brokerSession }

func newBrokerLink(s brokerSession) *brokerLink { return &brokerLink{s} }

func (l *brokerLink) hello(ctx context.Context) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://broker.example.com", nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// What the link is made of is a connection to another broker each time.
func firstOf(ctx context.Context, brokers []string, s brokerSession) (l *brokerLink, err error) {
	for _, b := range brokers {
		s.conn, err = net.Dial("tcp", b)
		if err != nil {
			return nil, err
		}
		l = newBrokerLink(s)
		if err = l.hello(ctx); err == nil {
			return l, nil
		}
	}
	return nil, err
}
