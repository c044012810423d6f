/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions that begin with instructions at which the kernel takes no uprobe, and with such that it
 * takes for others: each gives the same with a probe as without.
 */
#include <stdio.h>

#define FUNCTION(name, insn)                                                                       \
	__asm__(".globl " #name "\n.type " #name ", @function\n" #name ": " insn "\n"              \
		".fill 24, 1, 0x90\nmovd %xmm0, %eax\nret\n.size " #name ", . - " #name "\n");     \
	int name(void);

FUNCTION(loads, "vmovdqu (%rsp), %xmm0; movd %xmm1, %eax; movd %eax, %xmm0")
FUNCTION(joins, "vpor %xmm1, %xmm0, %xmm0")
FUNCTION(compares, "vcmpps $0, %xmm1, %xmm0, %xmm0")
FUNCTION(shuffles, "vpshufd $0, %xmm1, %xmm0")
FUNCTION(adds, "vaddps %xmm1, %xmm0, %xmm0")
FUNCTION(locks, "lock orl $0, (%rsp)")
FUNCTION(plain, "nop")
FUNCTION(older, "por %xmm1, %xmm0")

/* With two numbers in the registers that they look at. */
static int call(int (*f)(void))
{
	__asm__ volatile("movd %0, %%xmm0\nmovd %1, %%xmm1\n" ::"r"(0x3f800000), "r"(0x40000001)
			 : "xmm0", "xmm1");
	return f();
}

int main(void)
{
	int avx = __builtin_cpu_supports("avx");

	printf("%x ", avx ? call(loads) : 0x40000001);
	printf("%x ", avx ? call(joins) : 0x7f800001);
	printf("%x ", avx ? call(compares) : 0);
	printf("%x ", avx ? call(shuffles) : 0x40000001);
	printf("%x ", avx ? call(adds) : 0x40400001);
	printf("%x ", call(locks));
	printf("%x ", call(plain));
	printf("%x\n", call(older));
	return 0;
}
