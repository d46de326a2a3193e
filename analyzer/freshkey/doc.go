// Package freshkey reports idempotency keys, and ids of what is to be created, that are made anew for each attempt.
//
// A key tells the server that two requests are the same one. Made inside what
// is retried, every attempt gets its own, and a first attempt that succeeded
// but whose answer was lost is charged, sent or inserted again. The key is made
// once per request, outside the retry, and sent with every attempt.
//
// # Before
//
//	for attempt := 0; attempt < 4; attempt++ {
//		req.Header.Set("Idempotency-Key", uuid.NewString())
//		if resp, err = client.HTTP.Do(req); err == nil {
//			return resp, nil
//		}
//		time.Sleep(time.Second)
//	}
//
// # After
//
//	key := uuid.NewString()
//	for attempt := 0; attempt < 4; attempt++ {
//		req.Header.Set("Idempotency-Key", key)
//		if resp, err = client.HTTP.Do(req); err == nil {
//			return resp, nil
//		}
//		time.Sleep(time.Second)
//	}
//
// # What counts
//
// A header, a field, a parameter or a variable whose name, without hyphens,
// underscores and capitals, contains idempot, dedup, clienttoken,
// clientrequesttoken, clientrequestid, paymentid, transactionid, chargeid,
// orderid, refundid or transferid, or is requestid. In what the operation itself
// is given, also a field or a parameter named id, uuid, key or guid, or with a
// name that ends in ID or Id and is not of a trace, a span, a correlation, a log or a
// session; and an id that goes into an INSERT statement.
//
// What makes an id: the packages for UUIDs, ULIDs and the like, bytes that were
// drawn at random and are written as text, and functions of the package that
// return one. What the clock shows, and a random number, are one only under a
// name that contains one of the words above.
//
// The header X-Request-Id is none of these: it is for logs, and right to differ
// from attempt to attempt.
//
// # When it is silent
//
// The id is made outside the retry, or for each item of a list, or only when
// there is none yet; it goes to a log, a trace, a file name or a delay; or the
// retry exists because the id was taken (an "already exists" error is looked
// for). An id that is inserted is left alone where each attempt is handed a
// transaction, with which what it inserted is undone.
//
// # The fix
//
// The key is made once, in a variable before the retry, where the call needs
// nothing of the attempt.
//
// # How to silence it
//
//	//retrylint:ignore freshkey the server wants a new nonce for each attempt
package freshkey
