/* SPDX-License-Identifier: GPL-2.0-or-later */
/* With -DWIDE and without: types, enumerators and globals of one name that differ between the two programs. */
struct box {
	int before;
#ifdef WIDE
	int between;
#endif
	int inside;
};

enum colour {
#ifdef WIDE
	WHITE,
#endif
	RED,
	GREEN
};

struct box first = { .inside = 3 }, second = { .inside = 7 };
enum colour last;

__attribute__((noinline, noclone)) int weigh(struct box *box, enum colour colour)
{
	last = colour;
	return box->inside;
}

int main(void)
{
	return weigh(&second, GREEN) + weigh(&first, RED) != 10;
}
