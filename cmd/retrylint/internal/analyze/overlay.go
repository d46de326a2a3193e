package analyze

import (
	"os"
	"slices"

	"golang.org/x/tools/go/analysis"
)

// ReadFile is the content of a file as it is analysed.
func (req Request) ReadFile(name string) ([]byte, error) {
	if data, ok := req.Overlay[name]; ok {
		return slices.Clone(data), nil
	}
	return os.ReadFile(name)
}

// overlaid lets checks read the files of the overlay: the packages are loaded
// with it, but what a pass reads is what is on disk.
func (req Request) overlaid(checks []*analysis.Analyzer) []*analysis.Analyzer {
	if len(req.Overlay) == 0 {
		return checks
	}
	var list []*analysis.Analyzer
	for _, a := range checks {
		reading := *a
		reading.Run = func(pass *analysis.Pass) (any, error) {
			onDisk := pass.ReadFile
			pass.ReadFile = func(name string) ([]byte, error) {
				if data, ok := req.Overlay[name]; ok {
					return slices.Clone(data), nil
				}
				return onDisk(name)
			}
			return a.Run(pass)
		}
		list = append(list, &reading)
	}
	return list
}
