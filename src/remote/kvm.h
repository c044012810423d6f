/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether KVM is worth using. A /dev/kvm that opens is no proof: nested or restricted ones start a
 * machine that never gets anywhere. So the first cold boot of a host's uptime boots a second
 * machine under KVM beside the emulated one; if that is up by the time the emulated one is (several
 * times slower when KVM works), later guests use KVM. What was found is kept in the cache for this
 * boot of the host and this QEMU.
 */
#ifndef SPILE_REMOTE_KVM_H
#define SPILE_REMOTE_KVM_H

#include <stdbool.h>

#include "remote/qemu.h"

/* USELESS: it is not there, or was of no use to a guest; UNKNOWN: not tried yet. */
enum kvm_verdict { KVM_UNKNOWN, KVM_WORKS, KVM_USELESS };

/* What is known of KVM with this QEMU: USELESS without a /dev/kvm that the caller may open. */
enum kvm_verdict kvm_verdict(struct arena *arena, const char *cache_dir, const char *program);
/* Best effort: what cannot be kept is found out again. */
void kvm_record(struct arena *arena, const char *cache_dir, const char *program, bool works);

/* Start the second machine: CONFIG with KVM, and RAM of its own. Nothing runs when that fails. */
void kvm_trial_start(const struct qemu_config *config, struct qemu *trial);
/* Whether its agent has spoken by now; ends it. */
bool kvm_trial_end(struct qemu *trial);

#endif
