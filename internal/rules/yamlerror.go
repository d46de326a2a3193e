package rules

import (
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/retrykit/retrykit/internal/misspelt"
)

// What the YAML decoder says of values that do not fit names Go's types.
var (
	unknownField = regexp.MustCompile(`^line (\d+): field (.+) not found in type \S+$`)
	otherKind    = regexp.MustCompile("^line (\\d+): cannot unmarshal (?:!!\\w+ `(.*)`|!!(\\w+)) into (\\S+)$")
)

// plainYAML says what is wrong with a settings file in the file's own words.
func plainYAML(err error) error {
	var wrong *yaml.TypeError
	if !errors.As(err, &wrong) {
		return err
	}
	var errs []error
	for _, text := range wrong.Errors {
		if m := unknownField.FindStringSubmatch(text); m != nil {
			text = fmt.Sprintf("line %s: unknown key %q", m[1], m[2])
			if near := misspelt.Nearest(m[2], keys(reflect.TypeFor[Settings]())); len(near) > 0 {
				text += ": did you mean " + strings.Join(near, " or ") + "?"
			}
		} else if m := otherKind.FindStringSubmatch(text); m != nil {
			found := fmt.Sprintf("%q", m[2])
			if m[3] != "" {
				found = kindName(m[3])
			}
			text = fmt.Sprintf("line %s: expected %s, and found %s", m[1], expected(m[4]), found)
		}
		errs = append(errs, errors.New(text))
	}
	return errors.Join(errs...)
}

func kindName(tag string) string {
	switch tag {
	case "seq":
		return "a list"
	case "map":
		return "keys with values"
	}
	return tag
}

func expected(goType string) string {
	switch {
	case goType == "float64":
		return "a number"
	case goType == "bool":
		return "true or false"
	case goType == "string", goType == "promname.Naming":
		return "a text"
	case strings.HasPrefix(goType, "[]"):
		return "a list"
	case strings.HasPrefix(goType, "map["), strings.HasPrefix(goType, "rules."):
		return "keys with values"
	}
	return goType
}

// keys are those of a struct and of the structs in it.
func keys(t reflect.Type) (out []string) {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice:
		return keys(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if name, _, _ := strings.Cut(t.Field(i).Tag.Get("yaml"), ","); name != "" {
				out = append(out, name)
			}
			out = append(out, keys(t.Field(i).Type)...)
		}
	}
	return out
}
