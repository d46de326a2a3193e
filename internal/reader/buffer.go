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
	if len(*b) < max(size, len(rest)) || len(*b) > max(maxKept, len(rest)) {
		to := make([]byte, max(size, len(rest)))
		*b = to
		return copy(to, rest)
	}
	return copy(*b, rest)
}

// grow doubles the buffer.
func (b *buffer) grow() {
	to := make([]byte, 2*len(*b))
	copy(to, *b)
	*b = to
}
