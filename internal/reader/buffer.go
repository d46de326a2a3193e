package reader

// buffer is where a worker reads what it decodes next. It stays with the
// worker, and in its processor's cache.
type buffer []byte

// begin makes room for a stretch that begins with rest, which may lie in this
// buffer, and returns how long rest is. The first stretch is a short one.
func (b *buffer) begin(rest []byte, first bool) int {
	size := chunkSize
	if first {
		size = firstChunk
	}
	for size < len(rest) { // by doubling, so that it depends on no worker when a document is too long
		size *= 2
	}
	if len(*b) < size {
		to := make([]byte, size)
		*b = to
		return copy(to, rest)
	}
	return copy(*b, rest)
}

// release gives up a long buffer. What comes next may lie in it and stays.
func (b *buffer) release() {
	if len(*b) > maxKept {
		*b = nil
	}
}

// grow doubles the buffer.
func (b *buffer) grow() {
	to := make([]byte, 2*len(*b))
	copy(to, *b)
	*b = to
}
