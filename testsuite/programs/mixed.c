// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * C in a Go program, as cgo links it, without Go: its table of stacks, and the mark of its convention of registers (since Go 1.17). The
 * register where Go has its g is C's own in such a function.
 */
#ifdef __aarch64__
#define G "x28"
#else
#define G "r14"
#endif

__attribute__((section(".gopclntab"), used)) static const char table[] = "go";

__asm__(".text\n.globl runtime.morestack.abi0\n.type runtime.morestack.abi0, %function\n"
	"runtime.morestack.abi0: ret\n.size runtime.morestack.abi0, . - runtime.morestack.abi0\n");

__attribute__((noinline)) int plus(int a, int b)
{
	__asm__ volatile("");
	return a + b;
}

int main(void)
{
	register long own __asm__(G) = 1;
	int sum;

	__asm__ volatile("" : "+r"(own));
	sum = plus(40, 2);
	__asm__ volatile("" ::"r"(own));
	return sum != 42;
}
