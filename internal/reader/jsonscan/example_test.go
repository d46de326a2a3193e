package jsonscan_test

import (
	"fmt"

	"github.com/retrykit/retrykit/internal/reader/jsonscan"
)

func ExampleScanner() {
	var s jsonscan.Scanner
	s.Init([]byte(`{"name":"charge","more":[1,[2]],"count":"3"}`))
	for s.Object(); ; {
		key, ok := s.Key()
		if !ok {
			break
		}
		if string(key) == "count" {
			n, ok := s.Int64()
			fmt.Println(n, ok)
			continue
		}
		s.Skip()
	}
	fmt.Println(s.Err(), s.AtEnd())
	// Output:
	// 3 true
	// <nil> true
}
