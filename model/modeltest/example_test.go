package modeltest_test

import (
	"fmt"

	"foretoken/model/modeltest"
)

// A backend is held to the contract by a call: every promise that it breaks is in the error.
func ExampleConform() {
	fmt.Println(modeltest.Conform(modeltest.Hash{Vocab: 16, Real: 16}, 1))
	// Output: <nil>
}
