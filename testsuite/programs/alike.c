// SPDX-License-Identifier: GPL-2.0-or-later
/* Structs with members as slices and strings of Go and Rust have them. */
#include <stddef.h>

struct vec {
	int *array;
	size_t len, cap;
};
struct node {
	int *array;
	int len;
	struct node *next;
};
struct bytes {
	unsigned char *array;
	int len, cap;
};
struct text {
	char *str;
	int len;
};
struct slice {
	int *data_ptr;
	size_t length;
};
struct shared {
	unsigned char *data_ptr;
	size_t length;
	int count;
};

__attribute__((noinline)) size_t take(struct vec *v, struct node *n, struct bytes *b,
				      struct text *t, struct slice *s, struct shared *r)
{
	__asm__ volatile("" : : "r"(v), "r"(n), "r"(b), "r"(t), "r"(s), "r"(r) : "memory");
	return v->len + n->len + b->len + t->len + s->length + r->length;
}

int main(void)
{
	struct vec v = { NULL, 1, 4 };
	struct node n = { (int *)0x10, 2, NULL };
	struct bytes b = { (unsigned char *)"bytes", 3, 4 };
	struct text t = { "text", 2 };
	struct slice s = { (int *)0x20, 2 };
	struct shared r = { (unsigned char *)"shared", 4, 1 };

	/* the page with the texts is there once one was read */
	if (*(volatile char *)t.str != 't' || *(volatile unsigned char *)b.array != 'b')
		return 1;
	return take(&v, &n, &b, &t, &s, &r) != 14;
}
