// Package prom runs a Prometheus server for as long as an example or a test
// needs it.
package prom

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/prometheus/client_golang/api"
	v1 "github.com/prometheus/client_golang/api/prometheus/v1"
	"github.com/prometheus/common/model"
)

// Config says what the server scrapes and which rules it evaluates.
type Config struct {
	Program string   // the name or path of the program; "prometheus" when empty
	Dir     string   // holds its configuration and data; the caller removes it
	Job     string   // the label job of what it scrapes
	Targets []string // URLs of the services, without /metrics
	Rules   []string // paths of rule files
}

// A Server is a running Prometheus.
type Server struct {
	URL string
	API v1.API
	cmd *exec.Cmd
	log *bytes.Buffer
}

// Start starts the server on a loopback address, and waits until it has scraped
// each of its targets once. It scrapes and evaluates every second.
func Start(ctx context.Context, c Config) (*Server, error) {
	program, err := exec.LookPath(orDefault(c.Program, "prometheus"))
	if err != nil {
		return nil, fmt.Errorf("no Prometheus server: install it (Debian's package is called prometheus) or say where it is: %w", err)
	}
	config := filepath.Join(c.Dir, "prometheus.yaml")
	if err := os.WriteFile(config, []byte(c.yaml()), 0o600); err != nil {
		return nil, err
	}
	address, err := freeAddress(ctx)
	if err != nil {
		return nil, err
	}
	s := &Server{URL: "http://" + address, log: &bytes.Buffer{}}
	client, err := api.NewClient(api.Config{Address: s.URL})
	if err != nil {
		return nil, err
	}
	s.API = v1.NewAPI(client)
	s.cmd = exec.Command(program,
		"--config.file="+config, "--storage.tsdb.path="+filepath.Join(c.Dir, "data"),
		"--web.listen-address="+address, "--log.level=warn", "--enable-feature=exemplar-storage")
	s.cmd.Stdout, s.cmd.Stderr = s.log, s.log
	if err := s.cmd.Start(); err != nil {
		return nil, fmt.Errorf("start Prometheus: %w", err)
	}
	if err := s.ready(ctx, len(c.Targets)); err != nil {
		return nil, errors.Join(err, s.Stop())
	}
	return s, nil
}

func (c Config) yaml() string {
	var b strings.Builder
	b.WriteString("global:\n  scrape_interval: 1s\n  evaluation_interval: 1s\nrule_files:\n")
	for _, path := range c.Rules {
		fmt.Fprintf(&b, "  - %q\n", path)
	}
	fmt.Fprintf(&b, "scrape_configs:\n  - job_name: %q\n    static_configs:\n      - targets:\n", c.Job)
	for _, target := range c.Targets {
		fmt.Fprintf(&b, "          - %q\n", strings.TrimPrefix(target, "http://"))
	}
	return b.String()
}

func (s *Server) ready(ctx context.Context, targets int) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	ticker := time.NewTicker(50 * time.Millisecond)
	defer ticker.Stop()
	for {
		if up, _, _, err := s.API.Query(ctx, "up == 1", time.Now()); err == nil {
			if vector, ok := up.(model.Vector); ok && len(vector) == targets {
				return nil
			}
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("the Prometheus server did not come to scrape its targets: %w\n%s", ctx.Err(), s.log)
		case <-ticker.C:
		}
	}
}

// Stop ends the server and waits for it.
func (s *Server) Stop() error {
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("stop Prometheus: %w", err)
	}
	if err := s.cmd.Wait(); err != nil {
		return fmt.Errorf("the Prometheus server: %w\n%s", err, s.log)
	}
	return nil
}

// freeAddress is a loopback address that nothing listens on.
func freeAddress(ctx context.Context) (string, error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return listener.Addr().String(), listener.Close()
}

func orDefault(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}
