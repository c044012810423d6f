// SPDX-License-Identifier: GPL-2.0-or-later

// Functions with results in registers, on stacks that grow and move while calls are on their way, on several threads.
package main

import (
	"fmt"
	"sync"
)

type pair struct {
	small int32
	text  string
}

//go:noinline
func traceme(a int, b int) (ret int) { return a + b }

//go:noinline
func both(n int, p pair) (pair, error) {
	p.small += int32(n)
	return p, nil
}

// deep fills half a KB of stack with each call: the stack is copied several times on the way.
//
//go:noinline
func deep(n int, s string) (int, string) {
	var pad [64]int
	if n == 0 {
		return len(s), s
	}
	pad[n%64] = n
	x, y := deep(n-1, s)
	return x + pad[n%64] - n + 1, y
}

//go:noinline
func panics(n int) int {
	if n%2 == 0 {
		panic("even")
	}
	return n
}

func recovers(n int) {
	defer func() { recover() }()
	panics(n)
}

func main() {
	var wg sync.WaitGroup

	fmt.Println(traceme(1, 2))
	for i := 0; i < 8; i++ {
		wg.Add(1)
		go func(i int) {
			defer wg.Done()
			deep(100+i, "abc")
		}(i)
	}
	wg.Wait()
	x, s := deep(500, "hello")
	fmt.Println(x, s)
	for i := 0; i < 10; i++ {
		recovers(i)
	}
	p, _ := both(40, pair{2, "two"})
	fmt.Println(p.small, p.text)
	var a [40]int16
	for i := range a {
		a[i] = int16(-i)
	}
	number := lists([]int{1, -2, 3}, a[:], nil, []byte("bytes"))
	held := holds(holder{[]uint8("text"), []bool{true, false}, []uint32{1, 4294967295}, nil}, nil, nil)
	fmt.Println(number, held, floats(1.5, []float64{2}))
	var big [32]uint64
	for i := range big {
		big[i] = 18446744073709551615
	}
	odds(&odd{signs: []int8{-1, 2}, name: "named"}, big[:], big[:23])
}

type name string

type odd struct {
	signs   []int8
	structs []struct{ x uint8 }
	arrays  [][1]byte
	name    name
	list    struct {
		array *int
		len   int
		next  *int
	}
}

//go:noinline
func odds(o *odd, many []uint64, fit []uint64) int {
	return len(o.signs) + len(o.structs) + len(o.arrays) + len(o.name) + o.list.len + len(many) + len(fit)
}

//go:noinline
func lists(ints []int, many []int16, none []uint, bytes []byte) int {
	return len(ints) + len(many) + len(none) + len(bytes)
}

type holder struct {
	text    []uint8
	flags   []bool
	numbers []uint32
	strings []string
}

//go:noinline
func holds(h holder, m map[int]int, e error) int {
	return len(h.numbers) + len(h.strings) + len(m)
}

//go:noinline
func floats(f float64, fs []float64) float64 {
	return f + fs[0]
}
