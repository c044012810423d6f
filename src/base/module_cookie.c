/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/module_cookie.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

unsigned long long module_cookie(const char *name)
{
	char path[PATH_MAX], text[32];
	unsigned long long cookie = 0;
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/sys/module/%s/parameters/_cookie", name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	n = read(fd, text, sizeof(text) - 1);
	close(fd);
	text[n > 0 ? n : 0] = '\0';
	return sscanf(text, "%llu", &cookie) == 1 ? cookie : 0;
}
