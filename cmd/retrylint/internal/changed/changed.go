// Package changed tells new code from old, by asking git.
package changed

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sourcegraph/go-diff/diff"

	"github.com/retrykit/retrykit/cmd/retrylint/internal/finding"
)

// Lines are the lines that the working tree has and a revision has not.
type Lines struct {
	// files holds, by absolute path with symbolic links resolved, the changed
	// parts. A nil slice is a file that is new as a whole.
	files map[string][]span
}

// A span is a part of a file, both lines included.
type span struct{ first, last int }

// Since asks git for what the working tree around dir, with what is staged and
// files that are not tracked yet, has changed since the revision.
func Since(ctx context.Context, dir, revision string) (*Lines, error) {
	top, err := git(ctx, dir, "rev-parse", "--show-toplevel")
	if err != nil {
		return nil, err
	}
	root := resolved(strings.TrimSpace(string(top)))
	if _, err := git(ctx, dir, "rev-parse", "--verify", "--quiet", "--end-of-options", revision+"^{commit}"); err != nil {
		if _, err := git(ctx, dir, "rev-parse", "--verify", "--quiet", "HEAD"); err != nil {
			return nil, fmt.Errorf("git knows no revision %q here: nothing has been committed yet; leave -new-from out", revision)
		}
		return nil, fmt.Errorf("git knows no revision %q here; in CI, fetch the history first", revision)
	}
	// Only the places of changes are wanted. A line that begins with the mark
	// of context can't be taken for a header, as "-- x" could when it is removed.
	// What a user has set for git diff must not change what is new: each is said
	// here. A file that is binary to git, by an attribute, is text to Go.
	changes, err := git(ctx, root, "diff", "--unified=0", "--inter-hunk-context=0", "--output-indicator-old= ", "--output-indicator-new= ",
		"--find-renames", "--text", "-O/dev/null", "--submodule=short", "--no-color", "--no-ext-diff", "--no-textconv", "--src-prefix=a/", "--dst-prefix=b/",
		"--end-of-options", revision, "--")
	if err != nil {
		return nil, err
	}
	lines, err := parse(root, bytes.NewReader(changes))
	if err != nil {
		return nil, fmt.Errorf("the output of git diff can't be read: %w", err)
	}
	untracked, err := git(ctx, root, "ls-files", "--others", "--exclude-standard", "-z")
	if err != nil {
		return nil, err
	}
	for name := range strings.SplitSeq(string(untracked), "\x00") {
		if name != "" {
			lines.files[filepath.Join(root, filepath.FromSlash(name))] = nil
		}
	}
	return lines, nil
}

// parse reads a diff without context lines.
func parse(root string, from io.Reader) (*Lines, error) {
	lines := &Lines{files: make(map[string][]span)}
	files, err := diff.NewMultiFileDiffReader(from).ReadAllFiles()
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		if file.NewName == nowhere {
			continue
		}
		name := filepath.Join(root, filepath.FromSlash(strings.TrimPrefix(file.NewName, "b/")))
		if file.OrigName == nowhere {
			lines.files[name] = nil
			continue
		}
		spans := []span{}
		for _, hunk := range file.Hunks {
			first := int(hunk.NewStartLine)
			if hunk.NewLines == 0 {
				// Something was taken out between this line and the next.
				spans = append(spans, span{first, first + 1})
				continue
			}
			spans = append(spans, span{first, first + int(hunk.NewLines) - 1})
		}
		lines.files[name] = spans
	}
	return lines, nil
}

// nowhere is git's name for the other side of a file that is new or deleted.
const nowhere = "/dev/null"

// Touches says whether a finding is about code that changed: the lines from
// the first to the last place that it names in its function. So a check that
// was taken out of a loop makes the finding of the whole loop a new one. Places
// in other functions and files count by themselves: what lies between is not
// what the finding is about.
func (l *Lines) Touches(f finding.Finding) bool {
	whole := f.Range
	for _, rel := range f.Related {
		if rel.File != f.File || !within(f.FunctionLines, rel.Range) {
			if l.overlap(rel.Range) {
				return true
			}
			continue
		}
		whole.Start.Line = min(whole.Start.Line, rel.Start.Line)
		whole.End.Line = max(whole.End.Line, rel.End.Line)
	}
	return l.overlap(whole)
}

// within says whether a part of a file lies between two lines of it.
func within(lines [2]int, r finding.Range) bool {
	return lines[0] <= r.Start.Line && r.End.Line <= lines[1]
}

// overlap says whether a line of a part of a file changed.
func (l *Lines) overlap(r finding.Range) bool {
	spans, ok := l.files[resolved(r.File)]
	if !ok {
		return false
	}
	return spans == nil || slices.ContainsFunc(spans, func(s span) bool { return s.first <= r.End.Line && r.Start.Line <= s.last })
}

// resolved is a path without symbolic links: git and the go command do not
// always take the same way to a file.
func resolved(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}

func git(ctx context.Context, dir string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = dir
	cmd.Env = environment(ctx, dir)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if errors.Is(err, exec.ErrNotFound) {
		return nil, fmt.Errorf("git is needed to tell what changed: %w", err)
	}
	if err != nil {
		return nil, fmt.Errorf("git %s: %s: %w", args[0], strings.TrimSpace(stderr.String()), err)
	}
	return out, nil
}

// environment is what git is run with. GIT_DIFF_OPTS would outweigh --unified.
// In a hook of a linked worktree, git sets GIT_DIR, and without GIT_WORK_TREE
// takes the current folder for the top of the worktree then; where git finds
// the same repository by itself, it finds the right top, too.
func environment(ctx context.Context, dir string) []string {
	env := append(os.Environ(), "GIT_DIFF_OPTS=")
	given, isGiven := os.LookupEnv("GIT_DIR")
	if _, placed := os.LookupEnv("GIT_WORK_TREE"); !isGiven || placed {
		return env
	}
	without := slices.DeleteFunc(slices.Clone(env), func(v string) bool { return strings.HasPrefix(v, "GIT_DIR=") })
	cmd := exec.CommandContext(ctx, "git", "rev-parse", "--absolute-git-dir")
	cmd.Dir, cmd.Env = dir, without
	found, err := cmd.Output()
	if !filepath.IsAbs(given) {
		given = filepath.Join(dir, given)
	}
	if err != nil || resolved(strings.TrimSpace(string(found))) != resolved(given) {
		return env
	}
	return without
}
