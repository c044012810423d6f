// SPDX-License-Identifier: GPL-2.0-or-later

// Functions and methods of any type: the compiler passes them a dictionary of the types, which nobody declared.
package main

import "fmt"

type stack[T any] struct{ items []T }

//go:noinline
func (s *stack[T]) push(v T, times int) int {
	for i := 0; i < times; i++ {
		s.items = append(s.items, v)
	}
	return len(s.items)
}

//go:noinline
func pick[K comparable, V any](m map[K]V, k K, other V) V {
	if v, ok := m[k]; ok {
		return v
	}
	return other
}

func main() {
	texts, numbers := &stack[string]{}, &stack[int]{}

	fmt.Println(texts.push("text", 3), numbers.push(77, 2))
	fmt.Println(pick(map[string]int{"a": 1}, "b", 9), pick(map[int]string{4: "four"}, 4, "none"))
	c := &counter{}
	for i := 0; i < 3; i++ {
		fmt.Println(c.add(i))
	}
}

type counter struct{ n int }

// Small enough to be inlined.
func (c *counter) add(k int) int {
	c.n += k
	return c.n
}
