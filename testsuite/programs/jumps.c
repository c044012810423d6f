/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A call that is left by a jump, and another whose return address stands where that of the first was. */
#include <setjmp.h>

static jmp_buf back;
volatile int n;

#define SEEN __attribute__((noipa)) /* alike, so that all leave the same frame */

SEEN void leap(void)
{
	if (++n == 1)
		longjmp(back, 1);
}

SEEN void look(void)
{
	n++;
}

SEEN void leaping(void)
{
	leap();
	n++;
}

SEEN void looking(void)
{
	look();
	n++;
}

int main(void)
{
	if (!setjmp(back))
		leaping();
	looking();
	return 0;
}
