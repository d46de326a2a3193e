// Package permanentstatus reports retries of HTTP statuses that will not change.
//
// A 400, 401, 403, 404, 405, 409, 410, 413, 422 or 501 says that the request is
// wrong, not the moment. Sent again it is answered the same way: the caller
// waits for nothing, and a client with a bug becomes a load on the server, the
// heavier the more attempts it makes.
//
// # Before
//
//	func fetch(client *Client, req *http.Request) (*http.Response, error) {
//		for i := 0; i < 3; i++ {
//			resp, err := client.HTTP.Do(req)
//			if err != nil {
//				return nil, err
//			}
//			if resp.StatusCode == http.StatusOK {
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
//			if resp.StatusCode < 500 {
//				return resp, nil
//			}
//			resp.Body.Close()
//			time.Sleep(time.Second)
//		}
//		return nil, ErrExhausted
//	}
//
// # When it speaks
//
// The body of the loop, run with a response of status 400 and one of 422, leads
// back to the request in both cases; or in one of them, and with two more of 405,
// 410 and 413. The status may come with the response, with a struct that holds
// it, or with an error that carries it.
//
// # When it is silent
//
// Those statuses leave the loop, or a function that was not followed decides
// about them. A loop that goes back on 404 or 409 alone, while it waits for
// something to be created or released, and one that goes back on 401 alone,
// with a new token.
//
// # How to silence it
//
//	//retrylint:ignore permanentstatus the proxy answers 400 while it starts
package permanentstatus
