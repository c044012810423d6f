// SPDX-License-Identifier: GPL-2.0-or-later
/* What the calling convention of x86-64 places in a way of its own: aligned arguments on the stack, mixed words, wide
   numbers, vectors. */
#include <complex.h>

#define PROBED __attribute__((noipa))

typedef int vector __attribute__((vector_size(16)));
struct aligned {
	long a;
} __attribute__((aligned(16)));
struct wide {
	union {
		__int128 v;
		long low;
	};
};
struct extended {
	long double x;
};
struct double_long {
	double d;
	long n;
};
struct long_double {
	long n;
	double d;
};
struct floats_int {
	float f, g;
	int n;
};
struct float_int {
	float f;
	int n;
};

/* six in registers, one on the stack, then an aligned one and what is behind it */
#define SIX int a, int b, int c, int d, int e, int f
PROBED int behind_extended(SIX, int g, long double x, int h, int i)
{
	return a + b + c + d + e + f + g + h + i + (int)x;
}
PROBED int behind_wide(SIX, int g, __int128 x, int h, int i)
{
	return a + b + c + d + e + f + g + h + i + (int)x;
}
PROBED int behind_aligned(SIX, int g, struct aligned x, int h, int i)
{
	return a + b + c + d + e + f + g + h + i + (int)x.a;
}
/* a pair of words that finds one register is on the stack, and the next takes the register */
PROBED int split(int a, int b, int c, int d, int e, __int128 x, int f, int g)
{
	return a + b + c + d + e + f + g + (int)x;
}
PROBED int take_wide(struct wide w, int after)
{
	return (int)w.v + after;
}
PROBED struct wide give_wide(int k)
{
	return (struct wide){ .v = k };
}
PROBED int take_vector(vector v, int after)
{
	return v[0] + after;
}
PROBED int take_pair(double complex z, int after)
{
	return (int)creal(z) + after;
}
PROBED int take_extended(struct extended x, int after)
{
	return (int)x.x + after;
}
PROBED struct extended give_extended(int k)
{
	return (struct extended){ k };
}
PROBED int take_mixed(struct double_long p, struct long_double q, struct floats_int r,
		      struct float_int s, int after)
{
	return (int)(p.d + p.n + q.n + q.d + r.f + r.g + r.n + s.f + s.n) + after;
}
PROBED struct double_long give_double_long(int k)
{
	return (struct double_long){ k, k + 1 };
}
PROBED struct long_double give_long_double(int k)
{
	return (struct long_double){ k, k + 1 };
}
/* taken apart in memory: at -O2 debug information has the place in the frame */
PROBED void look(void *p)
{
	__asm__ volatile("" ::"r"(p) : "memory");
}
PROBED int take_looked_at(struct long_double p, int after)
{
	look(&p);
	return (int)p.n + after;
}
PROBED int take_number(double x, int after)
{
	look(&x);
	return (int)x + after;
}
__attribute__((ms_abi)) PROBED int microsoft(int a, int b, double c, struct aligned d, int e, int f,
					     struct wide g)
{
	return a + b + (int)c + (int)d.a + e + f + (int)g.v;
}
/* the compiler gives the inner one the name "inner.0" */
PROBED int outer(int n)
{
	__attribute__((noipa)) int inner(int m, struct double_long p)
	{
		return m + n + (int)p.n;
	}
	return inner(n + 1, (struct double_long){ 2, 3 });
}

int main(void)
{
	int sum = behind_extended(1, 2, 3, 4, 5, 6, 7, 8, 9, 10) +
		  behind_wide(11, 12, 13, 14, 15, 16, 17, 18, 19, 20);

	sum += behind_aligned(21, 22, 23, 24, 25, 26, 27, (struct aligned){ 28 }, 29, 30);
	sum += split(31, 32, 33, 34, 35, 36, 37, 38);
	sum += take_wide((struct wide){ .v = 41 }, 42) + (int)give_wide(43).v;
	sum += take_vector((vector){ 44 }, 45) + take_pair(46, 47) +
	       take_extended((struct extended){ 48 }, 49) + (int)give_extended(50).x;
	sum += take_mixed((struct double_long){ 51, 52 }, (struct long_double){ 53, 54 },
			  (struct floats_int){ 55, 56, 57 }, (struct float_int){ 58, 59 }, 60);
	sum += (int)give_double_long(61).n + (int)give_long_double(62).n;
	sum += take_looked_at((struct long_double){ 63, 64 }, 65) + take_number(66, 67);
	sum += microsoft(71, 72, 73, (struct aligned){ 74 }, 75, 76, (struct wide){ .v = 77 });
	sum += outer(80);
	return sum == 0;
}
