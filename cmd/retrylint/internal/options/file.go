package options

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/retrykit/retrykit/internal/misspelt"
)

// FileName is the name of the settings file. It is looked for in the current
// directory and above, up to the root of the module.
const FileName = ".retrylint.yaml"

// A File is a settings file: flags by name, with their values.
//
//	checks: default,errstring
//	blindsleep.reachable: true
//	tests: true
//	level: [bareretry=error, nojitter=note]
//	baseline: .retrylint-baseline.json
//
// It says nothing that flags can't say; go vet, whose cache knows flags only,
// needs none of it.
type File struct {
	Name     string
	settings []setting
}

type setting struct {
	name   string
	values []string
	line   int

	applied bool // the command line did not set it
}

// FindFile returns the name of the settings file that applies in dir, "" if
// there is none.
func FindFile(dir string) (string, error) {
	for {
		name := filepath.Join(dir, FileName)
		_, err := os.Lstat(name) // a link to nowhere is an error, and not no settings
		if err == nil {
			return name, nil
		}
		if !errors.Is(err, os.ErrNotExist) {
			return "", fmt.Errorf("the settings can't be read: %w", err)
		}
		_, err = os.Stat(filepath.Join(dir, "go.mod"))
		above := filepath.Dir(dir)
		if err == nil || above == dir {
			return "", nil
		}
		dir = above
	}
}

// ReadFile reads a settings file.
func ReadFile(name string) (*File, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("the settings can't be read: %w", err)
	}
	file, err := ParseFile(data)
	if err != nil {
		return nil, fmt.Errorf("%s:%w", name, err)
	}
	file.Name = name
	return file, nil
}

// Place is where the file sets a flag, as file:line; "" if it doesn't, or the
// command line has the say.
func (f *File) Place(flag string) string {
	for _, s := range f.settings {
		if s.name == flag && s.applied {
			return fmt.Sprintf("%s:%d", f.Name, s.line)
		}
	}
	return ""
}

// Overruled reports whether the file sets a flag that the command line sets too.
func (f *File) Overruled(flag string) bool {
	return slices.ContainsFunc(f.settings, func(s setting) bool { return s.name == flag && !s.applied })
}

// ParseFile reads the content of a settings file. Errors begin with the line.
func ParseFile(data []byte) (*File, error) {
	var document, further yaml.Node
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	if err := decoder.Decode(&document); err != nil && !errors.Is(err, io.EOF) {
		return nil, notYAML(err)
	}
	switch err := decoder.Decode(&further); {
	case err == nil:
		return nil, fmt.Errorf("%d: a second YAML document begins here; put all flags into one", further.Line)
	case !errors.Is(err, io.EOF):
		return nil, notYAML(err)
	}
	file := &File{}
	if document.Kind == 0 {
		return file, nil // empty, or comments only
	}
	root := document.Content[0]
	if root.Kind != yaml.MappingNode {
		return nil, fmt.Errorf("%d: want flags by name, such as \"tests: true\"", root.Line)
	}
	for i := 0; i+1 < len(root.Content); i += 2 {
		key, value := root.Content[i], root.Content[i+1]
		s := setting{name: key.Value, line: key.Line}
		if key.Kind != yaml.ScalarNode || key.Value == "" {
			return nil, fmt.Errorf("%d: the name of a flag has to be a word", key.Line)
		}
		if slices.ContainsFunc(file.settings, func(other setting) bool { return other.name == s.name }) {
			return nil, fmt.Errorf("%d: %s is set twice", key.Line, s.name)
		}
		switch value.Kind {
		case yaml.ScalarNode:
			s.values = []string{value.Value}
		case yaml.SequenceNode:
			for _, item := range value.Content {
				if item.Kind != yaml.ScalarNode {
					return nil, fmt.Errorf("%d: %s wants a list of plain values", item.Line, s.name)
				}
				s.values = append(s.values, item.Value)
			}
		default:
			return nil, fmt.Errorf("%d: %s wants a value or a list of values", value.Line, s.name)
		}
		file.settings = append(file.settings, s)
	}
	return file, nil
}

// notYAML is the parser's error with its line in front, where it tells one.
func notYAML(err error) error {
	text := strings.TrimPrefix(err.Error(), "yaml: ")
	if rest, ok := strings.CutPrefix(text, "line "); ok {
		if line, what, ok := strings.Cut(rest, ": "); ok {
			return fmt.Errorf("%s: it is no YAML: %s", line, what)
		}
	}
	return fmt.Errorf("1: it is no YAML: %s", text)
}

// once are flags that say what to do, and not how.
var once = []string{"settings", "explain", "fix", "diff", "write-baseline"}

// Apply sets the flags that the command line has not set. Values of the flags
// in paths are file names relative to the settings file.
func (f *File) Apply(fs *flag.FlagSet, paths []string) error {
	given := make(map[string]bool)
	fs.Visit(func(fl *flag.Flag) { given[fl.Name] = true })
	for i, s := range f.settings {
		if fs.Lookup(s.name) == nil {
			var known []string
			fs.VisitAll(func(fl *flag.Flag) { known = append(known, fl.Name) })
			if near := misspelt.Nearest(s.name, known); len(near) > 0 {
				return fmt.Errorf("%s:%d: there is no flag %q; did you mean %s?", f.Name, s.line, s.name, strings.Join(near, " or "))
			}
			return fmt.Errorf("%s:%d: there is no flag %q; \"retrylint help\" lists them", f.Name, s.line, s.name)
		}
		if slices.Contains(once, s.name) {
			return fmt.Errorf("%s:%d: %s is for one run; give it on the command line", f.Name, s.line, s.name)
		}
		if given[s.name] {
			continue
		}
		f.settings[i].applied = true
		for _, value := range f.resolve(s, fs, paths) {
			if err := fs.Set(s.name, value); err != nil {
				return fmt.Errorf("%s:%d: %s: %q: %w", f.Name, s.line, s.name, value, err)
			}
		}
	}
	return nil
}

// resolve returns the values to set one after another: the items of a list for
// a flag that can be repeated, all of them joined by commas for another.
func (f *File) resolve(s setting, fs *flag.FlagSet, paths []string) []string {
	values := s.values
	if _, repeats := fs.Lookup(s.name).Value.(Repeatable); !repeats && len(values) != 1 {
		values = []string{strings.Join(values, ",")}
	}
	if slices.Contains(paths, s.name) {
		values = slices.Clone(values)
		for i, name := range values {
			if name != "" && !filepath.IsAbs(name) {
				values[i] = filepath.Join(filepath.Dir(f.Name), name)
			}
		}
	}
	return values
}

// Repeatable is implemented by flags that can be given more than once.
type Repeatable interface{ Repeats() }
