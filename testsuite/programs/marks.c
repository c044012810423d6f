/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Marks with arguments of every width, in registers, memory, the text, and with a semaphore. */
#include <stdio.h>

#define SDT_USE_SEMAPHORES
#include <sys/sdt.h>

SDT_SEMAPHORE(test, widths);
SDT_SEMAPHORE(test, text);
SDT_SEMAPHORE(test, stored);
SDT_SEMAPHORE(test, none);
SDT_SEMAPHORE(test, at__end);
SDT_SEMAPHORE(test, indexed);
SDT_SEMAPHORE(test, forms);
SDT_SEMAPHORE(test, counted);
SDT_SEMAPHORE(test, within);
SDT_SEMAPHORE(test, request);

/* the kernel has one of that name and with such a member, too */
struct request {
	const char *name;
	int tag;
};
enum mood { CALM = 7, CROSS };
int level = 12;
struct request asked = { "global", 34 };
enum mood mood = CALM;

static const char words[] = "some words";
long table[4] = { 11, 22, 33, 44 };
volatile int where = 2;

int main(void)
{
	volatile signed char a = -1;
	volatile unsigned char b = 0xfe;
	volatile short c = -3;
	volatile unsigned int d = 0xfffffffc;
	volatile long e = -5;
	const char *text = words;
	char stack[] = "on the stack";
	int looked = test_text_semaphore != 0;

	where += *(const volatile char *)words == 0; /* what a probe reads must be in memory */
	STAP_PROBE5(test, widths, a, b, c, d, e);
	STAP_PROBE3(test, text, text, 42, -7);
	STAP_PROBE1(test, stored, stack);
	STAP_PROBE(test, none);
	STAP_PROBE2(test, indexed, table[where], where);
	/* what the assembler may write besides */
	/* operands of the assembler are no expressions */
	/* clang-format off */
	__asm__ volatile(STAP_PROBE_ASM(test, forms,
			8@table+8(%%rip) -4@$-9 8@(%0,%1,8) 1@%%al 1@%%ah 8f@%%xmm0 4@16(%0) 2@%%bx)
			 ::"D"(table), "S"(3L), "a"(0x1234), "b"(0x15678));
	/* clang-format on */
	STAP_PROBEV(test, counted, a, text, where);
	__asm__ volatile(
		"mov %[from], %0\n" STAP_PROBE_ASM(test, within, STAP_PROBE_ASM_TEMPLATE(2))
		: "=&r"(e)
		: [from] "r"(e + 1), STAP_PROBE_ASM_OPERANDS(2, b, d));
	struct request local = { words, 56 };

	STAP_PROBE1(test, request, &local);
	STAP_PROBE1(test, at__end, looked);
	printf("%d\n", looked);
	return 0;
}
