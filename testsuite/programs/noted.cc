/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A mark with a semaphore where a function begins, in a program that looks at return addresses. */
#include <cstdio>

#define SDT_USE_SEMAPHORES
#include <sys/sdt.h>

extern "C" {
SDT_SEMAPHORE(test, noted);
}

__attribute__((noinline, noclone)) int noted(int n)
{
	STAP_PROBE1(test, noted, n);
	return n + test_noted_semaphore;
}

int main(int argc, char **)
{
	int sum = 0;

	try {
		for (int i = 0; i < 4; i++)
			if ((sum += noted(argc)) > 5)
				throw sum;
	} catch (int) {
	}
	std::printf("sum %d\n", sum);
	return 0;
}
