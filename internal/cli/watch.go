package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/retrykit/retrykit/internal/dialect"
	"github.com/retrykit/retrykit/internal/figures"
	"github.com/retrykit/retrykit/internal/reader"
	"github.com/retrykit/retrykit/internal/render"
	"github.com/retrykit/retrykit/internal/summary"
	"github.com/retrykit/retrykit/internal/telemetry"
)

func newWatch(env Env) *cobra.Command {
	var source sourceFlags
	var interval time.Duration
	var rounds, top int
	var order string
	cmd := &cobra.Command{
		Use:   "watch [FILE...]",
		Short: "Show the report again and again while files grow, or from a server",
		Long: `Show the report again whenever the files have changed, or every interval from a
Prometheus-compatible server, until interrupted. --since 5m makes it a window of
the last 5 minutes, which moves on: it is shown anew every interval.

Of files with a JSON document a line only what is new is read; other files that
have changed are read anew, and so is everything when a moving window has more
in it than 256 MB of memory hold. On a terminal each report takes the place of
the last one.`,
		Example: `  retrystat watch --since 5m telemetry.jsonl
  retrystat watch --prometheus http://localhost:9090 --window 5m`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if interval < 100*time.Millisecond {
				return errors.New("--interval is shorter than 100ms")
			}
			if rounds < 0 {
				return errors.New("--rounds is negative; 0 goes on until interrupted")
			}
			if top < 0 {
				return errors.New("--top is negative; 0 shows all operations")
			}
			if err := (&summary.Summary{}).Sort(order); err != nil {
				return fmt.Errorf("--sort: %w", err)
			}
			if len(args) == 0 && source.connection.URL == "" {
				return errors.New("nothing to watch: name files, or --prometheus")
			}
			for _, a := range args {
				if a == "-" {
					return errors.New("standard input does not grow: watch needs files or --prometheus")
				}
				if info, err := os.Stat(a); err == nil && !info.IsDir() && !info.Mode().IsRegular() {
					return fmt.Errorf("%s is no file that grows: watch needs files or --prometheus; report reads it", a)
				}
			}
			w := &watcher{source: &source, env: env, args: args, order: order, top: top, most: mostKept}
			return w.run(cmd, interval, rounds)
		},
	}
	source.register(cmd)
	durationVar(cmd.Flags(), &interval, "interval", 2*time.Second, "time between looks")
	cmd.Flags().StringVar(&order, "sort", "retries", "sort `by` "+strings.Join(summary.Orders(), ", "))
	cmd.Flags().IntVar(&top, "top", 20, "only the first `N` operations (0: all)")
	cmd.Flags().IntVar(&rounds, "rounds", 0, "end after `N` reports (0: only when interrupted)")
	return cmd
}

// mostKept are about a million samples or spans.
const mostKept = 256 << 20

type watcher struct {
	source *sourceFlags
	env    Env
	args   []string
	order  string
	top    int
	seen   string // sizes and times of the files at the last look

	growing *growing // what was read so far of files
	most    int64    // bytes of it to keep, of a window that moves
	tooMuch bool     // the window has more in it than that: files are read anew
}

// growing is what files held so far, and how far they were read.
type growing struct {
	tail     reader.Tail
	window   *figures.Moving
	registry *telemetry.Registry
}

func (w *watcher) run(cmd *cobra.Command, interval time.Duration, rounds int) error {
	ctx := cmd.Context()
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	for shown := 0; ; {
		if w.changed() {
			if err := w.look(cmd, shown == 0); err != nil {
				return err
			}
			if shown++; shown == rounds {
				return nil
			}
		}
		select {
		case <-ctx.Done():
			return nil // that is how one ends it
		case <-ticker.C:
		}
		if nobodyReads(w.env.Stdout) {
			return nil // as head does when it has enough
		}
	}
}

// look shows one report, or what was wrong with reading it.
func (w *watcher) look(cmd *cobra.Command, first bool) error {
	s, err := w.read(cmd)
	if cmd.Context().Err() != nil {
		return nil // interrupted: run ends
	}
	terminal := w.env.Terminal != nil && w.env.Terminal(w.env.Stdout)
	return w.show(cmd, s, err, terminal, first)
}

// read reads the files, or asks the server. Of files that grow it reads what is
// new.
func (w *watcher) read(cmd *cobra.Command) (*summary.Summary, error) {
	if w.source.connection.URL != "" || w.tooMuch {
		quiet := w.env
		quiet.Terminal = nil // no progress between reports
		return w.source.read(cmd, w.args, quiet)
	}
	if err := needsServer(cmd); err != nil {
		return nil, err
	}
	options, err := w.source.options(time.Now())
	if err != nil {
		return nil, err
	}
	err = reader.ErrRestart
	if w.growing != nil && w.growing.window.Move(options, w.source.moves()) {
		err = w.growing.read(cmd.Context(), w.args)
	}
	if errors.Is(err, reader.ErrRestart) {
		w.growing = &growing{window: figures.NewMoving(options, w.source.moves(), w.most), registry: telemetry.NewRegistry(dialect.Catalog(), 0)}
		err = w.growing.read(cmd.Context(), w.args)
	}
	if w.growing.window.Full() {
		w.growing, w.tooMuch = nil, true
		return w.read(cmd)
	}
	if err != nil && cmd.Context().Err() == nil {
		defer func() { w.growing = nil }() // what failed is read anew
	}
	s, err := summarise(cmd.Context(), w.growing.window.Builder(), w.args, err)
	if s != nil {
		for _, path := range w.growing.tail.Unfinished() {
			s.Notes = append(s.Notes, path+": its last line is not complete yet")
		}
	}
	return s, err
}

func (g *growing) read(ctx context.Context, paths []string) error {
	return g.tail.Read(ctx, paths, g.window, reader.Options{Registry: g.registry})
}

// changed reports whether a look is due: always with a server or a window that
// slides, else when a file is new or has changed.
func (w *watcher) changed() bool {
	if w.source.connection.URL != "" || w.source.moves() != (figures.Moves{}) {
		return true
	}
	var now strings.Builder
	for _, path := range w.args {
		stamp(&now, path)
	}
	if now.String() == w.seen && w.seen != "" {
		return false
	}
	w.seen = now.String()
	return true
}

func stamp(to *strings.Builder, path string) {
	info, err := os.Stat(path)
	if err != nil {
		fmt.Fprintf(to, "%s missing\n", path)
		return
	}
	fmt.Fprintf(to, "%s %d %d\n", path, info.Size(), info.ModTime().UnixNano())
	if !info.IsDir() {
		return
	}
	entries, _ := os.ReadDir(path) // what can't be read is said by the reader
	for _, e := range entries {
		within := path + string(os.PathSeparator) + e.Name()
		if info, err := os.Stat(within); err == nil && info.IsDir() && !e.IsDir() {
			continue // a link, which the reader does not follow either: it may lead back
		}
		stamp(to, within)
	}
}

// show writes one report in one piece, so that it does not flicker. An error
// of the first look ends the command; later ones are shown, and it goes on.
func (w *watcher) show(cmd *cobra.Command, s *summary.Summary, readErr error, terminal, first bool) error {
	var b bytes.Buffer
	if terminal {
		b.WriteString("\x1b[H\x1b[2J")
	} else if !first {
		b.WriteString("\n")
	}
	switch {
	case s != nil:
		allowUnmatched(s) // it may come
		if err := s.Sort(w.order); err != nil {
			return err
		}
		s.Top(w.top)
		if err := render.Write(&b, "table", s, render.Options{Color: terminal}); err != nil {
			return err
		}
		if readErr != nil {
			tell(&b, readErr)
		}
	case first && !errors.Is(readErr, context.Canceled):
		return readErr
	default:
		tell(&b, readErr)
	}
	if _, err := cmd.OutOrStdout().Write(b.Bytes()); err != nil {
		return err
	}
	if w.source.strict && s != nil && len(s.Input.Skipped) > 0 {
		tellSkipped(s, cmd.ErrOrStderr())
		return exitCode(exitError)
	}
	return nil
}
