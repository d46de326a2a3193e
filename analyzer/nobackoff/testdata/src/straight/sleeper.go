package straight

import "context"

// A Sleeper waits for its time.
type Sleeper func(context.Context) error

func withSleeper(ctx context.Context, s Sleeper, call func(context.Context) error) error {
	for {
		err := call(ctx)
		if err == nil {
			return nil
		}
		if s(ctx) != nil {
			return err
		}
	}
}

// Whoever hands it in may wait in it.
func between(ctx context.Context, next func(context.Context) error, call func(context.Context) error) error {
	for {
		err := call(ctx)
		if err == nil {
			return nil
		}
		if next(ctx) != nil {
			return err
		}
	}
}

// What is only told of it does not wait.
func noticed(ctx context.Context, notice func(error), call func(context.Context) error) error {
	for i := 0; ; i++ { // want `a failed call is repeated at once`
		err := call(ctx)
		if err == nil || i == 9 {
			return err
		}
		notice(err)
	}
}
