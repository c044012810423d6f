/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Between the files of transport/: rings, the control channel, and the /proc files over them.
 *
 * Context: process, may sleep; init and exit at load and unload.
 */
#ifndef STP_TRANSPORT_TRANSPORT_H
#define STP_TRANSPORT_TRANSPORT_H

#include "core/internal.h"

struct vm_area_struct;

extern unsigned int stp_owner;   /* module parameter _uid: constant */
extern unsigned long long stp_cookie; /* module parameter _cookie: constant */
extern unsigned int stp_ring_kb; /* module parameter _ring_kb, KiB: constant */

void stp_rings_overwrite(int on);
int stp_ring_mmap(int cpu, struct vm_area_struct *vma);
int stp_blob_init(void);
void stp_blob_exit(void);
extern char *stp_blob; /* what `script` reads as; constant after init */
extern u32 stp_blob_len;
/* Set by a producer that woke the reader, cleared by poll(). */
extern u32 stp_data_ready;

#endif
