// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What is in the structures of NFS and of the RPC it rests on. They are in modules, some of them
 * without type information, so their members are found by the kernel's headers. All are given by
 * address, and read fault-safely.
 *
 * Context: any handler.
 */
#include <linux/in.h>
#include <linux/in6.h>
#include <linux/kernel.h>
#include <linux/nfs_fs.h>
#include <linux/nfs_fs_sb.h>
#include <linux/nfs_xdr.h>
#include <linux/sunrpc/clnt.h>
#include <linux/sunrpc/sched.h>
#include <linux/sunrpc/svc.h>
#include <linux/sunrpc/xprt.h>
#include "access/access.h"
#include "tapset/functions.h"

/* A member that is a number or a pointer; 0 after an error. */
#define MEMBER(c, addr, type, member)                                                              \
	((c)->error ? 0                                                                            \
		    : stp_read_kernel(c, (addr) + offsetof(type, member),                          \
				      sizeof_field(type, member), 0))

/* ---- NFS ---- */

stp_long stp_fn_NFS_I(struct stp_ctx *c, stp_long inode)
{
	return inode - offsetof(struct nfs_inode, vfs_inode);
}

stp_long stp_fn_NFS_SERVER(struct stp_ctx *c, stp_long inode)
{
	u64 sb = MEMBER(c, inode, struct inode, i_sb);

	return MEMBER(c, sb, struct super_block, s_fs_info);
}

stp_long stp_fn_stap_NFS_CLIENT(struct stp_ctx *c, stp_long inode)
{
	u64 server = stp_fn_NFS_SERVER(c, inode);

	return MEMBER(c, server, struct nfs_server, nfs_client);
}

stp_long stp_fn_NFS_PROTO(struct stp_ctx *c, stp_long inode)
{
	u64 client = stp_fn_stap_NFS_CLIENT(c, inode);

	return MEMBER(c, client, struct nfs_client, rpc_ops);
}

stp_long stp_fn_nfs_rpc_client(struct stp_ctx *c, stp_long inode)
{
	u64 server = stp_fn_NFS_SERVER(c, inode);

	return MEMBER(c, server, struct nfs_server, client);
}

/* ---- clients ---- */

stp_long stp_fn_prog_from_clnt(struct stp_ctx *c, stp_long clnt)
{
	return MEMBER(c, clnt, struct rpc_clnt, cl_prog);
}

stp_long stp_fn_vers_from_clnt(struct stp_ctx *c, stp_long clnt)
{
	return MEMBER(c, clnt, struct rpc_clnt, cl_vers);
}

static u64 transport(struct stp_ctx *c, u64 clnt)
{
	return MEMBER(c, clnt, struct rpc_clnt, cl_xprt);
}

stp_long stp_fn_xid_from_clnt(struct stp_ctx *c, stp_long clnt)
{
	u64 xprt = transport(c, clnt);

	return MEMBER(c, xprt, struct rpc_xprt, xid);
}

stp_long stp_fn_prot_from_clnt(struct stp_ctx *c, stp_long clnt)
{
	u64 xprt = transport(c, clnt);

	return MEMBER(c, xprt, struct rpc_xprt, prot);
}

/* 6.0 and later count references; those of clones are among them. */
stp_long stp_fn_clones_from_clnt(struct stp_ctx *c, stp_long clnt)
{
	return stp_read_kernel(c, clnt + offsetof(struct rpc_clnt, cl_count), sizeof(int), 1);
}

#define MAX_TASKS 4096

stp_long stp_fn_tasks_from_clnt(struct stp_ctx *c, stp_long clnt)
{
	u64 head = clnt + offsetof(struct rpc_clnt, cl_tasks), at;
	stp_long n = 0;

	at = stp_read_kernel(c, head, sizeof(void *), 0);
	for (; !c->error && at != head && n < MAX_TASKS; n++)
		at = stp_read_kernel(c, at, sizeof(void *), 0);
	return n;
}

/* ---- addresses ---- */

static int address_read(struct stp_ctx *c, u64 addr, struct sockaddr_in6 *ret)
{
	if (!c->error && !stp_copy_from(STP_KERNEL, ret, addr, sizeof(*ret)))
		return 1;
	if (!c->error)
		stp_errorf(c, "read fault [man error::fault] at 0x%llx", addr);
	return 0;
}

/* The port is at the same place for both families. */
static stp_long address_port(struct stp_ctx *c, u64 addr)
{
	struct sockaddr_in6 in6;

	if (!address_read(c, addr, &in6) ||
	    (in6.sin6_family != AF_INET && in6.sin6_family != AF_INET6))
		return 0;
	return be16_to_cpu(in6.sin6_port);
}

static struct stp_str address_text(struct stp_ctx *c, u64 addr)
{
	struct sockaddr_in6 in6;
	struct stp_text t;

	if (!address_read(c, addr, &in6) || !stp_text_begin(c, &t))
		return stp_empty();
	if (in6.sin6_family == AF_INET || in6.sin6_family == AF_INET6)
		stp_text_printf(&t, "%pISc", &in6);
	return stp_text_end(c, &t);
}

stp_long stp_fn_port_from_xprt(struct stp_ctx *c, stp_long xprt)
{
	return address_port(c, xprt + offsetof(struct rpc_xprt, addr));
}

stp_long stp_fn_port_from_clnt(struct stp_ctx *c, stp_long clnt)
{
	return stp_fn_port_from_xprt(c, transport(c, clnt));
}

struct stp_str stp_fn_get_ip_from_client(struct stp_ctx *c, stp_long clnt)
{
	return address_text(c, transport(c, clnt) + offsetof(struct rpc_xprt, addr));
}

struct stp_str stp_fn_get_ip(struct stp_ctx *c, stp_long task)
{
	return stp_fn_get_ip_from_client(c, MEMBER(c, task, struct rpc_task, tk_client));
}

stp_long stp_fn_get_prot(struct stp_ctx *c, stp_long task)
{
	return stp_fn_prot_from_clnt(c, MEMBER(c, task, struct rpc_task, tk_client));
}

/* ---- messages, programs and requests ---- */

stp_long stp_fn_proc_from_msg(struct stp_ctx *c, stp_long msg)
{
	u64 proc = MEMBER(c, msg, struct rpc_message, rpc_proc);

	return MEMBER(c, proc, struct rpc_procinfo, p_proc);
}

/* The number of the version itself, or 0 when the program has it not. */
stp_long stp_fn_vers_from_prog(struct stp_ctx *c, stp_long program, stp_long vers)
{
	u64 n = MEMBER(c, program, struct rpc_program, nrvers);
	u64 table = MEMBER(c, program, struct rpc_program, version), version;

	if (c->error || vers < 0 || vers >= (stp_long)n)
		return 0;
	version = stp_read_kernel(c, table + vers * sizeof(void *), sizeof(void *), 0);
	return version ? MEMBER(c, version, struct rpc_version, number) : 0;
}

stp_long stp_fn_addr_from_rqst(struct stp_ctx *c, stp_long rqstp)
{
	return stp_read_kernel(c,
			       rqstp + offsetof(struct svc_rqst, rq_addr) +
				       offsetof(struct sockaddr_in, sin_addr),
			       sizeof(struct in_addr), 0);
}

struct stp_str stp_fn_addr_from_rqst_str(struct stp_ctx *c, stp_long rqstp)
{
	return address_text(c, rqstp + offsetof(struct svc_rqst, rq_addr));
}
