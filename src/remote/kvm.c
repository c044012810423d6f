/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is known of KVM, in a small file of the cache named by the host's boot and QEMU's own size
 * and time, so that a new boot or a new QEMU is found out about again.
 */
#include "remote/kvm.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/intern.h"

/* Without a readable boot id the verdict outlives the boot. */
static const char *verdict_path(struct arena *arena, const char *cache_dir, const char *program)
{
	struct stat st = { 0 };
	struct error *err;
	const char *text;
	char *boot_id;
	size_t len;

	err = file_read("/proc/sys/kernel/random/boot_id", &boot_id, &len);
	if (err) {
		error_destroy(err);
		boot_id = NULL;
	}
	if (stat(program, &st) < 0)
		st.st_size = 0;
	text = arena_printf(arena, "%s %s %lld %lld", boot_id ? boot_id : "", program,
			    (long long)st.st_size, (long long)st.st_mtim.tv_sec);
	free(boot_id);
	return arena_printf(arena, "%s/kvm-%016llx", cache_dir,
			    (unsigned long long)hash_bytes64(text, strlen(text), 0));
}

enum kvm_verdict kvm_verdict(struct arena *arena, const char *cache_dir, const char *program)
{
	enum kvm_verdict ret;
	struct error *err;
	char *text;
	size_t len;

	if (access("/dev/kvm", R_OK | W_OK) < 0)
		return KVM_USELESS;
	err = file_read(verdict_path(arena, cache_dir, program), &text, &len);
	if (err) {
		error_destroy(err);
		return KVM_UNKNOWN;
	}
	ret = strncmp(text, "works", 5) == 0 ? KVM_WORKS : KVM_USELESS;
	free(text);
	return ret;
}

void kvm_record(struct arena *arena, const char *cache_dir, const char *program, bool works)
{
	const char *text = works ? "works\n" : "useless\n";

	error_destroy(file_write_atomic(verdict_path(arena, cache_dir, program), text, strlen(text),
					0644));
}

void kvm_trial_start(const struct qemu_config *config, struct qemu *trial)
{
	struct qemu_config c = *config;

	c.kvm = true;
	c.ram = QEMU_RAM_PRIVATE;
	*trial = (struct qemu){ 0 };
	error_destroy(qemu_start(&c, trial));
}

bool kvm_trial_end(struct qemu *trial)
{
	struct pollfd p = { .fd = trial->port, .events = POLLIN };
	char byte;
	bool spoke = trial->pid && poll(&p, 1, 0) > 0 && read(trial->port, &byte, 1) == 1;

	qemu_stop(trial);
	return spoke;
}
