// Alerting shows the alerts of retrystat at work: it runs the checkout service,
// a Prometheus that scrapes it with the generated rules loaded, makes the
// service's dependencies fail for a while, and prints what every alert does.
//
//	make alert-demo
//	make alert-demo FAULT=false   # nothing fires
//
// All windows and waits of the rules are shortened by -time-scale, so that it is
// over in about two minutes. Everything that it starts, it stops.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/prometheus/otlptranslator"

	"github.com/retrykit/retrykit/examples/alerting/demo"
	"github.com/retrykit/retrykit/examples/alerting/prom"
)

// errNotAsExpected says that the alerts did not do what the demo is to show.
var errNotAsExpected = errors.New("the alerts did not do what they should")

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	switch err := run(ctx, os.Args[1:], os.Stdout); {
	case errors.Is(err, flag.ErrHelp):
	case errors.Is(err, errNotAsExpected):
		fmt.Fprintln(os.Stderr, "alerting:", err)
		os.Exit(1)
	case err != nil:
		fmt.Fprintln(os.Stderr, "alerting:", err)
		os.Exit(2)
	}
}

// settings are what the flags say.
type settings struct {
	retrystat, prometheus string
	fault                 bool
	calm, faultFor        time.Duration
	recovery              time.Duration
	timeScale             float64
	pending               bool
	rate                  float64
}

func run(ctx context.Context, args []string, stdout io.Writer) error {
	var s settings
	flags := flag.NewFlagSet("alerting", flag.ContinueOnError)
	flags.StringVar(&s.retrystat, "retrystat", "retrystat", "the retrystat program")
	flags.StringVar(&s.prometheus, "prometheus", "prometheus", "the Prometheus server program")
	flags.BoolVar(&s.fault, "fault", true, "make the dependencies fail for a while")
	flags.DurationVar(&s.calm, "calm", 15*time.Second, "how long all is well at first")
	flags.DurationVar(&s.faultFor, "fault-for", 45*time.Second, "how long the dependencies fail")
	flags.DurationVar(&s.recovery, "recovery", 90*time.Second, "how long the alerts have for resolving")
	flags.Float64Var(&s.timeScale, "time-scale", 0.02, "by what the windows and waits of the rules are multiplied")
	flags.BoolVar(&s.pending, "pending", false, "print also what is pending and has not fired yet")
	flags.Float64Var(&s.rate, "rate", 10, "orders per second")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	dir, err := os.MkdirTemp("", "alerting-")
	if err != nil {
		return err
	}
	err = show(ctx, s, dir, stdout)
	return errors.Join(err, os.RemoveAll(dir))
}

// ruleSettings leave out the burn rates over a day and more, which remember the
// fault for longer than one wants to watch.
const ruleSettings = `burn: [{long: 1h, short: 5m, factor: 14.4, severity: page}]
`

// show runs everything, and stops all of it before it returns.
func show(ctx context.Context, s settings, dir string, stdout io.Writer) (err error) {
	rules, config := filepath.Join(dir, "rules.yaml"), filepath.Join(dir, "retry.yaml")
	if err := os.WriteFile(config, []byte(ruleSettings), 0o600); err != nil {
		return err
	}
	write := exec.CommandContext(ctx, s.retrystat, "rules", "--config", config, "--output", rules, "--time-scale", fmt.Sprint(s.timeScale))
	if out, err := write.CombinedOutput(); err != nil {
		return fmt.Errorf("retrystat rules: %w\n%s", err, out)
	}
	meters, metrics, err := demo.Metrics(otlptranslator.UnderscoreEscapingWithSuffixes)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, meters.Shutdown(context.WithoutCancel(ctx))) }()
	scraped, stopScraped, err := demo.Serve(ctx, metrics)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stopScraped()) }()
	service, err := demo.Start(ctx, meters, s.rate, 1)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, service.Stop()) }()
	server, err := prom.Start(ctx, prom.Config{
		Program: s.prometheus, Dir: dir, Job: "checkout", Targets: []string{scraped}, Rules: []string{rules},
	})
	if err != nil {
		return err
	}
	defer func() {
		err = errors.Join(err, server.Stop())
		fmt.Fprintln(stdout, "\nstopped the service and Prometheus")
	}()

	w := &watch{server: server.API, out: stdout, start: time.Now(), pending: s.pending}
	w.say("the checkout service runs; Prometheus scrapes it every second: %s/alerts", server.URL)
	w.say("windows and waits of the rules are multiplied by %v: 5m are %s", s.timeScale, time.Duration(s.timeScale*float64(5*time.Minute)))
	if err := w.follow(ctx, s.calm, nil); err != nil {
		return err
	}
	if w.fired > 0 {
		return fmt.Errorf("%w: %d fired while all was well", errNotAsExpected, w.fired)
	}
	if !s.fault {
		w.say("nothing fired, as nothing failed")
		return nil
	}
	w.say("FAULT: the dependencies begin to fail")
	service.SetFault(true)
	if err := w.follow(ctx, s.faultFor, nil); err != nil {
		return err
	}
	w.say("the dependencies are well again")
	service.SetFault(false)
	if err := w.follow(ctx, s.recovery, w.quiet); err != nil {
		return err
	}
	switch {
	case w.fired == 0:
		return fmt.Errorf("%w: none fired in the fault", errNotAsExpected)
	case !w.quiet():
		return fmt.Errorf("%w: some did not resolve within %s", errNotAsExpected, s.recovery)
	}
	w.say("every alert that fired has resolved")
	return nil
}
