package command

import (
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/retrykit/retrykit/cmd/retrylint/internal/finding"
	"github.com/retrykit/retrykit/cmd/retrylint/internal/options"
)

const completionUsage = `retrylint completion prints a script that completes retrylint's command line.

    bash    source <(retrylint completion bash)
    zsh     source <(retrylint completion zsh)
    fish    retrylint completion fish | source

Put the line into the shell's start-up file to have it always.
`

// shells are the scripts. Each asks "retrylint __complete" with the words up
// to the cursor, so that it need not change with retrylint's flags.
var shells = map[string]string{
	"bash": `_retrylint() {
	local words=("${COMP_WORDS[@]:1:COMP_CWORD}") line
	# bash splits words at "=", retrylint does not.
	local cur=${COMP_LINE:0:COMP_POINT}
	cur=${cur##* }
	words=(${COMP_LINE:0:COMP_POINT})
	words=("${words[@]:1}")
	[[ -z $cur ]] && words+=("")
	COMPREPLY=()
	while IFS=$'\t' read -r line _; do
		COMPREPLY+=("${line#"${cur%"${cur##*=}"}"}")
	done < <(retrylint __complete "${words[@]}" 2>/dev/null)
	if [[ ${#COMPREPLY[@]} -eq 0 ]]; then
		compopt -o filenames # a folder goes on
		COMPREPLY=($(compgen -f -- "${cur##*=}"))
	fi
	[[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace
}
complete -F _retrylint retrylint
`,
	"zsh": `#compdef retrylint
_retrylint() {
	local -a lines
	lines=("${(@f)$(retrylint __complete "${(@)words[2,CURRENT]}" 2>/dev/null)}")
	lines=("${(@)lines%%$'\t'*}")
	if [[ -n ${lines[1]} ]]; then
		compadd -S '' -- "${lines[@]}"
	else
		_files
	fi
}
compdef _retrylint retrylint
`,
	"fish": `function __retrylint_complete
	set -l words (commandline --tokenize --cut-at-cursor) (commandline --current-token)
	retrylint __complete $words[2..] 2>/dev/null
end
complete --command retrylint --arguments '(__retrylint_complete)'
`,
}

func completion(args []string, stdout io.Writer) (int, error) {
	if len(args) == 1 {
		if script, ok := shells[args[0]]; ok {
			_, err := io.WriteString(stdout, script)
			return exitClean, err
		}
	}
	if len(args) == 0 || slices.Contains([]string{"-h", "-help", "--help"}, args[0]) {
		fmt.Fprint(stdout, completionUsage)
		return exitClean, nil
	}
	return exitFailure, fmt.Errorf("there is a completion for bash, zsh and fish, and none for %q", strings.Join(args, " "))
}

// complete prints what the last word may become, one a line, with what it
// means after a tab. Nothing means a file or a package.
func complete(suite options.Suite, words []string, stdout io.Writer) (int, error) {
	if len(words) == 0 {
		words = []string{""}
	}
	last := words[len(words)-1]
	offer := func(word, meaning string) {
		if strings.HasPrefix(word, last) {
			fmt.Fprintf(stdout, "%s\t%s\n", word, meaning)
		}
	}
	offerChecks := func() {
		for _, a := range suite.All() {
			first, _, _ := strings.Cut(a.Doc, "\n")
			offer(a.Name, first)
		}
	}
	if len(words) == 1 && !strings.HasPrefix(last, "-") {
		for _, c := range commands {
			offer(c.name, c.meaning)
		}
		return exitClean, nil
	}
	switch words[0] {
	case "help":
		offerChecks()
		for _, c := range commands {
			offer(c.name, c.meaning)
		}
		return exitClean, nil
	case "completion":
		for _, shell := range []string{"bash", "fish", "zsh"} {
			offer(shell, "")
		}
		return exitClean, nil
	}
	fs := newSettings(suite).flags
	if words[0] == "sites" {
		fs = newSitesFlags().set
	}
	if name, value, hasValue := strings.Cut(last, "="); hasValue && strings.HasPrefix(last, "-") {
		for _, v := range valuesOf(suite, strings.TrimLeft(name, "-"), value) {
			offer(name+"="+v, "")
		}
		return exitClean, nil
	}
	if !strings.HasPrefix(last, "-") { // the value of the flag before it, perhaps
		if len(words) > 1 && strings.HasPrefix(words[len(words)-2], "-") {
			for _, v := range valuesOf(suite, strings.TrimLeft(words[len(words)-2], "-"), last) {
				offer(v, "")
			}
		}
		return exitClean, nil
	}
	dash := "-"
	if strings.HasPrefix(last, "--") { // as the flag package takes them, too
		dash = "--"
	}
	fs.VisitAll(func(f *flag.Flag) {
		word := dash + f.Name
		if b, ok := f.Value.(interface{ IsBoolFlag() bool }); !ok || !b.IsBoolFlag() {
			word += "="
		}
		_, usage := flag.UnquoteUsage(f)
		offer(word, usage)
	})
	return exitClean, nil
}

// valuesOf are the values that a flag may have, where they are few, given what
// is written of one.
func valuesOf(suite options.Suite, name, begun string) []string {
	switch name {
	case "format":
		return formatNames()
	case "color":
		return []string{"always", "auto", "never"}
	case "fail-on":
		return levelNames()
	case "explain":
		return checkNames(suite)
	case "level":
		if check, _, hasLevel := strings.Cut(begun, "="); hasLevel {
			return around(check+"=", levelNames(), "")
		}
		return around("", append(checkNames(suite), "all"), "=")
	case "checks":
		before, item := "", begun
		if comma := strings.LastIndex(begun, ","); comma >= 0 {
			before, item = begun[:comma+1], begun[comma+1:]
		}
		if strings.HasPrefix(item, "-") { // to be left out
			return around(before+"-", checkNames(suite), "")
		}
		return around(before, append([]string{"default", "all"}, checkNames(suite)...), "")
	}
	return nil
}

func checkNames(suite options.Suite) []string {
	var names []string
	for _, a := range suite.All() {
		names = append(names, a.Name)
	}
	return names
}

func levelNames() []string {
	var names []string
	for _, l := range finding.Levels {
		names = append(names, string(l))
	}
	return names
}

// around puts a prefix and a suffix to each of the words.
func around(prefix string, words []string, suffix string) []string {
	out := make([]string, len(words))
	for i, word := range words {
		out[i] = prefix + word + suffix
	}
	return out
}

// commands are the words that may stand first.
var commands = []struct{ name, meaning string }{
	{"completion", "print a completion script for a shell"},
	{"help", "explain retrylint or a check"},
	{"sites", "list the retry sites"},
	{"version", "print the version"},
	{"vetflags", "print the settings as flags for go vet"},
}
