package names

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/google/uuid"
	"github.com/retrykit/retrykit/otelretry"
)

type order struct{ ID string }

func identifiers(p *otelretry.Policy, userID string, o order, n int) {
	_ = p.Operation("get-" + userID)               // want `names the operation after userID, which makes a metric series for each value`
	_ = p.Operation(fmt.Sprintf("order %s", o.ID)) // want `names the operation after o.ID`
	_ = p.Operation("page " + strconv.Itoa(n))     // want `names the operation after n`
	_ = p.Operation("x" + uuid.NewString())        // want `names the operation after a generated id`
	name := "charge " + strings.ToLower(o.ID)
	_ = p.Operation(name) // want `names the operation after o.ID`
}

func requests(r *http.Request, u *url.URL) {
	p, _ := otelretry.New(u.String())              // want `names the dependency after u.String\(\)`
	_ = p.Operation(r.URL.Path)                    // want `names the operation after r.URL.Path`
	_ = p.Operation(r.Method + " " + r.RequestURI) // want `names the operation after r.RequestURI`
}

func failures(ctx context.Context, p *otelretry.Policy, err error) {
	_ = p.Operation("repair " + err.Error()) // want `names the operation after the text of an error`
}
