// SPDX-License-Identifier: GPL-2.0-or-later
/* No call: old kernels' C dialect would declare the function implicitly. */
#include <linux/kprobes.h>

extern struct kretprobe *(*test)(struct kretprobe_instance *ri);
struct kretprobe *(*test)(struct kretprobe_instance *ri) = get_kretprobe;
