/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Between the files of transport/: rings, the control channel, and the /proc files over them. */
#ifndef STP_TRANSPORT_TRANSPORT_H
#define STP_TRANSPORT_TRANSPORT_H

#include "core/internal.h"

struct vm_area_struct;

extern unsigned int stp_owner;   /* module parameter _uid */
extern unsigned int stp_ring_kb; /* module parameter _ring_kb */

void stp_rings_overwrite(int on);
int stp_ring_mmap(int cpu, struct vm_area_struct *vma);
int stp_blob_init(void); /* what `script` reads as */
void stp_blob_exit(void);
extern char *stp_blob;
extern u32 stp_blob_len;
/* Set by a producer that woke the reader, cleared by poll(). */
extern u32 stp_data_ready;

#endif
