package shop

func pay() {
	/* ü */ call("ü, x", func() {
		wait()
	})
}
