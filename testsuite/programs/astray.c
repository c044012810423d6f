// SPDX-License-Identifier: GPL-2.0-or-later
/* Pointers that lead nowhere: as parameters, and as a local that has no value yet. */
struct leaf {
	int n;
};
struct tree {
	int size;
	char *name;
	struct leaf *leaf;
};

__attribute__((noinline)) int take(struct tree *null, int first, struct tree *wild,
				   struct tree *good, int last)
{
	struct leaf *inner = good->leaf;

	__asm__ volatile("" : : "r"(inner), "r"(null), "r"(wild) : "memory");
	return first + last;
}

int main(void)
{
	struct tree good = { 3, "good", (struct leaf *)0x20 };

	/* the page with the text is there once it was read */
	if (*(volatile char *)good.name != 'g')
		return 1;
	return take(0, 1, (struct tree *)0x1230, &good, 2) != 3;
}
