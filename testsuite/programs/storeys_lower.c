/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Without a frame pointer: its register has something else in it while the call goes on. */
int lower_floor(int (*up)(int fd, int n), int fd, int n);

int lower_floor(int (*up)(int fd, int n), int fd, int n)
{
	volatile int pad[24] = { n };
	int r;

#ifdef __x86_64__
	__asm__ volatile("movl $7, %%ebp" : : : "rbp");
#endif
	r = up(fd, n + pad[0]);
	__asm__ volatile("");
	return r + pad[23];
}
