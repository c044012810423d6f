/* links: remote base */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What of the guests can be tested without one: images, kernels, archives, the log. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>
#include <lz4.h>
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "remote/guest_kernel.h"
#include "remote/kernel_log.h"
#include "unpack/kernel_image.h"
#include "unpack/kernel_tree.h"

#define PAYLOAD_AT 0x40 /* bytes after the setup sectors */

struct scene {
	struct arena *arena;
	char *dir;
};

static int setup(void **state)
{
	struct scene *s = calloc(1, sizeof(*s));

	s->arena = arena_create();
	assert_null(dir_create_temp(s->arena, "remote-test", &s->dir));
	*state = s;
	return 0;
}

static int teardown(void **state)
{
	struct scene *s = *state;

	assert_null(dir_remove_all(s->dir));
	arena_destroy(s->arena);
	free(s);
	return 0;
}

static void put(const struct scene *s, const char *name, const void *data, size_t len)
{
	const char *path = path_join(s->arena, s->dir, name);
	char *dir = arena_strndup(s->arena, path, path_base(path) - path);

	assert_null(dir_create_all(dir));
	assert_null(file_write_atomic(path, data, len, 0644));
}

/* Something that starts like an ELF image and has text to look for. */
static size_t fake_elf(char *buf, size_t size)
{
	for (size_t i = 0; i < size; i++)
		buf[i] = "spile"[i % 5] + i / 4096;
	memcpy(buf, "\177ELF\2\1\1", 8);
	memset(buf + 0x20, 0, 0x20);
	return size;
}

/* A bzImage with one setup sector around DATA, as boot.rst draws it. */
static char *bzimage(const struct scene *s, const void *data, size_t len, uint32_t unpacked,
		     size_t *ret_len)
{
	size_t total = 2 * 512 + PAYLOAD_AT + len + 4;
	unsigned char *p = arena_alloc(s->arena, total);
	uint32_t off = PAYLOAD_AT, n = len + 4;

	p[0x1f1] = 1;
	p[0x1fe] = 0x55;
	p[0x1ff] = 0xaa;
	memcpy(p + 0x202, "HdrS", 4);
	p[0x206] = 0x0f;
	p[0x207] = 0x02;
	memcpy(p + 0x248, &off, 4);
	memcpy(p + 0x24c, &n, 4);
	memcpy(p + 2 * 512 + PAYLOAD_AT, data, len);
	memcpy(p + 2 * 512 + PAYLOAD_AT + len, &unpacked, 4);
	*ret_len = total;
	return (char *)p;
}

static void check_unpacks(const struct scene *s, const void *packed, size_t packed_len,
			  const char *elf, size_t elf_len)
{
	const char *out;
	size_t len;
	char *image = bzimage(s, packed, packed_len, elf_len, &len), *got;
	size_t got_len;

	put(s, "vmlinuz", image, len);
	assert_null(kernel_image_unpack(path_join(s->arena, s->dir, "vmlinuz"),
					path_join(s->arena, s->dir, "cache"), s->arena, &out));
	assert_null(file_read(out, &got, &got_len));
	assert_int_equal(got_len, elf_len);
	assert_memory_equal(got, elf, elf_len);
	free(got);
}

static void test_every_packing(void **state)
{
	struct scene *s = *state;
	static char elf[300000], packed[400000];
	size_t n = fake_elf(elf, sizeof(elf)), got;
	z_stream z = { .next_in = (Bytef *)elf,
		       .avail_in = n,
		       .next_out = (Bytef *)packed,
		       .avail_out = sizeof(packed) };
	uint32_t block;

	assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY), Z_OK);
	assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
	check_unpacks(s, packed, z.total_out, elf, n);
	deflateEnd(&z);

	got = 0;
	assert_int_equal(lzma_easy_buffer_encode(1, LZMA_CHECK_CRC32, NULL, (uint8_t *)elf, n,
						 (uint8_t *)packed, &got, sizeof(packed)),
			 LZMA_OK);
	check_unpacks(s, packed, got, elf, n);

	got = ZSTD_compress(packed, sizeof(packed), elf, n, 3);
	assert_false(ZSTD_isError(got));
	check_unpacks(s, packed, got, elf, n);

	memcpy(packed, "\x02\x21\x4c\x18", 4);
	block = LZ4_compress_default(elf, packed + 8, n, sizeof(packed) - 8);
	memcpy(packed + 4, &block, 4);
	check_unpacks(s, packed, block + 8, elf, n);
}

static void refuse(const struct scene *s, const char *name, const char *why)
{
	struct error *err;
	const char *out = "untouched";

	err = kernel_image_unpack(path_join(s->arena, s->dir, name),
				  path_join(s->arena, s->dir, "cache"), s->arena, &out);
	assert_non_null(err);
	assert_non_null(strstr(err->text, why));
	assert_string_equal(out, "untouched");
	error_destroy(err);
}

static void test_damaged_images(void **state)
{
	struct scene *s = *state;
	static char elf[300000], packed[400000];
	size_t n = fake_elf(elf, sizeof(elf)),
	       got = ZSTD_compress(packed, sizeof(packed), elf, n, 3), len;
	char *image = bzimage(s, packed, got, n, &len);

	put(s, "short", image, len - got / 2);
	refuse(s, "short", "is truncated");
	put(s, "text", "hello", 5);
	refuse(s, "text", "is not a kernel image");
	memset(packed + 40, 0xee, got - 40);
	image = bzimage(s, packed, got, n, &len);
	put(s, "damaged", image, len);
	refuse(s, "damaged", "damaged zstd");
	image = bzimage(s, "BZh91AY&SY", 10, n, &len);
	put(s, "bzip2", image, len);
	refuse(s, "bzip2", "bzip2");
	refuse(s, "absent", "No such file");
}

static void test_elf_is_its_own_image(void **state)
{
	struct scene *s = *state;
	static char elf[300000];
	const char *path = path_join(s->arena, s->dir, "vmlinux"), *out;

	put(s, "vmlinux", elf, fake_elf(elf, sizeof(elf)));
	assert_null(
		kernel_image_unpack(path, path_join(s->arena, s->dir, "cache"), s->arena, &out));
	assert_string_equal(out, path);
}

static void test_release_order(void **state)
{
	assert_true(kernel_release_compare("6.1.0-56-amd64", "6.1.0-9-amd64") > 0);
	assert_true(kernel_release_compare("6.12.1", "6.2.9") > 0);
	assert_true(kernel_release_compare("5.10.0-46-amd64", "6.1.0-1-amd64") < 0);
	assert_true(kernel_release_compare("6.1.0", "6.1.0-rt") < 0);
	assert_int_equal(kernel_release_compare("7.2.13+deb14-amd64", "7.2.13+deb14-amd64"), 0);
}

static void find_fails(const struct scene *s, const char *name, const char *why)
{
	struct guest_kernel kernel;
	struct error *err;

	err = guest_kernel_find(name, s->dir, s->arena, &kernel);
	assert_non_null(err);
	assert_non_null(strstr(err->text, why));
	assert_non_null(strstr(err->hint, "linux-image-amd64"));
	error_destroy(err);
}

static void test_find_kernel(void **state)
{
	struct scene *s = *state;
	static char elf[300000];
	struct guest_kernel kernel;

	find_fails(s, "0.0.1-none", "no kernel 0.0.1-none is installed");
	find_fails(s, s->dir, "holds no kernel");
	put(s, "lib/modules/6.1.0-9-x/modules.builtin", "", 0);
	put(s, "lib/modules/6.1.0-10-x/modules.builtin", "", 0);
	find_fails(s, s->dir, "no kernel image");
	put(s, "boot/vmlinuz-6.1.0-10-x", elf, fake_elf(elf, sizeof(elf)));
	assert_null(guest_kernel_find(s->dir, s->dir, s->arena, &kernel));
	assert_string_equal(kernel.release, "6.1.0-10-x");
	assert_false(kernel.installed);
	assert_string_equal(kernel.image, kernel.vmlinuz);
}

/* Names in the order of a cpio archive, each followed by a space. */
static const char *cpio_names(const struct scene *s, const struct strbuf *cpio)
{
	const char *names = "", *p = cpio->s, *end = cpio->s + cpio->len;

	while (p + 110 <= end && memcmp(p, "070701", 6) == 0) {
		size_t data = strtoul(arena_strndup(s->arena, p + 54, 8), NULL, 16);
		size_t name = strtoul(arena_strndup(s->arena, p + 94, 8), NULL, 16);

		names = arena_printf(s->arena, "%s%s ", names, p + 110);
		p += ((110 + name + 3) & ~(size_t)3) + ((data + 3) & ~(size_t)3);
	}
	assert_ptr_equal(p, end);
	return names;
}

static void test_initrd_orders_modules(void **state)
{
	struct scene *s = *state;
	static char elf[4096], packed[8192];
	const char *agent = path_join(s->arena, s->dir, "agent");
	struct guest_kernel kernel = { .release = "r",
				       .modules = path_join(s->arena, s->dir, "m") };
	struct strbuf out;
	struct error *err;
	size_t n = 0;

	put(s, "agent", "AGENT", 5);
	strbuf_init(&out);
	err = guest_initrd_build(&kernel, agent, &out);
	assert_non_null(err);
	assert_non_null(strstr(err->text, "9p"));
	error_destroy(err);
	strbuf_reset(&out);

	fake_elf(elf, sizeof(elf));
	put(s, "m/kernel/net/9p/9pnet.ko", elf, sizeof(elf));
	memcpy(elf + 1000, "\0depends=9pnet\0", 15);
	put(s, "m/kernel/net/9p/9pnet_virtio.ko", elf, sizeof(elf));
	memcpy(elf + 1000, "\0depends=9pnet,odd-one\0", 23);
	assert_int_equal(lzma_easy_buffer_encode(1, LZMA_CHECK_CRC32, NULL, (uint8_t *)elf,
						 sizeof(elf), (uint8_t *)packed, &n,
						 sizeof(packed)),
			 LZMA_OK);
	put(s, "m/kernel/fs/9p/9p.ko.xz", packed, n);
	memcpy(elf + 1000, "\0depends=\0xxxxxxxxxxxx", 23);
	put(s, "m/kernel/elsewhere/odd-one.ko", elf, sizeof(elf));
	assert_null(guest_initrd_build(&kernel, agent, &out));
	assert_string_equal(cpio_names(s, &out),
			    "dev proc sys mod dev/console init mod/00-9pnet.ko "
			    "mod/01-9pnet_virtio.ko mod/02-odd_one.ko mod/03-9p.ko TRAILER!!! ");
	strbuf_deinit(&out);
}

static void test_log_failures(void **state)
{
	static const char *const bad[] = {
		"[ 1.0] Kernel panic - not syncing: Fatal exception",
		"[ 1.0] BUG: kernel NULL pointer dereference, address: 0000000000000008",
		"[ 1.0] Oops: 0002 [#1] PREEMPT SMP NOPTI",
		"[ 1.0] WARNING: CPU: 0 PID: 89 at /tmp/w.c:4 xi+0x10/0x1000 [w]",
		"[ 1.0] WARNING: possible circular locking dependency detected",
		"[ 1.0] watchdog: BUG: soft lockup - CPU#0 stuck for 22s!",
		"[ 1.0] INFO: task stap:1 blocked for more than 120 seconds.",
		"[ 1.0] rcu: INFO: rcu_preempt self-detected stall on CPU",
		"[ 1.0] general protection fault, probably for non-canonical address",
		"[ 1.0] kmemleak: 3 new suspected memory leaks",
	};
	static const char *const fine[] = {
		"[ 1.0] traps: a.out[99] general protection fault ip:0 sp:0 error:0",
		"[ 1.0] w: loading out-of-tree module taints kernel.",
		"[ 1.0] kmemleak: Kernel memory leak detector initialized",
		"[ 1.0] rcu: Hierarchical RCU implementation.",
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_true(kernel_log_line_fails(bad[i]));
	for (size_t i = 0; i < sizeof(fine) / sizeof(fine[0]); i++)
		assert_false(kernel_log_line_fails(fine[i]));
}

static void test_log_keeps_its_end(void **state)
{
	struct kernel_log *log = malloc(sizeof(*log));
	char line[64];

	kernel_log_init(log);
	for (int i = 0; i < 20000; i++) {
		snprintf(line, sizeof(line), "[%d] nothing happened\r\n", i);
		kernel_log_add(log, line, strlen(line));
	}
	assert_string_equal(log->failure, "");
	kernel_log_add(log, "[x] WARNI", 9);
	assert_string_equal(log->failure, "");
	kernel_log_add(log, "NG: CPU: 0\r\nafter\r\n", 19);
	assert_string_equal(log->failure, "[x] WARNING: CPU: 0");
	assert_string_equal(kernel_log_report(log, 1), "[x] WARNING: CPU: 0\r\nafter\r\n");
	assert_string_equal(kernel_log_tail(log, 1), "after\r\n");
	assert_non_null(strstr(kernel_log_tail(log, 3), "[19999] nothing"));
	assert_null(strstr(kernel_log_tail(log, 3), "[19998] nothing"));
	free(log);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_every_packing, setup, teardown),
		cmocka_unit_test_setup_teardown(test_damaged_images, setup, teardown),
		cmocka_unit_test_setup_teardown(test_elf_is_its_own_image, setup, teardown),
		cmocka_unit_test(test_release_order),
		cmocka_unit_test_setup_teardown(test_find_kernel, setup, teardown),
		cmocka_unit_test_setup_teardown(test_initrd_orders_modules, setup, teardown),
		cmocka_unit_test(test_log_failures),
		cmocka_unit_test(test_log_keeps_its_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
