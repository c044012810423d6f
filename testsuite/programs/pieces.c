/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A function of which the frame information has two entries, as clone3() of the C library has. */
__asm__(".text\n"
	".globl pieces\n"
	".type pieces, @function\n"
	"pieces:\n"
	"	.cfi_startproc\n"
	"	jmp 1f\n"
	"	.cfi_endproc\n"
	"	nop\n"
	"	.cfi_startproc\n"
	"1:	sub $8, %rsp\n"
	"	.cfi_adjust_cfa_offset 8\n"
	"	call reached\n"
	"	add $8, %rsp\n"
	"	.cfi_adjust_cfa_offset -8\n"
	"	ret\n"
	"	.cfi_endproc\n"
	".size pieces, . - pieces\n");

extern void pieces(void);

void reached(void)
{
	__asm__ volatile("" ::: "memory");
}

int main(void)
{
	pieces();
	return 0;
}
