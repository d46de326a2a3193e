package stored

import (
	"math/rand/v2"
	"time"
)

type batch struct {
	retryAttempts uint
	retryDelay    time.Duration
}

func schedule(b *batch, interval, limit time.Duration) {
	factor := time.Duration(1)
	for i := uint(0); i < b.retryAttempts; i++ {
		factor *= 5
	}
	b.retryDelay = min(time.Second*factor, limit) // want `b.retryDelay grows but is the same for every client`
}

func scheduleAtRandom(b *batch, limit time.Duration) {
	b.retryDelay = rand.N(min(time.Second<<b.retryAttempts, limit))
}
