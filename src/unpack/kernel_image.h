/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compressed kernels and modules as they are installed.
 *
 * A /boot/vmlinuz is a boot loader stub around a compressed ELF vmlinux
 * (Documentation/arch/x86/boot.rst: the payload lies at (setup_sects + 1) * 512 + payload_offset
 * and ends in its unpacked size). The vmlinux inside holds .BTF, ORC tables, kallsyms and the
 * build-id, and QEMU boots it directly, 3 s sooner under emulation. It is unpacked once into the
 * cache, under a name made from the image's path, size and time; an older unpacking of the same
 * path is removed, so the cache holds one vmlinux per image.
 *
 * Modules are ELF, or that in one gzip, xz or zstd stream.
 */
#ifndef SPILE_UNPACK_KERNEL_IMAGE_H
#define SPILE_UNPACK_KERNEL_IMAGE_H

#include <stddef.h>

#include "base/error.h"

struct arena;

/*
 * The uncompressed vmlinux of VMLINUZ (which may be an ELF vmlinux already: then VMLINUZ itself is
 * returned). CACHE_DIR is created when missing; NULL means cache_directory(). The path lives in
 * ARENA.
 */
struct error *kernel_image_unpack(const char *vmlinuz, const char *cache_dir, struct arena *arena,
				  const char **ret_vmlinux_path) ERROR_MUST_CHECK;

/* The ELF image of a .ko, .ko.gz, .ko.xz or .ko.zst, on the heap (caller frees). */
struct error *kernel_module_read(const char *path, char **ret, size_t *len) ERROR_MUST_CHECK;

/*
 * Unpack one stream of gzip, xz, zstd or lz4 (legacy) data, told apart by its magic, onto the heap.
 * SIZE_HINT is the unpacked size when it is known, else 0; trailing bytes after the stream are
 * allowed.
 */
struct error *kernel_image_inflate(const unsigned char *data, size_t len, size_t size_hint,
				   char **ret, size_t *ret_len) ERROR_MUST_CHECK;
/* The same of data that may be anybody's: more than MAX bytes are an error, at least 64 kB. */
struct error *kernel_image_inflate_to(const unsigned char *data, size_t len, size_t size_hint,
				      size_t max, char **ret, size_t *ret_len) ERROR_MUST_CHECK;

#endif
