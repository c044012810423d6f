// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Commands of SCSI and their devices, given by address, so all is read fault-safely.
 *
 * Context: any handler.
 */
#include <linux/blk-mq.h>
#include <linux/blkdev.h>
#include <linux/kernel.h>
#include <scsi/scsi_cmnd.h>
#include <scsi/scsi_device.h>
#include "access/access.h"
#include "tapset/functions.h"

static u64 pointer(struct stp_ctx *c, u64 addr)
{
	return c->error ? 0 : stp_read_kernel(c, addr, sizeof(void *), 0);
}

/* 5.15, commit ce70fd9a551a: a command is always what lies behind its request. */
stp_long stp_fn_get_scsi_request(struct stp_ctx *c, stp_long command)
{
#ifdef STP_HAVE_SCSI_CMD_REQUEST
	return pointer(c, command + offsetof(struct scsi_cmnd, request));
#else
	return command - sizeof(struct request);
#endif
}

stp_long stp_fn_get_devstate_from_req(struct stp_ctx *c, stp_long request)
{
	u64 queue = pointer(c, request + offsetof(struct request, q));
	u64 device = pointer(c, queue + offsetof(struct request_queue, queuedata));

	if (c->error)
		return 0;
	return stp_read_kernel(c, device + offsetof(struct scsi_device, sdev_state),
			       sizeof_field(struct scsi_device, sdev_state), 0);
}

/* The time of all commands of a queue is kept by one timer. */
stp_long stp_fn_scsi_timer_pending(struct stp_ctx *c, stp_long command)
{
	u64 request = stp_fn_get_scsi_request(c, command);
	u64 queue = pointer(c, request + offsetof(struct request, q));

	return !!pointer(c, queue + offsetof(struct request_queue, timeout.entry.pprev));
}
