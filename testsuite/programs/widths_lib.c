/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The library of widths.c, with the marks of widths.d. */
#include "widths.h"

static volatile signed char a = -1;
static volatile unsigned char b = 0xfe;
static volatile short c = -3;
static volatile unsigned short d = 0xfffc;
static volatile int e = -5;
static volatile unsigned int f = 0xfffffffa;
static volatile long g = -7;
static volatile unsigned long h = -8UL;
static char text[] = "text";

/* How many of three marks somebody looks at. */
int widths_enabled(void)
{
	return !!WIDTHS_N0_ENABLED() + !!WIDTHS_N10_ENABLED() + !!WIDTHS_ALL_DONE_ENABLED();
}

void widths_fire(void)
{
	text[0] = 't'; /* what a probe reads must be in memory */
	if (WIDTHS_N0_ENABLED())
		WIDTHS_N0();
	if (WIDTHS_N1_ENABLED())
		WIDTHS_N1(a);
	if (WIDTHS_N2_ENABLED())
		WIDTHS_N2(b, c);
	if (WIDTHS_N3_ENABLED())
		WIDTHS_N3(d, e, f);
	if (WIDTHS_N4_ENABLED())
		WIDTHS_N4(g, h, text, 1L << 40);
	if (WIDTHS_N5_ENABLED())
		WIDTHS_N5(1, 2, e, 4, -5);
	if (WIDTHS_N6_ENABLED())
		WIDTHS_N6(text, a, b, c, d, sizeof(text));
	if (WIDTHS_N7_ENABLED())
		WIDTHS_N7(1, e, 3, e + 1, 5, e + 2, 7);
	if (WIDTHS_N8_ENABLED())
		WIDTHS_N8(g, g - 1, g - 2, g - 3, g - 4, g - 5, g - 6, g - 7);
	if (WIDTHS_N9_ENABLED())
		WIDTHS_N9(c, c - 1, c - 2, c - 3, c - 4, c - 5, c - 6, c - 7, c - 8);
	if (WIDTHS_N10_ENABLED())
		WIDTHS_N10(a, b, c, d, e, f, g, h, text, -1L);
}

/* In this one no macro looks whether somebody does. */
void widths_done(int n)
{
	WIDTHS_ALL_DONE(n);
}
