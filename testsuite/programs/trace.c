/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program to follow: lines and calls are what the cases expect. */

static volatile int sink;

int smaller(int x)
{
	return x - 1;
}

int larger(int x)
{
	return x + 1;
}

int traceme(int a, int b)
{
	return a + b;
}

int traceme2(int x, int y)
{
	int number = x + y;

	if (number < 10)
		number = smaller(number);
	else
		number = larger(number);
	return number;
}

void nothing(void)
{
	sink++;
}

int main(void)
{
	int ret;

	ret = traceme(1, 2);
	sink = ret;
	traceme2(5, 5);
	traceme2(1, 1);
	traceme2(traceme(3, 3), 4);
	nothing();
	return 0;
}
