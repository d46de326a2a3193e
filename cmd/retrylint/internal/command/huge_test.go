package command_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestHugeFiles runs every check on files as only generators write them: what
// is looked up for each finding must not take the whole file.
func TestHugeFiles(t *testing.T) {
	const loop = `	var err error
	for i := 0; i < 5; i++ {
		if _, err = http.Get("http://a"); err == nil {
			break
		}
		time.Sleep(time.Second << i)
	}
`
	const n = 400
	sources := map[string]func(w *strings.Builder){
		"functions": func(w *strings.Builder) {
			for i := range n {
				fmt.Fprintf(w, "\nfunc f%d() error {\n%s\treturn err\n}\n", i, loop)
			}
		},
		"one function": func(w *strings.Builder) {
			w.WriteString("\nfunc f() error {\n")
			for range n / 4 {
				fmt.Fprintf(w, "{\n%s\tif err != nil {\n\t\treturn err\n\t}\n}\n", loop)
			}
			w.WriteString("return nil\n}\n")
		},
		"chain of retries": func(w *strings.Builder) {
			for i := range n {
				next := fmt.Sprintf("f%d", i+1)
				if i == n-1 {
					next = "send"
				}
				fmt.Fprintf(w, "\nfunc f%d() (err error) {\n\tfor range 3 {\n\t\tif err = %s(); err == nil {\n\t\t\treturn nil\n\t\t}\n\t\ttime.Sleep(time.Second)\n\t}\n\treturn err\n}\n", i, next)
			}
		},
		"loops in loops": func(w *strings.Builder) {
			const deep = 100
			w.WriteString("\nfunc f() (err error) {\n")
			for i := range deep {
				fmt.Fprintf(w, "for i%d := range 3 {\n_ = i%[1]d\n", i)
			}
			w.WriteString("if err = send(); err == nil {\nreturn nil\n}\ntime.Sleep(time.Second)\n")
			w.WriteString(strings.Repeat("}\n", deep) + "return err\n}\n")
		},
		"many ways through one loop": func(w *strings.Builder) {
			w.WriteString("\nfunc f(k int) (err error) {\nfor range 3 {\nerr = send()\n")
			for i := range n {
				fmt.Fprintf(w, "if k == %d && err != nil {\nk += %[1]d\n}\n", i)
			}
			w.WriteString("if err == nil {\nreturn nil\n}\ntime.Sleep(time.Second)\n}\nreturn err\n}\n")
		},
	}
	retrylint, err := exec.LookPath("retrylint")
	require.NoError(t, err)
	for name, write := range sources {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			var source strings.Builder
			source.WriteString("package m\n\nimport (\n\t\"net/http\"\n\t\"time\"\n)\n\nfunc send() error {\n\t_, err := http.Get(\"http://a\")\n\treturn err\n}\n")
			write(&source)
			require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.com/m\n\ngo 1.26\n"), 0o644))
			require.NoError(t, os.WriteFile(filepath.Join(dir, "m.go"), []byte(source.String()), 0o644))
			cmd := exec.Command(retrylint, "-checks=all", "-c=-1", ".")
			cmd.Dir = dir
			var stderr strings.Builder
			cmd.Stderr = &stderr
			out, _ := cmd.Output()
			assert.LessOrEqual(t, cmd.ProcessState.ExitCode(), 1, stderr.String())
			if want := map[string]int{"functions": n, "one function": n / 4}[name]; want > 0 {
				assert.Equal(t, want, strings.Count(string(out), "time.Sleep before retrying"), "each loop has its finding")
			}
		})
	}
}
