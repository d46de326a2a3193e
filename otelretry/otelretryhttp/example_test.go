package otelretryhttp_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"github.com/retrykit/retrykit/otelretry"
	"github.com/retrykit/retrykit/otelretry/otelretryhttp"
)

// recovering is a server that is busy twice.
func recovering() *httptest.Server {
	return httptest.NewServer(&answers{script: []http.HandlerFunc{
		status(http.StatusServiceUnavailable), status(http.StatusServiceUnavailable), status(http.StatusOK),
	}})
}

func quick() *otelretry.Policy {
	policy, err := otelretry.New("inventory",
		otelretry.WithMaxAttempts(4), otelretry.WithBackoff(otelretry.FullJitter(time.Millisecond, 10*time.Millisecond)))
	if err != nil {
		panic(err)
	}
	return policy
}

func ExampleNewTransport() {
	server := recovering()
	defer server.Close()

	transport, err := otelretryhttp.NewTransport(nil, quick())
	if err != nil {
		panic(err)
	}
	client := &http.Client{Transport: transport}
	defer client.CloseIdleConnections()

	resp, err := client.Get(server.URL)
	if err != nil {
		panic(err)
	}
	defer resp.Body.Close()
	body, _ := io.ReadAll(resp.Body)
	fmt.Println(resp.StatusCode, string(body))
	// Output: 200 OK
}

func ExampleTransport_RoundTrip() {
	server := recovering()
	defer server.Close()
	transport, err := otelretryhttp.NewTransport(nil, quick())
	if err != nil {
		panic(err)
	}
	defer transport.CloseIdleConnections()

	r, err := http.NewRequest(http.MethodGet, server.URL, nil)
	if err != nil {
		panic(err)
	}
	resp, err := transport.RoundTrip(r) // an http.Client calls it
	if err != nil {
		panic(err)
	}
	defer resp.Body.Close()
	fmt.Println(resp.StatusCode)
	// Output: 200
}

func ExampleTransport_CloseIdleConnections() {
	transport, err := otelretryhttp.NewTransport(http.DefaultTransport.(*http.Transport).Clone(), quick())
	if err != nil {
		panic(err)
	}
	client := &http.Client{Transport: transport}
	client.CloseIdleConnections() // reaches the base's
	// Output:
}

func ExampleWithIdempotencyKeys() {
	var keys []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		keys = append(keys, r.Header.Get(otelretryhttp.DefaultKeyHeader))
		if len(keys) == 1 {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	}))
	defer server.Close()

	transport, err := otelretryhttp.NewTransport(nil, quick(), otelretryhttp.WithIdempotencyKeys(""))
	if err != nil {
		panic(err)
	}
	client := &http.Client{Transport: transport}
	defer client.CloseIdleConnections()

	resp, err := client.Post(server.URL, "application/json", strings.NewReader(`{"amount": 10}`))
	if err != nil {
		panic(err)
	}
	defer resp.Body.Close()
	fmt.Println(resp.StatusCode, len(keys), keys[0] == keys[1])
	// Output: 200 2 true
}

func ExampleWithBodyBuffer() {
	server := recovering()
	defer server.Close()

	// Bodies that can't be read twice are sent once, whatever their length.
	fmt.Println("and not kept up to", otelretryhttp.DefaultBodyBuffer, "bytes")
	transport, err := otelretryhttp.NewTransport(nil, quick(), otelretryhttp.WithBodyBuffer(0))
	if err != nil {
		panic(err)
	}
	client := &http.Client{Transport: transport}
	defer client.CloseIdleConnections()

	r, err := http.NewRequest(http.MethodPut, server.URL, onlyReader{strings.NewReader("abc")})
	if err != nil {
		panic(err)
	}
	r.ContentLength = 3
	resp, err := client.Do(r)
	if err != nil {
		panic(err)
	}
	defer resp.Body.Close()
	fmt.Println(resp.StatusCode)
	// Output:
	// and not kept up to 65536 bytes
	// 503
}

func ExampleWithOperationName() {
	transport, err := otelretryhttp.NewTransport(nil, quick(), otelretryhttp.WithOperationName(func(r *http.Request) string {
		if strings.HasPrefix(r.URL.Path, "/orders/") {
			return r.Method + " /orders/{id}" // the route, not the URL
		}
		return r.Method
	}))
	fmt.Println(transport != nil, err)
	// Output: true <nil>
}

func ExampleCountResends() {
	base := otelretryhttp.CountResends(http.DefaultTransport) // give this to otelhttp.NewTransport
	transport, err := otelretryhttp.NewTransport(base, quick())
	fmt.Println(transport != nil, err)
	// Output: true <nil>
}

func ExampleStatusError() {
	err := &otelretryhttp.StatusError{Status: 503}
	fmt.Println(err, otelretry.Classify(err))
	// Output: status 503 Service Unavailable ambiguous
}

func ExampleStatusError_Error() {
	fmt.Println((&otelretryhttp.StatusError{Status: 429}).Error())
	// Output: status 429 Too Many Requests
}

func ExampleStatusError_HTTPStatusCode() {
	fmt.Println((&otelretryhttp.StatusError{Status: 429}).HTTPStatusCode())
	// Output: 429
}
