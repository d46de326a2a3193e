package migration

import (
	"net/http"

	"github.com/hashicorp/go-retryablehttp"

	"github.com/retrykit/retrykit/otelretry"
	"github.com/retrykit/retrykit/otelretry/otelretryhttp"
)

func retryablehttpBefore(_ *otelretry.Policy, url string) (*http.Response, error) {
	//doc: retryablehttp before
	client := retryablehttp.NewClient()
	client.RetryMax = 3
	response, err := client.Get(url)
	//doc:end
	return response, err
}

func retryablehttpAfter(payments *otelretry.Policy, url string) (*http.Response, error) {
	//doc: retryablehttp after
	transport, err := otelretryhttp.NewTransport(http.DefaultTransport, payments)
	if err != nil {
		return nil, err
	}
	client := &http.Client{Transport: transport} // or the client of any library that lets you set it
	response, err := client.Get(url)
	//doc:end
	return response, err
}
