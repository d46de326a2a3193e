package cli

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/retrykit/retrykit/internal/wholefile"
)

// writeWhole writes a file at once, and makes the folders on the way.
func writeWhole(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("make the folder of %s: %w", path, err)
	}
	return wholefile.Write(path, data)
}
