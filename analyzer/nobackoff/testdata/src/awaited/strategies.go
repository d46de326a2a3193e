package awaited

import "context"

type strategy func(ctx context.Context, attempt int, err error) bool

// Each strategy may wait before it says whether to go on.
func all(ctx context.Context, action func() error, strategies []strategy) (err error) {
	again := true
	for attempt := 0; again; attempt++ {
		for i := 0; again && i < len(strategies); i++ {
			again = strategies[i](ctx, attempt, err)
		}
		if again {
			err = action()
		}
		again = again && err != nil
	}
	return err
}

func each(ctx context.Context, action func() error, strategies []strategy) (err error) {
	for attempt := 0; attempt < 5; attempt++ {
		for _, s := range strategies {
			if !s(ctx, attempt, err) {
				return err
			}
		}
		if err = action(); err == nil {
			return nil
		}
	}
	return err
}

func none(action func() error, seen []func(error)) (err error) {
	for attempt := 0; attempt < 5; attempt++ { // want `a failed action is repeated at once`
		if err = action(); err == nil {
			return nil
		}
		for _, s := range seen {
			s(err)
		}
	}
	return err
}
