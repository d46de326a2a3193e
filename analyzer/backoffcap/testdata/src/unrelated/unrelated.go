package unrelated

import "time"

// Nothing says that this is for a retry.
func window(order uint) time.Duration { return time.Second << order }
