// Package unsafemethod reports POST and PATCH requests that are sent again although the server may have acted on them.
//
// When a connection is lost or a gateway answers 503, nobody can tell whether the
// server did what it was asked. A GET may simply be repeated. A POST that is
// repeated charges a card twice, unless it carries an idempotency key by which
// the server knows it again.
//
// # Before
//
//	func charge(client *Client, body []byte) error {
//		var last error
//		for i := 0; i < 3; i++ {
//			resp, err := client.HTTP.Post(endpoint, "application/json", bytes.NewReader(body))
//			if err == nil {
//				return resp.Body.Close()
//			}
//			last = err
//			time.Sleep(time.Second)
//		}
//		return last
//	}
//
// # After
//
//	func charge(ctx context.Context, client *Client, body []byte) error {
//		key := uuid.NewString() // once, for all attempts
//		var last error
//		for i := 0; i < 3; i++ {
//			req, err := http.NewRequestWithContext(ctx, http.MethodPost, endpoint, bytes.NewReader(body))
//			if err != nil {
//				return err
//			}
//			req.Header.Set("Idempotency-Key", key)
//			resp, err := client.HTTP.Do(req)
//			if err == nil {
//				return resp.Body.Close()
//			}
//			last = err
//			time.Sleep(time.Second)
//		}
//		return last
//	}
//
// # When it speaks
//
// The request is a POST or PATCH by a literal, a constant or client.Post, and
// an attempt that ends with an error leads back to it, whatever the error is or
// because it says that it took too long, or one that is answered with a 502 or a
// 504.
//
// # When it is silent
//
// The method is not a constant; the function names a key or request id, in a
// header, a field or a variable; it asks what failed, and not for a timeout; it is a POST that only
// reads: the function or the URL says search, query, token, login or the like.
//
// # How to silence it
//
//	//retrylint:ignore unsafemethod the endpoint only reads
package unsafemethod
