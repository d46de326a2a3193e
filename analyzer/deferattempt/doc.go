// Package deferattempt reports defer statements that run once per attempt.
//
// A deferred call runs when its function returns, not at the end of a round of
// the loop. In a retry, each failed attempt leaves behind what it should have
// released: an open response, and with it a connection that the pool can't use
// again, a file, a lock, a timer. It also runs with what the variables hold at
// the end, so that one of them may be closed several times and others never.
//
// # Before
//
//	for range 3 {
//		var resp *http.Response
//		if resp, err = client.HTTP.Do(req); err == nil {
//			defer resp.Body.Close()
//			if resp.StatusCode < 500 {
//				return nil
//			}
//		}
//		time.Sleep(delay)
//	}
//	return err
//
// # After
//
//	attempt := func() error {
//		resp, err := client.HTTP.Do(req)
//		if err != nil {
//			return err
//		}
//		defer resp.Body.Close()
//		if resp.StatusCode >= 500 {
//			return errors.New(resp.Status)
//		}
//		return nil
//	}
//	for range 3 {
//		if err = attempt(); err == nil {
//			return nil
//		}
//		time.Sleep(delay)
//	}
//	return err
//
// # When it speaks
//
// A defer statement stands on a way that leads back to the operation, be it
// because that failed or because what it answered is waited for and asked again.
//
// # When it is silent
//
// A defer in a closure that is run once per attempt takes effect after each
// of them. One that is reached only when the loop is left runs once, and so does
// one beside what is made or done only where it was not yet. A deferred
// function literal that gives nothing back, and only measures or logs, may be
// deferred as often as one likes.
//
// # The fix
//
// The attempt becomes a function literal that is called in place; the wait stays
// outside where nothing skips it. None is offered where a break or a label leaves
// the loop, or a deferred call looks at the results.
//
// # How to silence it
//
//	//retrylint:ignore deferattempt two attempts at most
package deferattempt
