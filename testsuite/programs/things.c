/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Variables and types of a program and its library. */
#include <unistd.h>
#include "things.h"

union number {
	long whole;
	unsigned char bytes[8];
};

typedef struct {
	short low, high;
} pair;

struct node {
	const char *text;
	union number number;
	pair pair;
	struct node *next;
};

static struct node tail = { "tail", { 258 }, { 1, -2 }, 0 };
struct node head = { "head", { 1000 }, { 3, 4 }, &tail };
int counter = 40; /* in .data */
int zeroes[4];    /* in .bss */
static const int fixed = 77;

__attribute__((noinline)) int take(void *p, long word, const char *bytes)
{
	counter++;
	zeroes[2] = fixed;
	return p && word && bytes;
}

int main(void)
{
	struct opaque *o = opaque_make(5);
	long pair = 0x0007fffe;

	/* what was never touched is not in memory, and cannot be read by a probe */
	if (!*head.text || !*tail.text || zeroes[0])
		return 1;
	take(&head, pair, "\x02\x01\x00\x00\x00\x00\x00\x00");
	opaque_use(o, WILD);
	getppid();
	return 0;
}
