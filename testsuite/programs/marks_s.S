/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Marks of a program in assembly; operands with and without their size, one with blanks. */
#define SDT_USE_SEMAPHORES
#include <sys/sdt.h>

	.text
	.globl main
	.type main, @function
main:
	push %rbx
	lea list(%rip), %rdi
	mov $2, %esi
	mov $-7, %rbx
	STAP_PROBE(s, none)
	STAP_PROBE2(s, alone, %rbx, 8(%rdi,%rsi,8))
	DTRACE_PROBE3(s, mixed, -1@%bl, list + 8(%rip), $0x10)
	STAP_PROBEV(s, counted, 2@8(%rdi), %rsi, -8@%rbx, 4@%esi)
	STAP_PROBE_ASM(s, text, %rsi -4@list+4(%rip))
	xor %eax, %eax
	pop %rbx
	ret
	.size main, . - main

	.data
	.balign 8
list:	.4byte 5, -6
	.8byte 0x12345, 77, 88
	.section .probes, "aw"
s_none_semaphore:	.2byte 0
s_alone_semaphore:	.2byte 0
s_mixed_semaphore:	.2byte 0
s_counted_semaphore:	.2byte 0
s_text_semaphore:	.2byte 0
	.section .note.GNU-stack, "", @progbits
