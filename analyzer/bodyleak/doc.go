// Package bodyleak reports responses that stay open when the attempt is repeated.
//
// A response with status 503 has a body like any other, and until that is
// closed its connection belongs to it. A retry that looks at the status and
// goes on leaves the connection behind, one for each failed attempt. In an
// outage, when every request makes all of its attempts, the process runs out of
// connections and then of file descriptors.
//
// # Before
//
//	for range 3 {
//		resp, err = client.HTTP.Do(req)
//		if err == nil && resp.StatusCode < 500 {
//			return resp, nil
//		}
//		time.Sleep(delay)
//	}
//	return resp, err
//
// # After
//
//	for range 3 {
//		resp, err = client.HTTP.Do(req)
//		if err == nil && resp.StatusCode < 500 {
//			return resp, nil
//		}
//		if err == nil {
//			io.Copy(io.Discard, io.LimitReader(resp.Body, 64<<10))
//			resp.Body.Close()
//		}
//		time.Sleep(delay)
//	}
//	return nil, err
//
// # When it speaks
//
// There is a way back to the call on which it succeeded as far as its error
// says, and nothing on it closes the response or hands it on. Or what is repeated,
// by a loop that takes every error back or by a library, makes the request inside
// and returns an error on such a way.
//
// # When it is silent
//
// A Close on the way, a defer, a function that can't be seen and is given the
// response or its body (one of the standard library that only reads it leaves it
// open), one of the package that closes something, the operation itself
// among them, and a response that is kept in another variable.
//
// # The fix
//
// The response is drained, up to 64 KiB, and closed as soon as nothing on the way
// back uses it any more. None is offered where it may be used after the loop.
//
// # How to silence it
//
//	//retrylint:ignore bodyleak the transport returns no bodies
package bodyleak
