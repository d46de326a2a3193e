package command

import (
	"fmt"
	"os"
	"path/filepath"
)

// writeFile puts a file in place whole: a reader never sees half of it, and a
// failure leaves what was there.
func writeFile(name string, data []byte) error {
	tmp, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+"-*")
	if err != nil {
		return fmt.Errorf("can't write %s: %w", name, err)
	}
	defer os.Remove(tmp.Name()) // fails once it has been renamed
	_, err = tmp.Write(data)
	if err == nil {
		err = tmp.Chmod(0o644)
	}
	if closing := tmp.Close(); err == nil {
		err = closing
	}
	if err == nil {
		err = os.Rename(tmp.Name(), name)
	}
	if err != nil {
		return fmt.Errorf("can't write %s: %w", name, err)
	}
	return nil
}
