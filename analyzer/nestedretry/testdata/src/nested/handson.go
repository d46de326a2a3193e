package nested

import "time"

func repeat(attempts int, op func() error) (err error) {
	for i := 0; i < attempts; i++ {
		if i > 0 {
			time.Sleep(time.Second)
		}
		if err = op(); err == nil {
			return nil
		}
	}
	return err
}

// One retry under another name.
func repeatThree(op func() error) error { return repeat(3, op) }
