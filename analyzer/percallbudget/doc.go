// Package percallbudget reports budgets, breakers, limiters and retry policies that are made for each call instead of once.
//
// They work by what they remember: a circuit breaker of how many calls failed,
// a budget of how many retries were paid for, a limiter of when the last call
// was. One that is made inside the function that uses it has seen nothing yet
// when it is asked, so that it lets everything through: it costs its making and
// protects nobody. A retry policy made for each call works, but prepares its
// instruments and attributes every time.
//
// # Before
//
//	func pay(ctx context.Context, client *Client, order Order) error {
//		payments, err := otelretry.New("payments")
//		if err != nil {
//			return err
//		}
//		return payments.Operation("charge").Run(ctx, func(ctx context.Context) error {
//			return client.Charge(ctx, order)
//		})
//	}
//
// # After
//
//	type Payments struct {
//		client *Client
//		charge *otelretry.Operation // made once, with its policy, in NewPayments
//	}
//
//	func (p *Payments) Pay(ctx context.Context, order Order) error {
//		return p.charge.Run(ctx, func(ctx context.Context) error {
//			return p.client.Charge(ctx, order)
//		})
//	}
//
// # When it speaks
//
// A function that serves a request, which is to say that it takes a context or
// an http.Request, makes such a thing, calls its methods, and lets it go at its
// end.
//
// # When it is silent
//
// The thing is returned, stored, handed to a function or captured by one that
// may live on; it serves a loop over several items; package main; a function
// that takes no request.
//
// # The fix
//
// What is made becomes a package variable, where nothing in the call depends on
// the function and its name is free in the package.
//
// # How to silence it
//
//	//retrylint:ignore percallbudget the job runs once a day
package percallbudget
