package reader

import (
	"io"
	"sync/atomic"
)

// Progress counts the bytes of files as they are read, before compression is
// taken off. A nil Progress counts nothing. Safe for concurrent use.
type Progress struct {
	read, total atomic.Int64
	unknown     atomic.Bool
}

// Done returns how many bytes were read, and of how many; total is 0 when that
// is not known.
func (p *Progress) Done() (read, total int64) {
	if p.unknown.Load() {
		return p.read.Load(), 0
	}
	return p.read.Load(), p.total.Load()
}

func (p *Progress) start(files []file) {
	if p == nil {
		return
	}
	for _, f := range files {
		if f.path == "-" {
			p.unknown.Store(true)
		}
		p.total.Add(f.size)
	}
}

func (p *Progress) count(r io.Reader) io.Reader {
	if p == nil {
		return r
	}
	return progressReader{r, p}
}

type progressReader struct {
	r io.Reader
	p *Progress
}

func (p progressReader) Read(b []byte) (int, error) {
	n, err := p.r.Read(b)
	p.p.read.Add(int64(n))
	return n, err
}
