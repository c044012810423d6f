/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <linux/kprobes.h>

struct kretprobe *test(struct kretprobe_instance *ri);
struct kretprobe *test(struct kretprobe_instance *ri)
{
	return get_kretprobe(ri);
}
