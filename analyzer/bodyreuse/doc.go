// Package bodyreuse reports requests and readers that only the first attempt can send.
//
// The body of an HTTP request is a stream: sending it reads it to its end. A
// second Do with the same request sends an empty body, or fails with a
// misleading message about its length, and so a retry turns a temporary fault
// into a permanent one, or stores an empty object. The transport's own rewinding by
// GetBody, which a bytes.Reader, bytes.Buffer or strings.Reader has, covers a
// connection that was kept and turns out to be closed, and not a new one: after
// an attempt that lost its connection, the next fails with "ContentLength=5 with
// Body length 0". A request that each attempt makes anew, of a reader that was made
// once, has what the one before left of it, which is nothing.
//
// # Before
//
//	for range 3 {
//		if resp, err = client.HTTP.Do(req); err == nil {
//			return resp, nil
//		}
//		time.Sleep(delay)
//	}
//	return nil, err
//
// # After
//
//	for attempt := range 3 {
//		if attempt > 0 && req.GetBody != nil {
//			if req.Body, err = req.GetBody(); err != nil {
//				return nil, err
//			}
//		}
//		if resp, err = client.HTTP.Do(req); err == nil {
//			return resp, nil
//		}
//		time.Sleep(delay)
//	}
//	return nil, err
//
// # When it speaks
//
// A request that the function was given, or made from a reader by itself or by
// another function of the package, or that something keeps and the package gives
// a body, goes to every attempt, and nothing in the function looks at its body; or
// an io.Reader parameter, one that can seek or is any until then among them, or a
// bytes.Buffer goes to every attempt or to what makes its request, and nothing
// takes it back to its beginning, or not on each way on which an attempt is
// repeated.
//
// # When it is silent
//
// A request that is made inside the attempt, cloned, or has its Body or GetBody
// looked at, also in a function of the package that is handed it; one made with
// no body, also by all who call the function; one whose
// method the function asks for; and a reader with any method called on it in
// the attempt.
//
// # The fix
//
// A request with a GetBody, or that the function was given, gets a new body from its GetBody for each
// attempt; of a bytes.Buffer each attempt reads the bytes anew. None is offered for
// a reader of which nothing is known: it may not fit into memory.
//
// # How to silence it
//
//	//retrylint:ignore bodyreuse only GET comes this way
package bodyreuse
