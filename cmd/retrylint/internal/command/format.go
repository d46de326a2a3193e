package command

import (
	"io"
	"maps"
	"os"
	"slices"

	"golang.org/x/term"

	"github.com/retrykit/retrykit/cmd/retrylint/internal/render"
)

// formats are the values of -format.
var formats = map[string]func(io.Writer, render.Report, *settings) error{
	"text": func(w io.Writer, r render.Report, s *settings) error {
		return render.Text(w, r, render.TextOptions{Color: s.useColor(w), Context: s.context})
	},
	"json":       func(w io.Writer, r render.Report, _ *settings) error { return render.JSON(w, r) },
	"sarif":      func(w io.Writer, r render.Report, _ *settings) error { return render.SARIF(w, r) },
	"github":     func(w io.Writer, r render.Report, _ *settings) error { return render.GitHub(w, r) },
	"checkstyle": func(w io.Writer, r render.Report, _ *settings) error { return render.Checkstyle(w, r) },
	"vet":        func(w io.Writer, r render.Report, _ *settings) error { return render.VetJSON(w, r) },
}

func formatNames() []string {
	return slices.Sorted(maps.Keys(formats))
}

// useColor follows -color, and by default what terminals' users expect:
// colours on a terminal only, and none when NO_COLOR is set to anything.
func (s *settings) useColor(w io.Writer) bool {
	switch s.color {
	case "always":
		return true
	case "never":
		return false
	}
	file, ok := w.(*os.File)
	return ok && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && term.IsTerminal(int(file.Fd()))
}
