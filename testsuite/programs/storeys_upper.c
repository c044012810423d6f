/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Without a frame pointer: its register is 0 while the call goes on, as in an outermost frame that has one. */
#include <unistd.h>

int upper_floor(int fd, int n);

int upper_floor(int fd, int n)
{
	volatile char pad[72] = { (char)n };
	ssize_t r;

#ifdef __x86_64__
	__asm__ volatile("xorl %%ebp, %%ebp" : : : "rbp");
#endif
	r = write(fd, (const void *)pad, 1);
	__asm__ volatile("");
	return (int)r + pad[71];
}
