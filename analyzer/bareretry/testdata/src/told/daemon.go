package told

import (
	"context"
	"log"
	"time"
)

type link struct {
	done chan struct{}
	err  chan error
}

func (l *link) start(ctx context.Context) {
	go l.watch(ctx)
	go l.report(ctx)
	go func() {
		var err error
		for {
			if err = commit(ctx, "/subscribe"); err != nil {
				log.Printf("subscribing: %v", err)
				select {
				case <-time.After(time.Second):
					continue
				case <-l.done:
					return
				}
			}
			break
		}
	}()
}

func (l *link) watch(ctx context.Context) {
	<-l.done
	l.reconnect(ctx)
}

// It runs beside its owner, and has nobody to tell.
func (l *link) reconnect(ctx context.Context) {
	for {
		err := commit(ctx, "/join")
		if err == nil {
			return
		}
		log.Printf("reconnecting: %v", err)
		time.Sleep(time.Second)
	}
}

// Somebody takes the error.
func (l *link) report(ctx context.Context) {
	for { // want `retries every error from commit`
		err := commit(ctx, "/join")
		if err == nil {
			return
		}
		l.err <- err
		time.Sleep(time.Second)
	}
}

// Whoever calls it waits.
func (l *link) wait(ctx context.Context) {
	for { // want `retries every error from commit`
		err := commit(ctx, "/join")
		if err == nil {
			return
		}
		log.Printf("waiting: %v", err)
		time.Sleep(time.Second)
	}
}
