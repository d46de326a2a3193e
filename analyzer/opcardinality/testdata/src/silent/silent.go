package silent

import (
	"net/http"

	"github.com/retrykit/retrykit/otelretry"
)

const operation = "charge"

type config struct {
	Dependency string
	RetryPath  bool
}

func constants(c config, write bool, region string) error {
	p, err := otelretry.New(c.Dependency)
	if err != nil {
		return err
	}
	_ = p.Operation("get")
	_ = p.Operation(operation + "-again")
	name := "read"
	if write {
		name = "write"
	}
	_ = p.Operation(name)
	_ = p.Operation("list-" + region)
	return nil
}

func method(p *otelretry.Policy, r *http.Request) {
	_ = p.Operation("HTTP " + r.Method)
}

var table = map[string]string{"/a": "a", "/b": "b"}

func looked(p *otelretry.Policy, r *http.Request) {
	_ = p.Operation(table[r.URL.Path])
}

func excused(p *otelretry.Policy, tenantID string) {
	_ = p.Operation("sync-" + tenantID) //retrylint:ignore opcardinality there are a dozen tenants
}
