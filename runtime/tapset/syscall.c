// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Structures in user memory that system calls are given, as text. Pages that are not there read as
 * faults: the address is said then, in hexadecimal, and no error is raised.
 *
 * Context: any handler. A vector is followed as far as its text, or MAX_POINTERS, goes.
 */
#include <linux/if_alg.h>
#include <linux/if_packet.h>
#include <linux/in.h>
#include <linux/in6.h>
#include <linux/kernel.h>
#include <linux/netlink.h>
#include <linux/socket.h>
#include <linux/string.h>
#include <linux/uio.h>
#include <linux/un.h>
#include <linux/vm_sockets.h>

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
	struct sockaddr_nl nl;
	struct sockaddr_ll ll;
	struct sockaddr_vm vm;
	struct sockaddr_alg alg;
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

static void add_bytes(struct stp_text *t, const void *bytes, u32 n)
{
	stp_text_quote(t, bytes, n, t->size, STP_QUOTE_MARKS, 0);
}

/* What is behind the name of the family, of an address that has the bytes which that asks for. */
static void add_inet(struct stp_text *t, const union any_sockaddr *a, u32 len)
{
	stp_text_printf(t, "%pI4, %u", &a->in.sin_addr, ntohs(a->in.sin_port));
}

static void add_inet6(struct stp_text *t, const union any_sockaddr *a, u32 len)
{
	stp_text_printf(t, "%pI6c, %u", &a->in6.sin6_addr, ntohs(a->in6.sin6_port));
}

static void add_unix(struct stp_text *t, const union any_sockaddr *a, u32 len)
{
	u32 n = min_t(u32, len - offsetof(struct sockaddr_un, sun_path), sizeof(a->un.sun_path));

	if (n && !a->un.sun_path[0]) /* abstract: the length counts, not a NUL */
		add_bytes(t, a->un.sun_path, n);
	else
		add_bytes(t, a->un.sun_path, strnlen(a->un.sun_path, n));
}

static void add_netlink(struct stp_text *t, const union any_sockaddr *a, u32 len)
{
	stp_text_printf(t, "nl_pid=%u, nl_groups=%08x", a->nl.nl_pid, a->nl.nl_groups);
}

static void add_packet(struct stp_text *t, const union any_sockaddr *a, u32 len)
{
	const struct sockaddr_ll *ll = &a->ll;
	u32 n = min_t(u32, ll->sll_halen, sizeof(ll->sll_addr)), i;

	stp_text_printf(t, "sll_protocol=0x%04x, sll_ifindex=%d, sll_hatype=%u, ",
			ntohs(ll->sll_protocol), ll->sll_ifindex, ll->sll_hatype);
	stp_text_printf(t, "sll_pkttype=%u, sll_halen=%u, sll_addr=[", ll->sll_pkttype,
			ll->sll_halen);
	for (i = 0; i < n; i++)
		stp_text_printf(t, "%s0x%x", i ? ", " : "", ll->sll_addr[i]);
	stp_text_printf(t, "%s]", ll->sll_halen > n ? ", ..." : "");
}

static void add_vsock(struct stp_text *t, const union any_sockaddr *a, u32 len)
{
	stp_text_printf(t, "svm_cid=0x%x, svm_port=0x%x", a->vm.svm_cid, a->vm.svm_port);
}

static void add_alg(struct stp_text *t, const union any_sockaddr *a, u32 len)
{
	const char *type = (const char *)a->alg.salg_type;
	const char *name = (const char *)a->alg.salg_name;
	u32 n = len - offsetof(struct sockaddr_alg, salg_name);

	stp_text_printf(t, "salg_type=");
	add_bytes(t, type, strnlen(type, sizeof(a->alg.salg_type)));
	stp_text_printf(t, ", salg_feat=0x%x, salg_mask=0x%x, salg_name=", a->alg.salg_feat,
			a->alg.salg_mask);
	add_bytes(t, name, strnlen(name, min_t(u32, n, sizeof(a->alg.salg_name))));
}

/* Families whose addresses are told: what they need at least, and what is said of one. */
static const struct family {
	u16 number;
	u16 least;
	const char *name;
	void (*add)(struct stp_text *t, const union any_sockaddr *a, u32 len);
} families[] = {
	{ AF_INET, sizeof(struct sockaddr_in), "AF_INET", add_inet },
	{ AF_INET6, offsetof(struct sockaddr_in6, sin6_scope_id), "AF_INET6", add_inet6 },
	{ AF_UNIX, offsetof(struct sockaddr_un, sun_path), "AF_UNIX", add_unix },
	{ AF_NETLINK, sizeof(struct sockaddr_nl), "AF_NETLINK", add_netlink },
	{ AF_PACKET, sizeof(struct sockaddr_ll), "AF_PACKET", add_packet },
	{ AF_VSOCK, sizeof(struct sockaddr_vm), "AF_VSOCK", add_vsock },
	{ AF_ALG, offsetof(struct sockaddr_alg, salg_name), "AF_ALG", add_alg },
};

static const struct family *family_of(const union any_sockaddr *a)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(families); i++) {
		if (families[i].number == a->sa.sa_family)
			return &families[i];
	}
	return NULL;
}

/**
 * stp_fn_sockaddr_str - {AF_INET, 1.2.3.4, 80}
 *
 * Of an address that is too short for its family the bytes: {AF_INET, sa_data="..."}.
 * Context: any handler.
 */
struct stp_str stp_fn_sockaddr_str(struct stp_ctx *c, stp_long uaddr, stp_long len)
{
	const struct family *family;
	union any_sockaddr a;
	struct stp_text t;

	len = read_sockaddr(uaddr, len, &a);
	if (!stp_text_begin(c, &t))
		return stp_empty();
	if (len < 0) {
		stp_text_printf(&t, "0x%llx", uaddr);
		return stp_text_end(c, &t);
	}
	family = family_of(&a);
	if (!family) {
		stp_text_printf(&t, "{unknown address family (%u)}", a.sa.sa_family);
		return stp_text_end(c, &t);
	}
	stp_text_printf(&t, "{%s, ", family->name);
	if (len >= family->least) {
		family->add(&t, &a, len);
	} else {
		stp_text_printf(&t, "sa_data=");
		add_bytes(&t, (char *)&a + sizeof(a.sa.sa_family), len - sizeof(a.sa.sa_family));
	}
	stp_text_char(&t, '}');
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
	const struct family *family;
	union any_sockaddr a;
	struct stp_text t;

	len = read_sockaddr(uaddr, len, &a);
	if (len < 0 || !stp_text_begin(c, &t))
		return stp_empty();
	switch (part) {
	case PART_FAMILY:
		family = family_of(&a);
		stp_text_printf(&t, "%s", family ? family->name : "");
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
