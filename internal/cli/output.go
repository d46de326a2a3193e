package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/retrykit/retrykit/internal/wholefile"
)

// writeWhole writes a file at once, and makes the folders on the way.
func writeWhole(path string, data []byte) error {
	folder, name := filepath.Split(path) // not Dir, which takes "made/.." for nothing
	switch name {
	case "", ".", "..":
		return fmt.Errorf("can't write %s: it names a folder; name a file in it", path)
	}
	if folder = strings.TrimRight(folder, string(filepath.Separator)); folder != "" {
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return fmt.Errorf("make the folder of %s: %w", path, err)
		}
	}
	return wholefile.Write(path, data)
}
