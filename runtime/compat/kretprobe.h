/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * 5.11, commit d741bf41d7c7: an instance's kretprobe is get_kretprobe(ri), not ri->rp. NULL: it is
 * gone.
 *
 * Context: the kretprobe's handlers.
 */
#ifndef STP_COMPAT_KRETPROBE_H
#define STP_COMPAT_KRETPROBE_H

#include "stp_features.h"
#include <linux/kprobes.h>

static inline struct kretprobe *stp_kretprobe_of(struct kretprobe_instance *ri)
{
#ifdef STP_HAVE_GET_KRETPROBE
	return get_kretprobe(ri);
#else
	return ri->rp;
#endif
}

#endif
