// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Structures in user memory that system calls are given, as text. Pages that are not there read as faults: the
 * address is said then, in hexadecimal, and no error is raised.
 */
#include <linux/in.h>
#include <linux/in6.h>
#include <linux/kernel.h>
#include <linux/socket.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <linux/un.h>

#include "access/access.h"
#include "core/internal.h"
#include "script.h"

struct stp_str stp_fn_argv_str(struct stp_ctx *c, stp_long argv);
struct stp_str stp_fn_envp_str(struct stp_ctx *c, stp_long envp);
struct stp_str stp_fn_sockaddr_str(struct stp_ctx *c, stp_long uaddr, stp_long len);
struct stp_str stp_fn_sockaddr_part(struct stp_ctx *c, stp_long uaddr, stp_long len, stp_long part);

#define MAX_POINTERS 4096 /* of an argv or envp that are counted */
#define MAX_ARG 128	  /* bytes of one argument that are shown */

struct text {
	char *buf;
	u32 n, size;
};

static bool text_init(struct stp_ctx *c, struct text *t)
{
	t->n = 0;
	t->size = stp_script.max_string;
	t->buf = stp_scratch(c, t->size);
	return t->buf;
}

static struct stp_str text_str(const struct text *t)
{
	return (struct stp_str){ t->buf, t->n };
}

#define text_add(t, ...) ((t)->n += scnprintf((t)->buf + (t)->n, (t)->size - (t)->n, __VA_ARGS__))

static void text_quote(struct text *t, const char *s, long n)
{
	long i;

	text_add(t, "\"");
	for (i = 0; i < n && t->n + 8 < t->size; i++) {
		unsigned char ch = s[i];

		if (ch == '"' || ch == '\\')
			text_add(t, "\\%c", ch);
		else if (ch >= ' ' && ch < 0x7f)
			text_add(t, "%c", ch);
		else
			text_add(t, "\\%03o", ch);
	}
	text_add(t, "\"");
}

/* 1 with the nth pointer, 0 at the end, negative on a fault */
static int user_pointer(stp_long vector, u32 i, unsigned long *ret)
{
	const unsigned long __user *at = (const unsigned long __user *)vector + i;

	if (copy_from_user_nofault(ret, at, sizeof(*ret)))
		return -EFAULT;
	return *ret != 0;
}

/**
 * stp_fn_argv_str - ["ls", "-l"] from a user argv
 * Context: any handler; pages that are not present are not brought in.
 */
struct stp_str stp_fn_argv_str(struct stp_ctx *c, stp_long argv)
{
	char arg[MAX_ARG];
	unsigned long p;
	struct text t;
	u32 i;

	if (!text_init(c, &t))
		return stp_empty();
	text_add(&t, "[");
	for (i = 0; user_pointer(argv, i, &p) > 0 && t.n + 8 < t.size; i++) {
		int n = stp_copy_string(STP_USER, arg, p, sizeof(arg));

		if (i)
			text_add(&t, ", ");
		if (n < 0)
			text_add(&t, "0x%lx", p);
		else
			text_quote(&t, arg, n);
	}
	text_add(&t, "]");
	return text_str(&t);
}

/**
 * stp_fn_envp_str - how many variables a user envp holds
 * Context: any handler.
 */
struct stp_str stp_fn_envp_str(struct stp_ctx *c, stp_long envp)
{
	unsigned long p;
	struct text t;
	u32 i = 0;

	if (!text_init(c, &t))
		return stp_empty();
	while (i < MAX_POINTERS && user_pointer(envp, i, &p) > 0)
		i++;
	text_add(&t, "[/* %u vars */]", i);
	return text_str(&t);
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
	if (copy_from_user_nofault(ret, (const void __user *)(unsigned long)uaddr, len))
		return -EFAULT;
	return len;
}

static void add_unix_path(struct text *t, const union any_sockaddr *a, long len)
{
	long n = len - offsetof(struct sockaddr_un, sun_path);

	if (n > 0 && !a->un.sun_path[0]) /* abstract: the length counts, not a NUL */
		text_quote(t, a->un.sun_path, n);
	else
		text_quote(t, a->un.sun_path, strnlen(a->un.sun_path, n > 0 ? n : 0));
}

/**
 * stp_fn_sockaddr_str - {AF_INET, 1.2.3.4, 80}
 * Context: any handler.
 */
struct stp_str stp_fn_sockaddr_str(struct stp_ctx *c, stp_long uaddr, stp_long len)
{
	union any_sockaddr a;
	struct text t;

	len = read_sockaddr(uaddr, len, &a);
	if (!text_init(c, &t))
		return stp_empty();
	if (len < 0) {
		text_add(&t, "0x%llx", uaddr);
		return text_str(&t);
	}
	switch (a.sa.sa_family) {
	case AF_INET:
		text_add(&t, "{AF_INET, %pI4, %u}", &a.in.sin_addr, ntohs(a.in.sin_port));
		break;
	case AF_INET6:
		text_add(&t, "{AF_INET6, %pI6c, %u}", &a.in6.sin6_addr, ntohs(a.in6.sin6_port));
		break;
	case AF_UNIX:
		text_add(&t, "{AF_UNIX, ");
		add_unix_path(&t, &a, len);
		text_add(&t, "}");
		break;
	default:
		text_add(&t, "{unknown address family (%u)}", a.sa.sa_family);
	}
	return text_str(&t);
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
	struct text t;

	len = read_sockaddr(uaddr, len, &a);
	if (len < 0 || !text_init(c, &t))
		return stp_empty();
	switch (part) {
	case PART_FAMILY:
		text_add(&t, "%s", a.sa.sa_family == AF_INET ? "AF_INET" : a.sa.sa_family == AF_INET6 ? "AF_INET6" :
					     a.sa.sa_family == AF_UNIX ? "AF_UNIX" : "");
		break;
	case PART_ADDRESS:
		if (a.sa.sa_family == AF_INET)
			text_add(&t, "%pI4", &a.in.sin_addr);
		else if (a.sa.sa_family == AF_INET6)
			text_add(&t, "%pI6c", &a.in6.sin6_addr);
		break;
	case PART_PORT:
		if (a.sa.sa_family == AF_INET || a.sa.sa_family == AF_INET6)
			text_add(&t, "%u", ntohs(a.in.sin_port)); /* the same place in both */
		break;
	case PART_FLOWINFO:
		if (a.sa.sa_family == AF_INET6)
			text_add(&t, "%u", ntohl(a.in6.sin6_flowinfo));
		break;
	case PART_SCOPE:
		if (a.sa.sa_family == AF_INET6)
			text_add(&t, "%u", a.in6.sin6_scope_id);
		break;
	}
	return text_str(&t);
}
