package contains

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"time"
)

func inLoop(client *http.Client, req *http.Request) (*http.Response, error) {
	var err error
	for attempt := 0; attempt < 3; attempt++ {
		var resp *http.Response
		resp, err = client.Do(req)
		if err == nil {
			return resp, nil
		}
		if !strings.Contains(err.Error(), "connection refused") { // want `whether to retry is decided by the text of err \("connection refused"\), which changes without notice; use errors.Is\(err, syscall.ECONNREFUSED\)`
			return nil, err
		}
		time.Sleep(time.Second)
	}
	return nil, err
}

func throughVariable(client *http.Client, req *http.Request) (*http.Response, error) {
	for {
		resp, err := client.Do(req)
		if err == nil {
			return resp, nil
		}
		msg := strings.ToLower(err.Error())
		transient := strings.HasSuffix(msg, "quota exceeded") || // want `the text of err \("quota exceeded"\)`
			msg == "try again" // a part of the same condition
		if !transient {
			return nil, err
		}
		time.Sleep(time.Second)
	}
}

var busy = regexp.MustCompile(`server (is )?busy`)

func byPattern(ctx context.Context, call func(context.Context) error) error {
	for {
		err := call(ctx)
		if err == nil || !busy.MatchString(err.Error()) { // want `the text of err \("server \(is \)\?busy"\), which changes without notice; use errors.Is or errors.As`
			return err
		}
		time.Sleep(time.Second)
	}
}

var errBusy = errors.New("busy")

// The sentinel decides; the text is only logged.
func bySentinel(ctx context.Context, call func(context.Context) error) error {
	for {
		err := call(ctx)
		if err == nil || !errors.Is(err, errBusy) {
			return err
		}
		if strings.Contains(err.Error(), "node 7") {
			fmt.Println("node 7 again")
		}
		time.Sleep(time.Second)
	}
}
