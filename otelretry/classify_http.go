package otelretry

import "net/http"

// ClassifyHTTPStatus knows errors that tell an HTTP status by a method
// HTTPStatusCode() int or StatusCode() int, as [HTTPStatusClass] says.
func ClassifyHTTPStatus(err error) Class { return visit(err, httpClass) }

func httpClass(err error) Class {
	if status, ok := httpStatus(err); ok {
		return HTTPStatusClass(status)
	}
	return ClassUnknown
}

func httpStatus(err error) (int, bool) {
	switch e := err.(type) {
	case interface{ HTTPStatusCode() int }:
		return e.HTTPStatusCode(), true
	case interface{ StatusCode() int }:
		return e.StatusCode(), true
	}
	return 0, false
}

// HTTPStatusClass classifies a response by its status: 429 is transient; 408,
// 502, 503 and 504 are ambiguous; every other 4xx and 5xx is permanent, 500
// included, which an API may send after it acted. Anything else is unknown.
func HTTPStatusClass(status int) Class {
	switch status {
	case http.StatusTooManyRequests:
		return ClassTransient
	case http.StatusRequestTimeout, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return ClassAmbiguous
	}
	if status >= 400 && status <= 599 {
		return ClassPermanent
	}
	return ClassUnknown
}
