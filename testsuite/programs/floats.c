// SPDX-License-Identifier: GPL-2.0-or-later
/* Structures with floating point by value: their words take the registers of either kind, and what follows the next. */
struct point {
	double x, y;
};
struct both {
	long n;
	float f[2];
};
struct numbers {
	int a, b;
	long c;
};
struct packed {
	char c;
	long n;
} __attribute__((packed));

#define PROBED __attribute__((noipa))

PROBED long take(struct point p, int first, struct both b, int second, struct numbers n, long third)
{
	return first + second + third + (long)p.x + b.n + n.c;
}

PROBED long take_packed(struct packed p, int first, double d, int second)
{
	return p.n + first + second + (long)d;
}

PROBED struct numbers give(int a)
{
	return (struct numbers){ a, a + 1, a + 2 };
}

PROBED struct packed give_packed(int a)
{
	return (struct packed){ 1, a };
}

PROBED long take_wide(unsigned __int128 wide, int after)
{
	return (long)wide + after;
}

int main(void)
{
	long sum = take((struct point){ 1, 2 }, 3, (struct both){ 4, { 5, 6 } }, 7,
			(struct numbers){ 8, 9, 10 }, 11);

	sum += take_packed((struct packed){ 'c', 12 }, 13, 14, 15);
	sum += give(16).c + give_packed(17).n;
	sum += take_wide((unsigned __int128)18 << 70, 19);
	return sum == 0;
}
