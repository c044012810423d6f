// SPDX-License-Identifier: GPL-2.0-or-later
/* Until 5.15 a SCSI command pointed to its request. */
#include <scsi/scsi_cmnd.h>

extern struct request *(*test)(struct scsi_cmnd *c);
static struct request *request_of(struct scsi_cmnd *c)
{
	return c->request;
}
struct request *(*test)(struct scsi_cmnd *c) = request_of;
