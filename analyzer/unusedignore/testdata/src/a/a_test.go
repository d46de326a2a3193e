package a

var _ = 1 //nolint:bang
