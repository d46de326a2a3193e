// Package retryafter reports retries of 429 and 503 that never read Retry-After, code that reads it in one of its forms only, and waits for as long as it says without a cap.
//
// A server that answers 429 or 503 often says in Retry-After when it wants to be
// asked again. A client that comes back sooner spends the quota that it waits
// for, or holds down a server that tries to come up. The header has two forms:
// a number of seconds, and a date. Code that reads seconds only waits for
// nothing, or not at all, when it meets a date. And what it says is whatever the
// other side writes: a date in the next year, or a number of seconds that was
// meant for milliseconds, stops a client that has no cap of its own.
//
// # Before
//
//	func fetch(client *Client, req *http.Request) (*http.Response, error) {
//		for i := 0; i < 3; i++ {
//			resp, err := client.HTTP.Do(req)
//			if err != nil {
//				return nil, err
//			}
//			if resp.StatusCode != http.StatusTooManyRequests {
//				return resp, nil
//			}
//			resp.Body.Close()
//			time.Sleep(time.Second)
//		}
//		return nil, ErrExhausted
//	}
//
// # After
//
//	func fetch(client *Client, req *http.Request) (*http.Response, error) {
//		for i := 0; i < 3; i++ {
//			resp, err := client.HTTP.Do(req)
//			if err != nil {
//				return nil, err
//			}
//			if resp.StatusCode != http.StatusTooManyRequests {
//				return resp, nil
//			}
//			resp.Body.Close()
//			wait, ok := otelretry.ParseRetryAfter(resp.Header.Get("Retry-After"), time.Now())
//			if !ok {
//				wait = time.Second
//			}
//			time.Sleep(min(wait, time.Minute))
//		}
//		return nil, ErrExhausted
//	}
//
// # When it speaks
//
// A response of status 429 or 503 leads back to the request, and the code means to
// be throttled: it names that status, or one of 500 does not come back. Neither the function
// nor one of the package that it hands the response to names the header. Or: a function
// that makes a duration of the header's value parses it as a number and knows
// no date. Or: a wait between two attempts is as long as the header says, by way
// of functions of the package too, and nothing on that way compares it with
// anything but zero or takes the least of it and something else.
//
// # When it is silent
//
// The header is read; the response goes to a function of another package; the
// retries are a library's, which may read it; every status is retried alike,
// which other checks speak about. Of a wait without a cap: a deadline that
// was put on the context here ends it, or the duration goes to a function that
// can't be followed. Nor does it speak of the header of a 202, which
// is polled: nothing has failed.
//
// # How to silence it
//
//	//retrylint:ignore retryafter the server never sends the header
package retryafter
