// Command e2e is golangci-lint with retrylint built in, as "golangci-lint
// custom" makes it. It is a module of its own, so that what golangci-lint
// needs does not reach those who import retrykit.
package main

import (
	"fmt"
	"os"

	"github.com/golangci/golangci-lint/v2/pkg/commands"
	"github.com/golangci/golangci-lint/v2/pkg/exitcodes"

	_ "github.com/retrykit/retrykit/analyzer/golangci"
)

func main() {
	if err := commands.Execute(commands.BuildInfo{Version: "2.15.0"}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(exitcodes.Failure)
	}
}
