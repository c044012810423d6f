/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Kernel images and modules, unpacked. gzip, xz, zstd and lz4 go through their libraries into one
 * growing buffer; formats that kernels may use but are not supported are named in the error. What
 * is unpacked is checked to be ELF, no further.
 */
#include "unpack/kernel_image.h"

#include <dirent.h>
#include <errno.h>
#include <lz4.h>
#include <lzma.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "base/arena.h"
#include "base/cache_dir.h"
#include "base/file.h"
#include "base/intern.h"
#include "base/seal.h"

/*
 * Byte offsets in the x86 boot sector and its setup header, little endian
 * (Documentation/arch/x86/boot.rst, "Details of Header Fields").
 */
enum {
	HDR_SETUP_SECTS = 0x1f1,
	HDR_MAGIC = 0x202,
	HDR_VERSION = 0x206,
	HDR_PAYLOAD_OFFSET = 0x248,
	HDR_PAYLOAD_LENGTH = 0x24c,
	HDR_END = 0x250,
	HDR_FIRST_WITH_PAYLOAD =
		0x208, /* a value of HDR_VERSION, protocol 2.08: PAYLOAD_* are there */
};

/* Unpacked bytes of a whole block: the constant of the legacy framing, not in the data. */
#define LZ4_LEGACY_BLOCK (8u << 20)
/* A vmlinux is 30 to 100 MB; this only stops a damaged size from taking the machine's memory. */
#define UNPACKED_MAX ((size_t)1 << 30)

/* Unpacked bytes on the heap, growing to MAX. */
struct sink {
	char *s;
	size_t len, cap, max;
};

/* Room for more bytes behind len. What is there stays on failure, and is the caller's to free. */
static struct error *sink_reserve(struct sink *out, size_t more)
{
	size_t cap = out->cap;
	char *s;

	if (out->len + more <= cap)
		return NULL;
	if (out->len + more > out->max)
		return error_create("unpacks to more than %zu MB", out->max >> 20);
	while (cap < out->len + more)
		cap = cap ? cap * 2 : 1 << 20;
	if (cap > out->max)
		cap = out->max;
	s = realloc(out->s, cap);
	if (!s)
		return &error_no_memory;
	out->s = s;
	out->cap = cap;
	return NULL;
}

/*
 * inflate_*: unpack LEN bytes at DATA, the format's magic included, behind what OUT has. What
 * follows the packed data is
 * ignored: images pad it, or append its size. On failure OUT holds what was unpacked so far, which
 * the caller frees; errors are without the name of the file.
 */
static struct error *inflate_gzip(const unsigned char *data, size_t len, struct sink *out)
{
	z_stream z = { .next_in = (Bytef *)data, .avail_in = len };
	struct error *err = NULL;
	int rc = inflateInit2(&z, 16 + MAX_WBITS);

	if (rc != Z_OK)
		return &error_no_memory;
	while (!err && rc == Z_OK) {
		err = sink_reserve(out, 1 << 16);
		if (err)
			break;
		z.next_out = (Bytef *)out->s + out->len;
		z.avail_out = out->cap - out->len;
		rc = inflate(&z, Z_NO_FLUSH);
		out->len = out->cap - z.avail_out;
	}
	if (!err && rc != Z_STREAM_END)
		err = error_create("damaged gzip data");
	inflateEnd(&z);
	return err;
}

static struct error *inflate_xz(const unsigned char *data, size_t len, struct sink *out)
{
	lzma_stream z = LZMA_STREAM_INIT;
	struct error *err = NULL;
	lzma_ret rc = lzma_stream_decoder(&z, UINT64_MAX, 0);

	if (rc != LZMA_OK)
		return &error_no_memory;
	z.next_in = data;
	z.avail_in = len;
	while (!err && rc == LZMA_OK) {
		err = sink_reserve(out, 1 << 16);
		if (err)
			break;
		z.next_out = (uint8_t *)out->s + out->len;
		z.avail_out = out->cap - out->len;
		rc = lzma_code(&z, LZMA_RUN);
		out->len = out->cap - z.avail_out;
	}
	if (!err && rc != LZMA_STREAM_END)
		err = error_create("damaged xz data");
	lzma_end(&z);
	return err;
}

static struct error *inflate_zstd(const unsigned char *data, size_t len, struct sink *out)
{
	ZSTD_inBuffer in = { data, len, 0 };
	ZSTD_DStream *z = ZSTD_createDStream();
	struct error *err = NULL;
	size_t rc = 1;

	if (!z)
		return &error_no_memory;
	/* The kernel is packed with long windows. */
	ZSTD_DCtx_setParameter(z, ZSTD_d_windowLogMax, 31);
	while (rc) {
		ZSTD_outBuffer o;
		size_t had = out->len, used = in.pos;

		err = sink_reserve(out, 1 << 16);
		if (err)
			break;
		o = (ZSTD_outBuffer){ out->s, out->cap, out->len };
		rc = ZSTD_decompressStream(z, &o, &in);
		out->len = o.pos;
		if (ZSTD_isError(rc) || (rc && out->len == had && in.pos == used)) {
			err = error_create("damaged zstd data");
			break;
		}
	}
	ZSTD_freeDStream(z);
	return err;
}

/*
 * The kernel's lz4 is the legacy framing (lz4's doc/lz4_Frame_format.md): a magic, then blocks of
 * (packed length, bytes), each 8 MB unpacked but the last.
 */
static struct error *inflate_lz4(const unsigned char *data, size_t len, struct sink *out)
{
	size_t pos = 4;

	while (len - pos >= 4) {
		struct error *err;
		uint32_t n;
		int got;

		memcpy(&n, data + pos, 4);
		pos += 4;
		/* What follows the last block is the unpacked size, which is no block. */
		if (n == 0 || n > len - pos || n > LZ4_COMPRESSBOUND(LZ4_LEGACY_BLOCK))
			break;
		err = sink_reserve(out, LZ4_LEGACY_BLOCK);
		if (err)
			return err;
		got = LZ4_decompress_safe((const char *)data + pos, out->s + out->len, n,
					  LZ4_LEGACY_BLOCK);
		if (got < 0)
			return error_create("damaged lz4 data");
		out->len += got;
		pos += n;
		if ((unsigned int)got < LZ4_LEGACY_BLOCK)
			break;
	}
	return out->len ? NULL : error_create("damaged lz4 data");
}

/* By magic. Rows without a function are recognised for the message only. */
static const struct format {
	const char *name;
	unsigned char magic[6];
	size_t magic_len;
	struct error *(*inflate)(const unsigned char *data, size_t len, struct sink *out);
} formats[] = {
	{ "gzip", { 0x1f, 0x8b }, 2, inflate_gzip },
	{ "xz", { 0xfd, '7', 'z', 'X', 'Z', 0 }, 6, inflate_xz },
	{ "zstd", { 0x28, 0xb5, 0x2f, 0xfd }, 4, inflate_zstd },
	{ "lz4", { 0x02, 0x21, 0x4c, 0x18 }, 4, inflate_lz4 },
	{ "bzip2", { 'B', 'Z', 'h' }, 3, NULL },
	{ "lzma", { 0x5d, 0, 0 }, 3, NULL },
	{ "lzo", { 0x89, 'L', 'Z', 'O' }, 4, NULL },
};

struct error *kernel_image_inflate_to(const unsigned char *data, size_t len, size_t size_hint,
				      size_t max, char **ret, size_t *ret_len)
{
	struct sink out = { .max = max < UNPACKED_MAX ? max : UNPACKED_MAX };
	struct error *err;

	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		const struct format *f = &formats[i];

		if (len < f->magic_len || memcmp(data, f->magic, f->magic_len) != 0)
			continue;
		if (!f->inflate)
			return error_create(
				"is packed with %s; gzip, xz, zstd and lz4 are understood",
				f->name);
		err = sink_reserve(&out, size_hint && size_hint <= out.max / 2
						 ? size_hint + (1 << 16)
						 : 1 << 16);
		if (!err)
			err = f->inflate(data, len, &out);
		if (err) {
			free(out.s);
			return err;
		}
		*ret = out.s;
		*ret_len = out.len;
		return NULL;
	}
	return error_create("is packed in no format known here (gzip, xz, zstd, lz4)");
}

struct error *kernel_image_inflate(const unsigned char *data, size_t len, size_t size_hint,
				   char **ret, size_t *ret_len)
{
	return kernel_image_inflate_to(data, len, size_hint, UNPACKED_MAX, ret, ret_len);
}

/*
 * Long enough for a 64-bit ELF header, and begins like one; the rest is for who reads it to check.
 */
static bool is_elf(const void *data, size_t len)
{
	return len > 64 && memcmp(data, "\177ELF", 4) == 0;
}

/* Four bytes at P, which need not be aligned. */
static uint32_t get_le32(const unsigned char *p)
{
	return p[0] | p[1] << 8 | p[2] << 16 | (uint32_t)p[3] << 24;
}

/*
 * Every offset and size of the boot header is checked against the file before use. Errors are
 * without the path: the caller adds it.
 */
static struct error *unpack_bzimage(const struct file_map *map, char **ret, size_t *ret_len)
{
	const unsigned char *p = map->data;
	size_t start, n, setup;
	struct error *err;

	if (map->len < HDR_END || memcmp(p + HDR_MAGIC, "HdrS", 4) != 0 || p[0x1fe] != 0x55)
		return error_create("is not a kernel image (neither bzImage nor ELF)");
	if ((p[HDR_VERSION] | p[HDR_VERSION + 1] << 8) < HDR_FIRST_WITH_PAYLOAD)
		return error_create("has a boot header older than 2.08, without a payload");
	setup = p[HDR_SETUP_SECTS] ? p[HDR_SETUP_SECTS] : 4; /* 0 stands for 4, says boot.rst */
	start = (setup + 1) * 512 + get_le32(p + HDR_PAYLOAD_OFFSET);
	n = get_le32(p + HDR_PAYLOAD_LENGTH);
	if (n < 8 || start > map->len || n > map->len - start)
		return error_create("is truncated: its kernel ends at byte %zu of %zu", start + n,
				    map->len);
	/* the kernel's build appends the unpacked size; only a hint for the first allocation */
	err = kernel_image_inflate(p + start, n, get_le32(p + start + n - 4), ret, ret_len);
	if (err)
		return err;
	if (!is_elf(*ret, *ret_len)) {
		free(*ret);
		return error_create("holds something that is no ELF kernel");
	}
	return NULL;
}

/* Earlier unpackings of the same image path share PREFIX and are of no further use. */
static void remove_stale(struct arena *arena, const char *dir, const char *prefix, const char *keep)
{
	DIR *d = opendir(dir);
	struct dirent *de;

	if (!d)
		return;
	while ((de = readdir(d)) != NULL) {
		const char *stale = path_join(arena, dir, de->d_name);

		if (strncmp(de->d_name, prefix, strlen(prefix)) != 0 ||
		    strcmp(de->d_name, keep) == 0 || strchr(de->d_name + strlen(prefix), '.'))
			continue;
		unlink(stale);
		unlink(arena_printf(arena, "%s.seal", stale));
	}
	closedir(d);
}

/*
 * Unpacks the file VMLINUZ to PATH in DIR, both made as needed, with its seal: written whole or not
 * at all. *is_plain: VMLINUZ is an ELF file already; then nothing is written at PATH.
 */
static struct error *unpack_into(const char *vmlinuz, const char *dir, const char *path,
				 bool *is_plain)
{
	struct file_map map;
	struct error *err;
	size_t len = 0;
	char *elf;

	err = file_map_open(vmlinuz, &map);
	if (err)
		return err;
	*is_plain = is_elf(map.data, map.len);
	if (*is_plain) {
		file_map_close(&map);
		return NULL;
	}
	err = unpack_bzimage(&map, &elf, &len);
	file_map_close(&map);
	if (err)
		return error_context(err, "%s", vmlinuz);
	err = dir_create_all(dir);
	if (!err)
		err = seal_write_data(path, elf, len);
	free(elf);
	return err;
}

struct error *kernel_image_unpack(const char *vmlinuz, const char *cache_dir, struct arena *arena,
				  const char **ret_vmlinux_path)
{
	const char *dir = cache_dir ? cache_dir : cache_directory(arena);
	const char *prefix, *name, *path;
	struct error *err;
	struct stat st;
	char real[4096];
	bool is_plain;
	uint64_t key[4];

	if (!realpath(vmlinuz, real) || stat(real, &st) < 0)
		return error_create_errno(errno, "%s", vmlinuz);
	/* an image that was replaced or rewritten in place is another one */
	key[0] = st.st_ino;
	key[1] = st.st_size;
	key[2] = st.st_mtim.tv_sec;
	key[3] = st.st_mtim.tv_nsec;
	prefix = arena_printf(arena, "vmlinux-%08x-", hash_bytes(real, strlen(real)));
	name = arena_printf(arena, "%s%016llx", prefix,
			    (unsigned long long)hash_bytes64(key, sizeof(key), 0));
	path = path_join(arena, dir, name);
	if (!seal_holds(path)) {
		err = unpack_into(vmlinuz, dir, path, &is_plain);
		if (err)
			return err;
		if (is_plain)
			path = arena_strdup(arena, vmlinuz);
		else
			remove_stale(arena, dir, prefix, name);
	}
	*ret_vmlinux_path = path;
	return NULL;
}

struct error *kernel_module_read(const char *path, char **ret, size_t *len)
{
	struct file_map map;
	struct error *err;

	err = file_map_open(path, &map);
	if (err)
		return err;
	if (is_elf(map.data, map.len)) {
		*ret = malloc(map.len);
		*len = map.len;
		if (*ret)
			memcpy(*ret, map.data, map.len);
		else
			err = &error_no_memory;
	} else {
		err = kernel_image_inflate(map.data, map.len, 0, ret, len);
		if (!err && !is_elf(*ret, *len)) {
			free(*ret);
			err = error_create("is no ELF module");
		}
		if (err)
			err = error_context(err, "%s", path);
	}
	file_map_close(&map);
	return err;
}
