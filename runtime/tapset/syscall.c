// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Structures in user memory that system calls are given, as text. Pages that are not there read as
 * faults: the address is said then, in hexadecimal, and no error is raised.
 *
 * Context: any handler. A vector is followed as far as its text, or MAX_POINTERS, goes.
 */
#include <linux/in.h>
#include <linux/in6.h>
#include <linux/kernel.h>
#include <linux/socket.h>
#include <linux/string.h>
#include <linux/uio.h>
#include <linux/un.h>

#include "access/access.h"
#include "arch/arch.h"
#include "core/internal.h"
#include "script.h"
#include "tapset/functions.h"

#define MAX_POINTERS 4096 /* of an argv or envp that are counted */
#define MAX_ARG 128       /* bytes of one argument that are shown */

/*
 * 1 with the nth pointer, 0 at the end, negative on a fault. Those of a 32-bit call have 4 bytes,
 * the low ones of *ret.
 */
static int user_pointer(stp_long vector, u32 i, unsigned long *ret)
{
	u32 size = stp_arch_syscall_abi() ? sizeof(u32) : sizeof(*ret);

	*ret = 0;
	if (stp_copy_from(STP_USER, ret, vector + i * size, size))
		return -EFAULT;
	return *ret != 0;
}

static struct stp_str address_text(struct stp_ctx *c, u64 addr)
{
	struct stp_text t;

	if (!stp_text_begin(c, &t))
		return stp_empty();
	stp_text_printf(&t, "0x%llx", addr);
	return stp_text_end(c, &t);
}

/* The strings that a user argv points to, quoted, from the one numbered first on. */
static void add_arguments(struct stp_text *t, stp_long argv, u32 first, const char *between)
{
	char arg[MAX_ARG];
	unsigned long p;
	u32 i;

	for (i = first; user_pointer(argv, i, &p) > 0 && t->len + 8 < t->size; i++) {
		int n = stp_copy_string(STP_USER, arg, p, sizeof(arg));

		if (i > first)
			stp_text_printf(t, "%s", between);
		if (n < 0)
			stp_text_printf(t, "0x%lx", p);
		else
			stp_text_quote(t, arg, n, t->size, STP_QUOTE_MARKS, n == sizeof(arg));
	}
}

/**
 * stp_fn_argv_str - ["ls", "-l"] from a user argv
 * Context: any handler; pages that are not present are not brought in.
 */
struct stp_str stp_fn_argv_str(struct stp_ctx *c, stp_long argv)
{
	unsigned long p;
	struct stp_text t;

	if (user_pointer(argv, 0, &p) < 0)
		return address_text(c, argv);
	if (!stp_text_begin(c, &t))
		return stp_empty();
	stp_text_printf(&t, "[");
	add_arguments(&t, argv, 0, ", ");
	stp_text_printf(&t, "]");
	return stp_text_end(c, &t);
}

/**
 * stp_fn_arguments_str - "-l" "/tmp" from a user argv that begins with the program's name
 * Context: any handler; pages that are not present are not brought in.
 */
struct stp_str stp_fn_arguments_str(struct stp_ctx *c, stp_long argv)
{
	unsigned long p;
	struct stp_text t;
	int found = user_pointer(argv, 0, &p);

	if (found < 0)
		return address_text(c, argv);
	if (!found || !stp_text_begin(c, &t))
		return stp_empty();
	add_arguments(&t, argv, 1, " ");
	return stp_text_end(c, &t);
}

/**
 * stp_fn_envp_str - how many variables a user envp holds
 * Context: any handler.
 */
struct stp_str stp_fn_envp_str(struct stp_ctx *c, stp_long envp)
{
	unsigned long p;
	struct stp_text t;
	u32 i = 0;

	if (user_pointer(envp, 0, &p) < 0)
		return address_text(c, envp);
	if (!stp_text_begin(c, &t))
		return stp_empty();
	while (i < MAX_POINTERS && user_pointer(envp, i, &p) > 0)
		i++;
	stp_text_printf(&t, "[/* %u vars */]", i);
	return stp_text_end(c, &t);
}

/**
 * stp_fn_iov_bytes - the sum of the sizes in n struct iovec of a user vector
 *
 * No call takes more than UIO_MAXIOV of them. Context: any handler.
 */
stp_long stp_fn_iov_bytes(struct stp_ctx *c, stp_long vec, stp_long n)
{
	unsigned long sizes[32]; /* of 16: address and size of each */
	u32 word = stp_arch_syscall_abi() ? sizeof(u32) : sizeof(*sizes);
	stp_long at = 0, sum = 0;

	for (n = clamp_t(stp_long, n, 0, UIO_MAXIOV); at < n;) {
		u32 i, k = min_t(stp_long, n - at, ARRAY_SIZE(sizes) / 2);

		if (stp_actions(c, 1) ||
		    stp_copy_from(STP_USER, sizes, vec + at * 2 * word, k * 2 * word))
			return 0;
		for (i = 0; i < k; i++)
			sum += word == sizeof(u32) ? ((u32 *)sizes)[2 * i + 1] : sizes[2 * i + 1];
		at += k;
	}
	return sum;
}

/**
 * stp_fn_syscall_pos - a position in a file that a call has in two words, as the kernel reads it
 *
 * The second one counts in calls with 32-bit words only. Context: a probe of a system call.
 */
stp_long stp_fn_syscall_pos(struct stp_ctx *c, stp_long low, stp_long high)
{
	return stp_arch_syscall_abi() ? (u64)(u32)low | (u64)high << 32 : low;
}

union any_sockaddr {
	struct sockaddr sa;
	struct sockaddr_in in;
	struct sockaddr_in6 in6;
	struct sockaddr_un un;
};

/* The length read, or negative on a fault; the rest is zero. */
static long read_sockaddr(stp_long uaddr, stp_long len, union any_sockaddr *ret)
{
	memset(ret, 0, sizeof(*ret));
	len = clamp_t(stp_long, len, 0, sizeof(*ret));
	if (len < (stp_long)sizeof(ret->sa.sa_family))
		return -EINVAL;
	if (stp_copy_from(STP_USER, ret, uaddr, len))
		return -EFAULT;
	return len;
}

static void add_unix_path(struct stp_text *t, const union any_sockaddr *a, long len)
{
	long n = len - offsetof(struct sockaddr_un, sun_path);

	if (n > 0 && !a->un.sun_path[0]) /* abstract: the length counts, not a NUL */
		stp_text_quote(t, a->un.sun_path, n, t->size, STP_QUOTE_MARKS, 0);
	else
		stp_text_quote(t, a->un.sun_path, strnlen(a->un.sun_path, n > 0 ? n : 0), t->size,
			       STP_QUOTE_MARKS, 0);
}

/**
 * stp_fn_sockaddr_str - {AF_INET, 1.2.3.4, 80}
 * Context: any handler.
 */
struct stp_str stp_fn_sockaddr_str(struct stp_ctx *c, stp_long uaddr, stp_long len)
{
	union any_sockaddr a;
	struct stp_text t;

	len = read_sockaddr(uaddr, len, &a);
	if (!stp_text_begin(c, &t))
		return stp_empty();
	if (len < 0) {
		stp_text_printf(&t, "0x%llx", uaddr);
		return stp_text_end(c, &t);
	}
	switch (a.sa.sa_family) {
	case AF_INET:
		stp_text_printf(&t, "{AF_INET, %pI4, %u}", &a.in.sin_addr, ntohs(a.in.sin_port));
		break;
	case AF_INET6:
		stp_text_printf(&t, "{AF_INET6, %pI6c, %u}", &a.in6.sin6_addr,
				ntohs(a.in6.sin6_port));
		break;
	case AF_UNIX:
		stp_text_printf(&t, "{AF_UNIX, ");
		add_unix_path(&t, &a, len);
		stp_text_printf(&t, "}");
		break;
	default:
		stp_text_printf(&t, "{unknown address family (%u)}", a.sa.sa_family);
	}
	return stp_text_end(c, &t);
}

enum { PART_FAMILY, PART_ADDRESS, PART_PORT, PART_FLOWINFO, PART_SCOPE };

/**
 * stp_fn_sockaddr_part - one field of a socket address as text
 * @part: 0 family, 1 address, 2 port, 3 IPv6 flow information, 4 IPv6 scope
 * Context: any handler.
 */
struct stp_str stp_fn_sockaddr_part(struct stp_ctx *c, stp_long uaddr, stp_long len, stp_long part)
{
	union any_sockaddr a;
	struct stp_text t;

	len = read_sockaddr(uaddr, len, &a);
	if (len < 0 || !stp_text_begin(c, &t))
		return stp_empty();
	switch (part) {
	case PART_FAMILY:
		stp_text_printf(&t, "%s",
				a.sa.sa_family == AF_INET    ? "AF_INET"
				: a.sa.sa_family == AF_INET6 ? "AF_INET6"
				: a.sa.sa_family == AF_UNIX  ? "AF_UNIX"
							     : "");
		break;
	case PART_ADDRESS:
		if (a.sa.sa_family == AF_INET)
			stp_text_printf(&t, "%pI4", &a.in.sin_addr);
		else if (a.sa.sa_family == AF_INET6)
			stp_text_printf(&t, "%pI6c", &a.in6.sin6_addr);
		break;
	case PART_PORT:
		if (a.sa.sa_family == AF_INET || a.sa.sa_family == AF_INET6)
			stp_text_printf(&t, "%u",
					ntohs(a.in.sin_port)); /* the same place in both */
		break;
	case PART_FLOWINFO:
		if (a.sa.sa_family == AF_INET6)
			stp_text_printf(&t, "%u", ntohl(a.in6.sin6_flowinfo));
		break;
	case PART_SCOPE:
		if (a.sa.sa_family == AF_INET6)
			stp_text_printf(&t, "%u", a.in6.sin6_scope_id);
		break;
	}
	return stp_text_end(c, &t);
}
