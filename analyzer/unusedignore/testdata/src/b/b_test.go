package b

var _ = 1 //nolint:bang // want `silences nothing`
