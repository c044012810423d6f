/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The libraries of threads.c: NAME is put before what is theirs. */
#define JOIN(a, b) a##_##b
#define OWN(name, what) JOIN(name, what)

static __thread long padding[5] = { 1, 2, 3, 4, 5 };
__thread int OWN(NAME, count) = 100;
static __thread int calls;

__attribute__((noinline)) int OWN(NAME, add)(int n)
{
	calls++;
	padding[calls % 5] += n;
	return OWN(NAME, count) += n;
}
