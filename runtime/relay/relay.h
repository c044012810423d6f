/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The relay channel by which output streams to the reader: a ring for each CPU (ring.c), the
 * control channel beside them and the /proc files over both (control.c), and what a reader needs to
 * decode records (blob.c). Why it is not the kernel's relayfs is said in src/ARCHITECTURE.
 *
 * Context: process, may sleep; init and exit at load and unload.
 */
#ifndef STP_RELAY_RELAY_H
#define STP_RELAY_RELAY_H

#include "core/internal.h"

struct proc_ops;
struct vm_area_struct;

extern unsigned int stp_owner;        /* module parameter _uid: constant */
extern unsigned long long stp_cookie; /* module parameter _cookie: constant */
extern unsigned int stp_relay_kb;     /* module parameter _ring_kb, KiB: constant */

/* control.c */
int stp_control_file(const char *name, const struct proc_ops *ops);
/* root.c */
int stp_root_make(void);
/* ring.c */
void stp_relay_overwrite(int on);
int stp_relay_mmap(int cpu, struct vm_area_struct *vma);
/* blob.c */
int stp_blob_init(void);
void stp_blob_exit(void);
extern char *stp_blob; /* what `script` reads as; constant after init */
extern u32 stp_blob_len;
/* Set by a producer that woke the reader, cleared by poll(). */
extern u32 stp_data_ready;

#endif
