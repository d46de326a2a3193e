package named

import (
	"errors"
	"net/http"
)

type jobs struct{ client *http.Client }

type job struct{ id string }

var errTemporaryFailure = errors.New("temporary failure")

// take leases the next job from a server, if there is one.
func (j *jobs) take() (job, bool) {
	resp, err := j.client.Get("http://jobs.example.com/next")
	if err != nil {
		return job{}, false
	}
	resp.Body.Close()
	return job{resp.Header.Get("X-Job")}, resp.StatusCode == http.StatusOK
}

func (j *jobs) run(one job) error {
	resp, err := j.client.Get("http://jobs.example.com/" + one.id)
	if err != nil {
		return errTemporaryFailure
	}
	return resp.Body.Close()
}

func (j *jobs) putBack(job) {}

// Each round has another job, be it one that was put back.
func (j *jobs) work() {
	for one, ok := j.take(); ok; one, ok = j.take() {
		if err := j.run(one); errors.Is(err, errTemporaryFailure) {
			j.putBack(one)
			continue
		} else if err != nil {
			return
		}
	}
}
