package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"time"

	v1 "github.com/prometheus/client_golang/api/prometheus/v1"
)

// watch follows the alerts of a server and prints what changes.
type watch struct {
	server  v1.API
	out     io.Writer
	start   time.Time
	pending bool // print pending alerts too

	known map[string]v1.Alert
	fired int // alerts that have fired so far
}

// follow watches for d, or until the condition holds.
func (w *watch) follow(ctx context.Context, d time.Duration, until func() bool) error {
	timeout := time.NewTimer(d)
	defer timeout.Stop()
	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()
	for {
		if err := w.look(ctx); err != nil {
			return err
		}
		if until != nil && until() {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-timeout.C:
			return nil
		case <-ticker.C:
		}
	}
}

// look prints every alert that changed since the last look.
func (w *watch) look(ctx context.Context) error {
	result, err := w.server.Alerts(ctx)
	if err != nil {
		return fmt.Errorf("ask Prometheus for its alerts: %w", err)
	}
	now := map[string]v1.Alert{}
	for _, alert := range result.Alerts {
		now[alert.Labels.String()] = alert
	}
	for _, key := range slices.Sorted(maps.Keys(now)) {
		alert := now[key]
		if before, ok := w.known[key]; ok && before.State == alert.State {
			continue
		}
		switch {
		case alert.State == v1.AlertStateFiring:
			w.fired++
			w.say("FIRING   %s  %s", name(alert), alert.Annotations["summary"])
		case w.pending:
			w.say("pending  %s  %s", name(alert), alert.Annotations["summary"])
		}
	}
	for _, key := range slices.Sorted(maps.Keys(w.known)) {
		if before := w.known[key]; before.State == v1.AlertStateFiring {
			if _, ok := now[key]; !ok {
				w.say("resolved %s  %s %s", name(before), before.Labels["retry_dependency"], before.Labels["retry_operation"])
			}
		}
	}
	w.known = now
	return nil
}

// quiet reports whether no alert is pending or firing.
func (w *watch) quiet() bool { return len(w.known) == 0 }

func (w *watch) say(format string, args ...any) {
	fmt.Fprintf(w.out, "%4.0fs  %s\n", time.Since(w.start).Seconds(), fmt.Sprintf(format, args...))
}

func name(alert v1.Alert) string {
	return fmt.Sprintf("%-28s %-6s", alert.Labels["alertname"], alert.Labels["severity"])
}
