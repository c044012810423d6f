/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which kernel a guest boots, and the initrd that goes with it. Files are only looked for and
 * read; what is unpacked or built goes into the cache.
 */
#ifndef SPILE_REMOTE_GUEST_KERNEL_H
#define SPILE_REMOTE_GUEST_KERNEL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct arena;
struct strbuf;

/* A kernel that was found: its image and its modules. Texts are in the arena given. */
struct guest_kernel {
	const char *release;
	const char *vmlinuz;
	const char *modules; /* absolute: .../lib/modules/RELEASE */
	bool installed;      /* below / rather than in an unpacked tree */
	const char *image;   /* what QEMU boots: the vmlinux inside when it has a PVH note, else
				vmlinuz */
};

/*
 * NAME is a release, a directory of unpacked packages, of whose kernels the newest is taken, or
 * DIRECTORY/lib/modules/RELEASE for a certain one; NULL: the newest installed kernel
 * (unpack/kernel_tree.h). Everything in ret lives in ARENA; it is untouched on failure. The vmlinux
 * is unpacked into CACHE_DIR. The image must be readable by the caller.
 */
struct error *guest_kernel_find(const char *name, const char *cache_dir, struct arena *arena,
				struct guest_kernel *ret) ERROR_MUST_CHECK;

/* Whether the kernel has 9p, as a module or built in, to reach the host's files with. */
bool guest_kernel_has_9p(const struct guest_kernel *kernel, struct arena *arena);

/*
 * A cpio archive: the agent as /init, and the drivers it loads, from a kernel's modules. Appended
 * to OUT, which may hold a part of it on failure.
 */
struct error *guest_initrd_build(const struct guest_kernel *kernel, const char *agent,
				 struct strbuf *out) ERROR_MUST_CHECK;

#endif
