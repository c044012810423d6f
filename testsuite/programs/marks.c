/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Marks with arguments of every width, in registers, memory, the text, and with a semaphore. */
#include <stdio.h>

#define SDT_USE_SEMAPHORES
#include <sys/sdt.h>

SDT_SEMAPHORE(test, widths);
SDT_SEMAPHORE(test, text);
SDT_SEMAPHORE(test, none);
SDT_SEMAPHORE(test, at__end);
SDT_SEMAPHORE(test, indexed);
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
	int looked = test_text_semaphore != 0;

	where += *(const volatile char *)words == 0; /* what a probe reads must be in memory */
	STAP_PROBE5(test, widths, a, b, c, d, e);
	STAP_PROBE3(test, text, text, 42, -7);
	STAP_PROBE(test, none);
	STAP_PROBE2(test, indexed, table[where], where);
	/* what the assembler may write besides */
	__asm__ volatile(
		"990: nop\n"
		".pushsection .note.stapsdt,\"\",\"note\"\n"
		".balign 4\n"
		".4byte 992f-991f, 994f-993f, 3\n"
		"991: .asciz \"stapsdt\"\n"
		"992: .balign 4\n"
		"993: .8byte 990b\n.8byte _.stapsdt.base\n.8byte 0\n"
		".asciz \"test\"\n.asciz \"forms\"\n"
		".asciz \"8@table+8(%%rip) -4@$-9 8@(%0,%1,8) 1@%%al 1@%%ah 8f@%%xmm0 4@16(%0) 2@%%bx\"\n"
		"994: .balign 4\n"
		".popsection\n" ::"D"(table),
		"S"(3L), "a"(0x1234), "b"(0x15678));
	struct request local = { words, 56 };

	STAP_PROBE1(test, request, &local);
	STAP_PROBE1(test, at__end, looked);
	printf("%d\n", looked);
	return 0;
}
