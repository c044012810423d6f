// SPDX-License-Identifier: GPL-2.0-or-later
/* Arrays of characters with no NUL behind them: in memory, and in structs and unions that are passed in registers. */

#define PROBED __attribute__((noipa))

struct texts {
	char txt[8];
	unsigned char raw[4];
	signed char some[3];
	char none[4];
	char lines[2][3];
	int behind;
};
struct open {
	int n;
	char text[];
};
struct name {
	char name[12];
};
union word {
	char c[4];
	int i;
};
union both {
	long l[2];
	char c[16];
};
struct mixed {
	short s;
	unsigned char raw[6];
	char *text;
};
struct half {
	double d;
	char c[4];
};
static struct texts in_memory = { "txt8long", { 1, 2, 3, 0xff }, "abc",
				  "",         { "one", "two" },  0x42424242 };
static struct open open = { 1, "up to its NUL" };

PROBED int memory(struct texts *t, struct texts whole, struct open *o)
{
	return t->behind + whole.behind + o->n;
}
PROBED int passed(struct name n, union word w, union both b)
{
	return n.name[0] + w.i + (int)b.l[0];
}
PROBED int more(struct mixed m, struct half h)
{
	return m.s + h.c[0];
}
PROBED union both returned(int n)
{
	union both b = { .c = "sixteen letters." };

	b.c[15] += (char)n;
	return b;
}

int main(void)
{
	struct name n = { "twelve chars" };
	union word w = { "\"abc" };
	union both b = { .c = "short" };
	struct mixed m = { 1, { 0xde, 0xad, 0xbe, 0xef, 1, 'x' }, "pointed" };
	struct half h = { 1, "half" };

	return (memory(&in_memory, in_memory, &open) + passed(n, w, b) + more(m, h) +
		returned(1).c[0]) &
	       0;
}
