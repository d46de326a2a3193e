package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/retrykit/retrykit/internal/promapi"
	"github.com/retrykit/retrykit/internal/promname"
	"github.com/retrykit/retrykit/internal/summary"
)

// sourceFlags are the flags of commands that read files or ask a server.
type sourceFlags struct {
	readFlags
	connection promapi.Connection
	window     time.Duration
	naming     string
	matchers   []string
	tokenFile  string
	headers    map[string]string
	timeline   bool
}

func (f *sourceFlags) register(cmd *cobra.Command) {
	f.readFlags.register(cmd)
	flags := cmd.Flags()
	flags.StringVar(&f.connection.URL, "prometheus", "", "ask the Prometheus-compatible server at this `URL` instead of reading files")
	durationVar(flags, &f.window, "window", time.Hour, "with --prometheus: how far back to ask")
	flags.StringVar(&f.naming, "naming", "", "with --prometheus: the server's name `translation`, one of those of retrystat rules --naming; found out by default")
	flags.StringArrayVar(&f.matchers, "match", nil, "with --prometheus: a further PromQL `matcher` of every series, such as job=\"checkout\"; repeatable")
	f.registerConnection(cmd)
}

// registerConnection adds the flags that say how a server is reached.
func (f *sourceFlags) registerConnection(cmd *cobra.Command) {
	flags, c := cmd.Flags(), &f.connection
	flags.StringVar(&f.tokenFile, "bearer-token-file", "", "with --prometheus: a `file` with the bearer token (or set RETRYSTAT_BEARER_TOKEN)")
	flags.StringToStringVar(&f.headers, "header", nil, "with --prometheus: a further `header=value` of requests; repeatable")
	flags.StringVar(&c.CAFile, "tls-ca", "", "with --prometheus: a `file` of certificates to trust besides the system's")
	flags.StringVar(&c.CertFile, "tls-cert", "", "with --prometheus: the client's certificate `file`")
	flags.StringVar(&c.KeyFile, "tls-key", "", "with --prometheus: the client's key `file`")
	flags.StringVar(&c.ServerName, "tls-server-name", "", "with --prometheus: the `name` to expect in the server's certificate")
	flags.BoolVar(&c.Insecure, "tls-insecure", false, "with --prometheus: do not verify the server's certificate")
	durationVar(flags, &c.Timeout, "timeout", 30*time.Second, "with --prometheus: how long one question may take")
}

// read reads the files, or asks the server.
func (f *sourceFlags) read(cmd *cobra.Command, args []string, env Env) (*summary.Summary, error) {
	if f.connection.URL == "" {
		if len(args) == 0 {
			return nil, errors.New("nothing to read: name files, - for standard input, or --prometheus")
		}
		if err := needsServer(cmd); err != nil {
			return nil, err
		}
		return readFiles(cmd.Context(), args, env, &f.readFlags)
	}
	if len(args) > 0 {
		return nil, fmt.Errorf("%s: --prometheus asks a server and reads no files", strings.Join(args, " "))
	}
	if f.since != "" && cmd.Flags().Changed("window") {
		return nil, errors.New("--since and --window both say where the window begins: give one of them")
	}
	return f.ask(cmd.Context(), time.Now())
}

// connectionFlags say how a server is reached, and matter to one only.
var connectionFlags = []string{
	"bearer-token-file", "header", "timeout", "tls-ca", "tls-cert", "tls-key", "tls-server-name", "tls-insecure",
}

// needsServer refuses what would be ignored: figures of all that the files
// hold are not those of the window that was asked for.
func needsServer(cmd *cobra.Command) error {
	for _, name := range append([]string{"window", "naming", "match"}, connectionFlags...) {
		if !cmd.Flags().Changed(name) {
			continue
		}
		if name == "window" {
			return errors.New("--window goes with --prometheus; use --since and --until with files")
		}
		return fmt.Errorf("--%s goes with --prometheus, and files are read here", name)
	}
	return nil
}

// ask asks the server about the window that ends now.
func (f *sourceFlags) ask(ctx context.Context, now time.Time) (*summary.Summary, error) {
	times, err := f.options(now)
	if err != nil {
		return nil, err
	}
	if f.window < time.Millisecond { // Prometheus' resolution
		return nil, fmt.Errorf("--window %s must be 1ms or more", f.window)
	}
	if f.connection.Timeout <= 0 {
		return nil, fmt.Errorf("--timeout %s must be more than 0", f.connection.Timeout)
	}
	o := promapi.Options{
		Connection: f.connection, Window: f.window, End: now, Matchers: f.matchers,
		Dependency: f.dependency, Operation: f.operation, Timeline: f.timeline,
	}
	o.Headers = f.headers
	if !times.Until.IsZero() {
		o.End = times.Until
	}
	if !times.Since.IsZero() {
		if o.Window = o.End.Sub(times.Since); o.Window < time.Millisecond {
			return nil, errors.New("--since is not before now, where the window ends")
		}
	}
	if f.naming != "" {
		if o.Naming, err = promname.Parse(f.naming); err != nil {
			return nil, fmt.Errorf("--naming: %w", err)
		}
	}
	if o.BearerToken, err = f.token(); err != nil {
		return nil, err
	}
	s, err := promapi.Summarise(ctx, o)
	return s, unanswered(ctx, err)
}

// unanswered is the error of asking a server, of which interrupting makes many
// others.
func unanswered(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return errors.New("interrupted before the server had answered")
	}
	return err
}

func (f *sourceFlags) token() (string, error) {
	if f.tokenFile == "" {
		return os.Getenv("RETRYSTAT_BEARER_TOKEN"), nil
	}
	file, err := os.Open(f.tokenFile)
	if err != nil {
		return "", fmt.Errorf("the bearer token: %w", err)
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, 64<<10))
	if err != nil {
		return "", fmt.Errorf("the bearer token: %w", err)
	}
	return strings.TrimSpace(string(data)), nil
}
