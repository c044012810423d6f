// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Arithmetic on IEEE 754 binary64 numbers, which scripts have as their bits in a long. In integers:
 * the kernel's code may not use the floating-point unit. Rounding is to nearest, ties to even, as
 * the standard has it (IEEE 754-2008, 4.3.1); there are no flags, and every NaN that is made is the
 * same.
 *
 * Context: any handler. Loops are bounded by the range of exponents.
 */
#include <linux/bitops.h>
#include <linux/kernel.h>
#include <linux/math64.h>
#include "access/access.h"
#include "tapset/functions.h"

#define NAN_BITS 0x7ff8000000000000ull
#define INFINITY_BITS 0x7ff0000000000000ull
#define SIGN_BIT (1ull << 63)
#define BIAS 1023
#define MAX_BIASED 0x7ff

enum kind { ZERO, FINITE, INFINITE, NOT_A_NUMBER };

/*
 * FINITE: frac / 2^63 * 2^exp, with the highest bit of frac set; its lowest bit stands for all that
 * were lost behind it.
 */
struct number {
	enum kind kind;
	int negative;
	int exp;
	u64 frac;
};

/* ---- bits to numbers and back ---- */

static void normalize(struct number *n)
{
	int shift;

	if (!n->frac) {
		n->kind = ZERO;
		return;
	}
	shift = 63 - __fls(n->frac);
	n->frac <<= shift;
	n->exp -= shift;
}

static struct number unpack(u64 bits)
{
	struct number n = { .kind = FINITE, .negative = bits >> 63 };
	u32 biased = bits >> 52 & MAX_BIASED;

	n.frac = bits << 11 & ~SIGN_BIT;
	n.exp = biased ? (int)biased - BIAS : 1 - BIAS;
	if (biased == MAX_BIASED)
		n.kind = n.frac ? NOT_A_NUMBER : INFINITE;
	else if (biased)
		n.frac |= SIGN_BIT;
	else
		normalize(&n);
	return n;
}

/* n bits to the right; the lowest bit stays set if any set one was lost. */
static u64 shift_jam(u64 v, u32 n)
{
	if (!n)
		return v;
	if (n > 63)
		return !!v;
	return v >> n | !!(v << (64 - n));
}

/* frac in units of 2^-11, rounded */
static u64 rounded(u64 frac)
{
	u64 whole = frac >> 11, rest = frac & 0x7ff;

	return whole + (rest > 0x400 || (rest == 0x400 && (whole & 1)));
}

static u64 pack(struct number n)
{
	u64 sign = n.negative ? SIGN_BIT : 0;
	int biased = n.exp + BIAS;

	if (n.kind == NOT_A_NUMBER)
		return NAN_BITS;
	if (n.kind == ZERO)
		return sign;
	if (n.kind == INFINITE || biased >= MAX_BIASED)
		return sign | INFINITY_BITS;
	if (biased <= 0)
		return sign | rounded(shift_jam(n.frac, 1 - biased));
	/* the highest bit of the fraction adds the one that is left out here; so may rounding */
	return sign | (((u64)(biased - 1) << 52) + rounded(n.frac));
}

/* ---- arithmetic ---- */

static const struct number not_a_number = { .kind = NOT_A_NUMBER };

static struct number add_finite(struct number a, struct number b)
{
	struct number sum;

	if (a.exp < b.exp || (a.exp == b.exp && a.frac < b.frac)) {
		sum = a;
		a = b;
		b = sum;
	}
	sum = a;
	a.frac >>= 1; /* room for a carry: only 53 bits are in use */
	b.frac = shift_jam(b.frac, a.exp - b.exp + 1);
	sum.frac = a.negative == b.negative ? a.frac + b.frac : a.frac - b.frac;
	sum.exp = a.exp + 1;
	if (!sum.frac)
		sum.negative = 0;
	normalize(&sum);
	return sum;
}

static struct number add(struct number a, struct number b)
{
	if (a.kind == NOT_A_NUMBER || b.kind == NOT_A_NUMBER)
		return not_a_number;
	if (a.kind == INFINITE)
		return b.kind == INFINITE && a.negative != b.negative ? not_a_number : a;
	if (b.kind == INFINITE)
		return b;
	if (a.kind == ZERO && b.kind == ZERO) {
		a.negative &= b.negative;
		return a;
	}
	if (a.kind == ZERO)
		return b;
	return b.kind == ZERO ? a : add_finite(a, b);
}

static struct number multiply(struct number a, struct number b)
{
	u64 low = a.frac * b.frac;

	if (a.kind == NOT_A_NUMBER || b.kind == NOT_A_NUMBER ||
	    (a.kind == INFINITE && b.kind == ZERO) || (a.kind == ZERO && b.kind == INFINITE))
		return not_a_number;
	a.negative ^= b.negative;
	if (a.kind != FINITE || b.kind != FINITE) {
		a.kind = max(a.kind == FINITE ? ZERO : a.kind, b.kind == FINITE ? ZERO : b.kind);
		return a;
	}
	a.frac = mul_u64_u64_shr(a.frac, b.frac, 64);
	a.exp += b.exp + 1;
	if (!(a.frac & SIGN_BIT)) {
		a.frac = a.frac << 1 | low >> 63;
		a.exp--;
		low <<= 1;
	}
	a.frac |= !!low;
	return a;
}

/* Long division; the first bit of the quotient is its whole part. */
static struct number divide_finite(struct number a, struct number b)
{
	u64 left = a.frac >> 1, by = b.frac >> 1, quotient = 0;
	u32 i;

	for (i = 0; i < 64; i++) {
		quotient <<= 1;
		if (left >= by) {
			left -= by;
			quotient |= 1;
		}
		left <<= 1;
	}
	a.frac = quotient;
	a.exp -= b.exp;
	normalize(&a);
	a.frac |= !!left;
	return a;
}

static struct number divide(struct number a, struct number b)
{
	if (a.kind == NOT_A_NUMBER || b.kind == NOT_A_NUMBER ||
	    (a.kind == b.kind && a.kind != FINITE))
		return not_a_number;
	a.negative ^= b.negative;
	if (a.kind == FINITE && b.kind == FINITE)
		return divide_finite(a, b);
	a.kind = a.kind == INFINITE || b.kind == ZERO ? INFINITE : ZERO;
	return a;
}

/* a less the multiple of b next to it, the even one of two (IEEE 754-2008, 5.3.1, remainder). */
static struct number remainder_finite(struct number a, struct number b)
{
	u64 left = a.frac >> 2, by = b.frac >> 2;
	int steps = a.exp - b.exp, odd = 0;

	if (steps < -1)
		return a;
	if (steps < 0) {
		left = shift_jam(left, 1); /* its lowest bits are not in use */
	} else {
		for (;; steps--) {
			odd = left >= by;
			if (odd)
				left -= by;
			if (!steps)
				break;
			left <<= 1;
		}
	}
	if (2 * left > by || (2 * left == by && odd)) {
		left = by - left;
		a.negative = !a.negative;
	}
	a.frac = left;
	a.exp = b.exp + 2;
	normalize(&a);
	return a;
}

stp_long stp_fn_fp_add(struct stp_ctx *c, stp_long a, stp_long b)
{
	return pack(add(unpack(a), unpack(b)));
}

stp_long stp_fn_fp_sub(struct stp_ctx *c, stp_long a, stp_long b)
{
	return pack(add(unpack(a), unpack(b ^ SIGN_BIT)));
}

stp_long stp_fn_fp_mul(struct stp_ctx *c, stp_long a, stp_long b)
{
	return pack(multiply(unpack(a), unpack(b)));
}

stp_long stp_fn_fp_div(struct stp_ctx *c, stp_long a, stp_long b)
{
	return pack(divide(unpack(a), unpack(b)));
}

stp_long stp_fn_fp_rem(struct stp_ctx *c, stp_long a, stp_long b)
{
	struct number x = unpack(a), y = unpack(b);

	if (x.kind > FINITE || y.kind == ZERO || y.kind == NOT_A_NUMBER)
		return NAN_BITS;
	if (x.kind == ZERO || y.kind == INFINITE)
		return a;
	return pack(remainder_finite(x, y));
}

/* A root of 60 bits, one at a time. */
static struct number root(struct number n)
{
	u64 left = 0, result = 0, from = n.frac;
	u32 i;

	if (n.exp & 1) { /* two bits before the point, else one */
		n.exp--;
		left = from >> 62;
		from <<= 2;
	} else {
		left = from >> 63;
		from <<= 1;
	}
	for (i = 0; i < 60; i++) {
		u64 trial = result << 2 | 1;

		result <<= 1;
		if (left >= trial) {
			left -= trial;
			result |= 1;
		}
		left = left << 2 | from >> 62;
		from <<= 2;
	}
	n.frac = result << 4 | !!(left | from);
	n.exp /= 2;
	return n;
}

stp_long stp_fn_fp_sqrt(struct stp_ctx *c, stp_long a)
{
	struct number n = unpack(a);

	if (n.kind == ZERO || (n.kind == INFINITE && !n.negative))
		return a;
	return n.kind != FINITE || n.negative ? NAN_BITS : pack(root(n));
}

/* ---- comparisons: false of what is not a number ---- */

static int is_nan(u64 bits)
{
	return (bits & ~SIGN_BIT) > INFINITY_BITS;
}

/* As an integer of the same order; both zeros are 0. */
static s64 ordered(u64 bits)
{
	return bits & SIGN_BIT ? -(s64)(bits & ~SIGN_BIT) : (s64)bits;
}

stp_long stp_fn_fp_eq(struct stp_ctx *c, stp_long a, stp_long b)
{
	return !is_nan(a) && !is_nan(b) && ordered(a) == ordered(b);
}

stp_long stp_fn_fp_le(struct stp_ctx *c, stp_long a, stp_long b)
{
	return !is_nan(a) && !is_nan(b) && ordered(a) <= ordered(b);
}

stp_long stp_fn_fp_lt(struct stp_ctx *c, stp_long a, stp_long b)
{
	return !is_nan(a) && !is_nan(b) && ordered(a) < ordered(b);
}

/* ---- integers ---- */

static struct number from_u64(u64 v, int negative)
{
	struct number n = { .kind = FINITE, .negative = negative, .exp = 63, .frac = v };

	normalize(&n);
	return n;
}

stp_long stp_fn_long_to_fp(struct stp_ctx *c, stp_long v)
{
	return pack(from_u64(v < 0 ? -(u64)v : v, v < 0));
}

stp_long stp_fn_fp32_to_fp64(struct stp_ctx *c, stp_long v)
{
	return stp_float_widen((u32)v);
}

/* How fp_to_long() rounds, by its second argument. */
enum rounding { NEAR_EVEN, TOWARD_ZERO, DOWN, UP, NEAR_AWAY };

/* Whether the whole part grows by one: rest is what lies behind the point, in units of 2^-64. */
static int rounds_up(u64 whole, u64 rest, int negative, stp_long how)
{
	switch (how) {
	case NEAR_EVEN:
		return rest > SIGN_BIT || (rest == SIGN_BIT && (whole & 1));
	case NEAR_AWAY:
		return rest >= SIGN_BIT;
	case DOWN:
		return negative && rest;
	case UP:
		return !negative && rest;
	default:
		return 0;
	}
}

/*
 * The whole part of a finite number below 2^64, and what lies behind the point in units of 2^-64.
 */
static u64 split(const struct number *n, u64 *rest)
{
	if (n->exp < 0) {
		*rest = shift_jam(n->frac, -1 - n->exp);
		return 0;
	}
	*rest = n->exp < 63 ? n->frac << (n->exp + 1) : 0;
	return n->frac >> (63 - n->exp);
}

/*
 * What does not fit gives the lowest number, as the machine's own instruction does (Intel SDM,
 * CVTSD2SI).
 */
stp_long stp_fn_fp_to_long(struct stp_ctx *c, stp_long v, stp_long how, stp_long exact)
{
	struct number n = unpack(v);
	u64 whole, rest;

	if (n.kind == ZERO)
		return 0;
	if (n.kind != FINITE || n.exp > 62)
		return S64_MIN;
	whole = split(&n, &rest);
	whole += rounds_up(whole, rest, n.negative, how);
	if (whole > S64_MAX)
		return S64_MIN;
	return n.negative ? -(s64)whole : (s64)whole;
}

/* ---- text ---- */

#define LIMBS 32 /* of 32 bits: the largest number has 1024 */
#define PER_LIMB 1000000000u

/* limbs /= 10^9; returns the remainder */
static u32 limbs_divide(u32 *limbs)
{
	u32 left = 0;
	int i;

	for (i = LIMBS - 1; i >= 0; i--)
		limbs[i] = div_u64_rem((u64)left << 32 | limbs[i], PER_LIMB, &left);
	return left;
}

/* A number of 2^63 and more: all of its 53 bits are before the point. */
static void large_text(struct stp_text *t, const struct number *n)
{
	u32 limbs[LIMBS] = { 0 }, parts[36], n_parts = 0, shift = n->exp - 52, i;
	u64 bits = n->frac >> 11;

	for (i = 0; i < 3 && shift / 32 + i < LIMBS; i++) {
		int by = (int)(32 * i) - (int)(shift % 32);

		limbs[shift / 32 + i] = by < 0 ? bits << -by : by < 64 ? bits >> by : 0;
	}
	while (n_parts < ARRAY_SIZE(parts) && memchr_inv(limbs, 0, sizeof(limbs)))
		parts[n_parts++] = limbs_divide(limbs);
	for (i = n_parts; i-- > 0;)
		stp_text_printf(t, i == n_parts - 1 ? "%u" : "%09u", parts[i]);
}

#define MAX_DIGITS 18

/* The digits behind the point; half of the last place was added to rest before. */
static void digits_text(struct stp_text *t, u64 rest, u32 n)
{
	u32 i;

	if (n)
		stp_text_char(t, '.');
	for (i = 0; i < n; i++) {
		stp_text_char(t, '0' + mul_u64_u64_shr(rest, 10, 64));
		rest *= 10;
	}
}

static void finite_text(struct stp_text *t, const struct number *n, u32 digits)
{
	u64 whole = 0, rest = 0, half = SIGN_BIT;
	u32 i;

	if (n->kind == FINITE && n->exp > 62) {
		large_text(t, n);
		digits_text(t, 0, digits);
		return;
	}
	if (n->kind == FINITE)
		whole = split(n, &rest);
	for (i = 0; i < digits; i++)
		half = half / 10;
	rest += half;
	whole += rest < half;
	stp_text_printf(t, "%llu", whole);
	digits_text(t, rest, digits);
}

struct stp_str stp_fn_fp_to_string(struct stp_ctx *c, stp_long v, stp_long precision)
{
	struct number n = unpack(v);
	struct stp_text t;

	if (!stp_text_begin(c, &t))
		return stp_empty();
	if (n.negative && n.kind != NOT_A_NUMBER)
		stp_text_char(&t, '-');
	if (n.kind == NOT_A_NUMBER)
		stp_text_add(&t, "nan", 3);
	else if (n.kind == INFINITE)
		stp_text_add(&t, "inf", 3);
	else
		finite_text(&t, &n, clamp_t(stp_long, precision, 0, MAX_DIGITS));
	return stp_text_end(c, &t);
}

/*
 * Decimal text under way: digits without the point, and the power of ten they are to be multiplied
 * by.
 */
struct decimal {
	u64 digits;
	int power, n_digits;
};

/* Digits from at on; those behind the point count power down. Returns the index behind them. */
static u32 digits_parse(struct decimal *d, struct stp_str s, u32 at, int behind_point)
{
	for (; at < s.len && s.s[at] >= '0' && s.s[at] <= '9'; at++) {
		d->n_digits++;
		if (d->digits < (u64)S64_MAX / 10 - 9) {
			d->digits = d->digits * 10 + (s.s[at] - '0');
			d->power -= behind_point;
		} else {
			d->power += !behind_point; /* no longer seen in 53 bits */
		}
	}
	return at;
}

static int exponent_parse(struct stp_str s, u32 at)
{
	int negative = 0, v = 0;

	if (at < s.len && (s.s[at] == '-' || s.s[at] == '+'))
		negative = s.s[at++] == '-';
	for (; at < s.len && s.s[at] >= '0' && s.s[at] <= '9'; at++)
		v = min(v * 10 + (s.s[at] - '0'), 10000);
	return negative ? -v : v;
}

/* 10^27 is the largest power of ten that fits the 64 bits of a fraction. */
#define EXACT_POWER 27

static struct number ten_to(int power)
{
	struct number ten = from_u64(10, 0), n = from_u64(1, 0);

	while (power-- > 0)
		n = multiply(n, ten);
	return n;
}

static struct number scale(struct number n, int power)
{
	int left = abs(power), step;

	for (; left > 0 && n.exp <= BIAS + 64 && n.exp >= -BIAS - 128; left -= step) {
		step = min(left, EXACT_POWER);
		n = power > 0 ? multiply(n, ten_to(step)) : divide(n, ten_to(step));
	}
	return n;
}

/* [+-]digits[.digits][e[+-]digits]; as much as reads like a number, 0 if nothing does. */
stp_long stp_fn_string_to_fp(struct stp_ctx *c, struct stp_str s)
{
	struct decimal d = { 0 };
	int negative = 0;
	u32 at = 0;

	if (s.len && (s.s[0] == '-' || s.s[0] == '+'))
		negative = s.s[at++] == '-';
	at = digits_parse(&d, s, at, 0);
	if (at < s.len && s.s[at] == '.')
		at = digits_parse(&d, s, at + 1, 1);
	if (d.n_digits && at < s.len && (s.s[at] == 'e' || s.s[at] == 'E'))
		d.power += exponent_parse(s, at + 1);
	if (!d.digits)
		return negative && d.n_digits ? SIGN_BIT : 0;
	return pack(scale(from_u64(d.digits, negative), d.power));
}
