package wholefile_test

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/retrykit/retrykit/internal/wholefile"
)

func ExampleWrite() {
	dir, err := os.MkdirTemp("", "whole")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "rules.yaml")
	fmt.Println(wholefile.Write(path, []byte("groups: []\n")))
	data, err := os.ReadFile(path)
	fmt.Printf("%q %v\n", data, err)
	// Output:
	// <nil>
	// "groups: []\n" <nil>
}
