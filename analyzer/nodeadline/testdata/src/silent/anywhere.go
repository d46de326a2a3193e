package silent

import (
	"context"
	"time"

	"bus"
)

// It need not go anywhere that could hang.
func subscribe(b *bus.EventBus, name string) (err error) {
	delay := time.Millisecond
	for {
		if err = b.Subscribe(context.Background(), name); err == nil {
			return nil
		}
		time.Sleep(delay)
		delay *= 2
	}
}
