package changed

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/retrykit/retrykit/cmd/retrylint/internal/finding"
)

const changes = `diff --git a/lib/a.go b/lib/a.go
index 1111111..2222222 100644
--- a/lib/a.go
+++ b/lib/a.go
@@ -10,2 +10,3 @@ func f() {
-	old
-	old
+	new
+	new
+	new
@@ -30,2 +30,0 @@ func g() {
-	taken
-	out
diff --git a/new.go b/new.go
new file mode 100644
index 0000000..3333333
--- /dev/null
+++ b/new.go
@@ -0,0 +1,1 @@
+package p
diff --git a/gone.go b/gone.go
deleted file mode 100644
index 4444444..0000000
--- a/gone.go
+++ /dev/null
@@ -1,1 +0,0 @@
-package p
diff --git a/old.go b/moved.go
similarity index 90%
rename from old.go
rename to moved.go
index 5555555..6666666 100644
--- a/old.go
+++ b/moved.go
@@ -5,1 +5,1 @@
-	x
+	y
diff --git a/mode.go b/mode.go
old mode 100644
new mode 100755
`

func TestTouches(t *testing.T) {
	lines, err := parse("/repo", strings.NewReader(changes))
	require.NoError(t, err)
	at := func(file string, first, last int, related ...int) finding.Finding {
		name := filepath.Join("/repo", file)
		f := finding.Finding{Range: finding.Range{File: name, Start: finding.Position{Line: first}, End: finding.Position{Line: last}}}
		f.FunctionLines = [2]int{1, 60}
		for _, line := range related {
			p := finding.Position{Line: line}
			f.Related = append(f.Related, finding.Related{Range: finding.Range{File: name, Start: p, End: p}})
		}
		return f
	}
	in := func(first, last int, f finding.Finding) finding.Finding {
		f.FunctionLines = [2]int{first, last}
		return f
	}
	from := func(file string, f finding.Finding) finding.Finding {
		f.File = filepath.Join("/repo", file)
		return f
	}
	tests := map[string]struct {
		f    finding.Finding
		want bool
	}{
		"between it and another function": {in(2, 9, at("lib/a.go", 5, 8, 20)), false},
		"in another function":             {in(13, 25, at("lib/a.go", 14, 20, 11)), true},
		"in another function and between": {in(13, 25, at("lib/a.go", 14, 15, 20, 9)), false},
		"in another file":                 {from("lib/b.go", at("lib/a.go", 14, 15, 11)), true},
		"elsewhere in another file":       {from("lib/b.go", at("lib/a.go", 14, 15, 20)), false},
		"between it and another file":     {from("lib/b.go", at("lib/a.go", 5, 6, 20)), false},
		"in no declaration":               {in(0, 0, at("lib/a.go", 5, 6, 20)), false},

		"on a new line":                   {at("lib/a.go", 12, 12), true},
		"around new lines":                {at("lib/a.go", 8, 20), true},
		"before":                          {at("lib/a.go", 9, 9), false},
		"after":                           {at("lib/a.go", 13, 20), false},
		"a related place on a new line":   {at("lib/a.go", 9, 9, 10), true},
		"where something was taken out":   {at("lib/a.go", 29, 29, 33), true},
		"just below what was taken out":   {at("lib/a.go", 31, 31), true},
		"further below":                   {at("lib/a.go", 32, 32), false},
		"in a new file":                   {at("new.go", 900, 900), true},
		"in a file that moved, changed":   {at("moved.go", 5, 5), true},
		"in a file that moved, unchanged": {at("moved.go", 6, 6), false},
		"only the mode changed":           {at("mode.go", 1, 1), false},
		"in a file that did not change":   {at("lib/b.go", 12, 12), false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, tt.want, lines.Touches(tt.f))
		})
	}
}

// What git writes of names and lines that look like its own, whatever the user
// has set.
func TestSinceOfOddFiles(t *testing.T) {
	for name, settings := range map[string][]string{
		"nothing set": nil,
		"all set": {"diff.renames", "false", "diff.interHunkContext", "50", "diff.context", "9", "diff.orderFile", "/nowhere", "diff.submodule", "diff",
			"diff.noprefix", "true", "diff.external", "false", "color.ui", "always", "core.quotePath", "false"},
		"copies": {"diff.renames", "copies", "diff.mnemonicPrefix", "true"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("GIT_CONFIG_COUNT", strconv.Itoa(len(settings)/2))
			t.Setenv("GIT_DIFF_OPTS", "--unified=3")
			for i := 0; i < len(settings); i += 2 {
				t.Setenv(fmt.Sprintf("GIT_CONFIG_KEY_%d", i/2), settings[i])
				t.Setenv(fmt.Sprintf("GIT_CONFIG_VALUE_%d", i/2), settings[i+1])
			}
			testSinceOfOddFiles(t)
		})
	}
}

func testSinceOfOddFiles(t *testing.T) {
	names := []string{"plain.go", "with space.go", "b/b/nested.go", "tab\there.go", `quote".go`, `back\slash.go`, "Ünï.go", "-dash.go", "a b/c d.go", " lead.go"}
	const before = "package p\n\n/*\n-- removed\n-- kept\n*/\n\nvar a = 1\nvar b = 2\nvar c = 3\n"
	const after = "package p\n\n/*\n++ b/added\n-- kept\n*/\n\nvar a = 1\nvar b = 2\nvar c = 33"
	dir := t.TempDir()
	run := func(args ...string) {
		t.Helper()
		_, err := git(t.Context(), dir, append([]string{"-c", "user.name=n", "-c", "user.email=n@example.com"}, args...)...)
		require.NoError(t, err)
	}
	write := func(name, text string) {
		t.Helper()
		file := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	}
	run("init", "-q")
	for _, name := range names {
		write(name, before)
	}
	write("image.png", "\x00\x01")
	write("gone.go", "package gone\n")
	write("kept.go", "package kept\n\nvar a = 1\nvar b = 2\n")
	write("generated.go", before)
	write(".gitattributes", "generated.go -diff\n")
	run("add", ".")
	run("commit", "-q", "-m", "before")
	for _, name := range names {
		write(name, after)
		write("new/"+name, after)
	}
	write("image.png", "\x00\x02")
	write("empty.go", "")
	write("generated.go", after)
	run("mv", "kept.go", "moved.go")
	require.NoError(t, os.Remove(filepath.Join(dir, "gone.go")))
	run("add", "new", "empty.go")
	write("not added.go", after)

	lines, err := Since(t.Context(), dir, "HEAD")
	require.NoError(t, err)
	touched := func(name string) (which []int) {
		for line := 1; line <= 10; line++ {
			at := finding.Position{Line: line}
			if lines.Touches(finding.Finding{Range: finding.Range{File: filepath.Join(dir, filepath.FromSlash(name)), Start: at, End: at}}) {
				which = append(which, line)
			}
		}
		return which
	}
	all := []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}
	for _, name := range names {
		assert.Equal(t, []int{4, 10}, touched(name), name)
		assert.Equal(t, all, touched("new/"+name), "new/%s", name)
	}
	assert.Equal(t, all, touched("not added.go"))
	assert.Equal(t, all, touched("empty.go"), "a file that is new has no old lines")
	assert.Empty(t, touched("gone.go"))
	assert.Empty(t, touched("moved.go"))
	assert.Equal(t, []int{4, 10}, touched("generated.go"), "binary to git by its attribute")
}

// In a hook, git says where its repository is, but not where the worktree is.
func TestSinceInAHookOfAWorktree(t *testing.T) {
	dir := t.TempDir()
	main, linked := filepath.Join(dir, "main"), filepath.Join(dir, "linked")
	require.NoError(t, os.Mkdir(main, 0o755))
	run := func(args ...string) {
		t.Helper()
		_, err := git(t.Context(), main, append([]string{"-c", "user.name=n", "-c", "user.email=n@example.com"}, args...)...)
		require.NoError(t, err)
	}
	run("init", "-q")
	require.NoError(t, os.Mkdir(filepath.Join(main, "svc"), 0o755))
	for _, name := range []string{"top.go", "svc/a.go"} {
		require.NoError(t, os.WriteFile(filepath.Join(main, name), []byte("package p\n\nvar a = 1\n"), 0o644))
	}
	run("add", ".")
	run("commit", "-q", "-m", "before")
	run("worktree", "add", "-q", linked)
	require.NoError(t, os.WriteFile(filepath.Join(linked, "top.go"), []byte("package p\n\nvar a = 2\n"), 0o644))

	for name, gitDir := range map[string]string{
		"linked": filepath.Join(main, ".git", "worktrees", "linked"),
		"unset":  "",
	} {
		t.Run(name, func(t *testing.T) {
			if gitDir != "" {
				t.Setenv("GIT_DIR", gitDir)
			}
			lines, err := Since(t.Context(), filepath.Join(linked, "svc"), "HEAD")
			require.NoError(t, err)
			at := func(name string) finding.Finding {
				p := finding.Position{Line: 3}
				return finding.Finding{Range: finding.Range{File: filepath.Join(linked, name), Start: p, End: p}}
			}
			assert.True(t, lines.Touches(at("top.go")))
			assert.False(t, lines.Touches(at("svc/a.go")))
		})
	}
	t.Setenv("GIT_DIR", filepath.Join(dir, "nowhere"))
	_, err := Since(t.Context(), filepath.Join(linked, "svc"), "HEAD")
	require.ErrorContains(t, err, "not a git repository")
}

func FuzzParse(f *testing.F) {
	f.Add(changes)
	f.Fuzz(func(t *testing.T, text string) {
		lines, err := parse("/repo", strings.NewReader(text))
		if err == nil {
			lines.Touches(finding.Finding{})
		}
	})
}
