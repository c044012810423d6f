/* links: reader base */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The reader without a kernel: made-up rings and tables, merging, decoding, damage, output and reports. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/command_words.h"
#include "reader/command.h"
#include "reader/render.h"
#include "reader/report.h"
#include "reader/ring.h"

#define PAGE 4096
#define RING_LEN 8192
#define CPUS 3

static _Alignas(16) unsigned char memory[CPUS][PAGE + RING_LEN];
static struct ring rings[CPUS];

static void reset_rings(stp_u64 start)
{
	int i;

	memset(memory, 0, sizeof(memory));
	for (i = 0; i < CPUS; i++) {
		struct stp_relay_ctl *ctl = (void *)memory[i];

		ctl->ring_len = RING_LEN;
		ctl->cpu = i;
		ctl->head = start;
		ctl->tail = start;
		assert_null(ring_init(&rings[i], ctl, PAGE + RING_LEN, PAGE));
	}
}

/* As the kernel writes it; false when it does not fit. */
static bool put(int cpu, unsigned kind, unsigned id, stp_u64 ts, const void *payload, size_t n)
{
	struct stp_relay_ctl *ctl = (void *)memory[cpu];
	stp_u64 at = ctl->head & (RING_LEN - 1);
	struct stp_rec rec = {
		.size = (sizeof(rec) + n + 7) & ~7ul, .kind = kind, .id = id, .ts = ts
	};
	stp_u64 room = RING_LEN - at, need = rec.size > room ? rec.size + room : rec.size;

	if (ctl->head + need - ctl->tail > RING_LEN) {
		ctl->lost_records++;
		return false;
	}
	if (rec.size > room) {
		struct stp_rec pad = { .size = room, .kind = STP_REC_PAD };

		memcpy(memory[cpu] + PAGE + at, &pad, 8);
		ctl->head += room;
		at = 0;
	}
	memcpy(memory[cpu] + PAGE + at, &rec, sizeof(rec));
	memcpy(memory[cpu] + PAGE + at + sizeof(rec), payload, n);
	ctl->head += rec.size;
	return true;
}

static void put_text(int cpu, unsigned kind, stp_u64 ts, const char *text)
{
	unsigned char payload[1024];
	stp_u32 len = strlen(text);

	memcpy(payload, &len, 4);
	memcpy(payload + 4, text, len);
	assert_true(put(cpu, kind, 0, ts, payload, len + 4));
}

/* ---- a session's tables, output and messages ---- */
static struct fixture {
	struct tables tables;
	struct output out;
	struct messages messages;
	struct perf_maps perf_maps;
	struct render render;
	int out_fd, err_fd;
	char text[65536];
	char shell[64];
} f;

static const char *const formats[] = { "%s %d\n", "literal\n" };

static char *make_blob(size_t *len)
{
	char *blob = calloc(1, 4096);
	struct stp_script_info *info = (void *)blob;
	struct stp_hist_shape shape = { STP_HIST_LINEAR, 4, 0, 10, 10, 50, 2 };
	struct stp_probe_info probe = { 0 };
	stp_u32 *offsets, end = 1024, i;

	*info = (struct stp_script_info){ .magic = STP_WIRE_MAGIC,
					  .version = STP_WIRE_VERSION,
					  .n_cpus = CPUS,
					  .n_formats = 2,
					  .formats_off = 256,
					  .n_hists = 1,
					  .hists_off = 512,
					  .n_probes = 1,
					  .probes_off = 768,
					  .ring_len = RING_LEN,
					  .n_locks = 2,
					  .locks_off = 900,
					  .n_points = 2,
					  .points_off = 920 };
	memcpy(blob + 512, &shape, sizeof(shape));
	offsets = (void *)(blob + 256);
	for (i = 0; i < 2; i++) {
		offsets[i] = end;
		strcpy(blob + end, formats[i]);
		end += strlen(formats[i]) + 1;
	}
	probe.pp = probe.pn = end;
	end += sprintf(blob + end, "timer.s(1)") + 1;
	probe.location = end;
	end += sprintf(blob + end, "<input>:1:7") + 1;
	probe.from = end;
	end += sprintf(blob + end, "timer.s(1) <- often") + 1;
	probe.n_points = 2;
	offsets = (void *)(blob + 920);
	for (i = 0; i < 2; i++) {
		offsets[i] = end;
		end += sprintf(blob + end, "point%u", i) + 1;
	}
	offsets = (void *)(blob + 900);
	for (i = 0; i < 2; i++) {
		offsets[i] = end;
		end += sprintf(blob + end, "global%u", i) + 1;
	}
	memcpy(blob + 768, &probe, sizeof(probe));
	info->size = end;
	*len = end;
	return blob;
}

static void run_shell(void *cookie, const char *command, size_t len)
{
	snprintf(f.shell, sizeof(f.shell), "%.*s", (int)len, command);
}

static int setup(void **state)
{
	size_t len;
	char *blob = make_blob(&len);

	memset(&f, 0, sizeof(f));
	assert_null(tables_init(&f.tables, blob, len));
	f.out_fd = memfd_create("out", 0);
	f.err_fd = memfd_create("err", 0);
	assert_null(output_init(&f.out, &(struct output_options){ 0 }, f.out_fd));
	messages_init(&f.messages, f.err_fd);
	f.render = (struct render){ &f.tables, &f.out, &f.messages, run_shell,
				    NULL,      0,      NULL,        &f.perf_maps };
	reset_rings(0);
	return 0;
}

static int teardown(void **state)
{
	perf_maps_deinit(&f.perf_maps);
	output_deinit(&f.out);
	tables_deinit(&f.tables);
	close(f.out_fd);
	close(f.err_fd);
	return 0;
}

static const char *written(int fd)
{
	ssize_t n = pread(fd, f.text, sizeof(f.text) - 1, 0);

	f.text[n > 0 ? n : 0] = '\0';
	return f.text;
}

static struct merge_result drain(stp_u64 limit)
{
	struct merge_result res = merge_drain(rings, CPUS, limit, render_record, &f.render);

	output_flush(&f.out);
	return res;
}

static void test_merge_orders_by_time(void **state)
{
	struct merge_result res;

	put_text(0, STP_REC_TEXT, 10, "a1 ");
	put_text(0, STP_REC_TEXT, 10, "a2 ");
	put_text(0, STP_REC_TEXT, 40, "d ");
	put_text(2, STP_REC_TEXT, 10, "b ");
	put_text(1, STP_REC_TEXT, 30, "c ");
	put_text(1, STP_REC_TEXT, 90, "z ");
	res = drain(50);
	assert_string_equal(written(f.out_fd), "a1 a2 b c d ");
	assert_true(res.held);
	assert_int_equal(res.oldest_ts, 90);
	assert_int_equal(res.damaged_cpu, -1);
	put_text(0, STP_REC_TEXT, 60, "e ");
	res = drain(~0ull);
	assert_string_equal(written(f.out_fd), "a1 a2 b c d e z ");
	assert_false(res.held);
	assert_int_equal(rings[1].ctl->tail, rings[1].ctl->head);
}

static void test_open_hit_is_waited_for(void **state)
{
	struct merge_result res;

	put_text(1, STP_REC_TEXT, 10, "a1 ");
	rings[1].ctl->open_since = 10;
	put_text(2, STP_REC_TEXT, 10, "b ");
	put_text(0, STP_REC_TEXT, 5, "before ");
	put_text(0, STP_REC_TEXT, 20, "c ");
	res = drain(50);
	assert_string_equal(written(f.out_fd), "before a1 ");
	assert_true(res.held);
	put_text(1, STP_REC_TEXT, 10, "a2 ");
	rings[1].ctl->open_since = 0;
	res = drain(50);
	assert_string_equal(written(f.out_fd), "before a1 a2 b c ");
	assert_false(res.held);
}

static void test_open_hit_is_not_waited_for_long(void **state)
{
	put_text(1, STP_REC_TEXT, 10, "a1 ");
	rings[1].ctl->open_since = 10;
	put_text(0, STP_REC_TEXT, 20, "b ");
	drain(10 + MERGE_OPEN_NS);
	assert_string_equal(written(f.out_fd), "a1 ");
	drain(11 + MERGE_OPEN_NS);
	assert_string_equal(written(f.out_fd), "a1 b ");
}

static void test_open_hit_gives_way_to_full_rings(void **state)
{
	char text[600];
	int i;

	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	put_text(1, STP_REC_TEXT, 10, "a1 ");
	rings[1].ctl->open_since = 10;
	for (i = 0; i < 10; i++)
		put_text(0, STP_REC_TEXT, 20, text);
	drain(50);
	assert_int_equal(rings[0].ctl->tail, rings[0].ctl->head);
}

static void test_wrap_around_the_end(void **state)
{
	char text[32], expected[16384] = "";
	int i;

	reset_rings((1ull << 40) + RING_LEN - 8);
	for (i = 0; i < 500; i++) {
		snprintf(text, sizeof(text), "%0*d\n", 1 + i % 17, i);
		strcat(expected, text);
		put_text(0, STP_REC_TEXT, i, text);
		if (i % 50 == 0)
			drain(~0ull);
	}
	drain(~0ull);
	assert_string_equal(written(f.out_fd), expected);
	assert_int_equal(rings[0].ctl->lost_records, 0);
}

static void test_formats_and_histograms(void **state)
{
	unsigned char payload[32] = { 0 };
	stp_u64 hist[5] = { 2, 0, 2, 0, 0 };
	stp_u32 len = 5;
	stp_long value = -7;

	memcpy(payload, &len, 4);
	memcpy(payload + 4, "hello", 5);
	memcpy(payload + 16, &value, 8);
	put(0, STP_REC_FORMAT, 0, 1, payload, 24);
	put(0, STP_REC_FORMAT, 1, 2, "", 0);
	put(0, STP_REC_HIST, 0, 3, hist, sizeof(hist));
	drain(~0ull);
	assert_string_equal(written(f.out_fd),
			    "hello -7\n"
			    "literal\n"
			    "value |-------------------------------------------------- count\n"
			    "    0 |@@                                                 2\n"
			    "   10 |                                                   0\n"
			    "\n");
	assert_int_equal(f.render.n_damaged, 0);
}

static void test_messages(void **state)
{
	put_text(0, STP_REC_TEXT, 1, "before ");
	put_text(0, STP_REC_WARNING, 2, "odd");
	put_text(0, STP_REC_WARNING, 3, "odd");
	put_text(0, STP_REC_WARNING, 3, "other");
	drain(~0ull);
	assert_string_equal(written(f.err_fd), "WARNING: odd\nWARNING: other\n");
	assert_false(f.messages.failed);
	put_text(0, STP_REC_ERROR, 4, "division by 0 near operator '/' at <input>:1:2");
	put_text(0, STP_REC_SYSTEM, 5, "echo hi");
	f.messages.no_warnings = true;
	put_text(0, STP_REC_WARNING, 6, "third");
	drain(~0ull);
	assert_string_equal(written(f.err_fd),
			    "WARNING: odd\nWARNING: other\n"
			    "ERROR: division by 0 near operator '/' at <input>:1:2\n");
	assert_true(f.messages.failed);
	assert_string_equal(f.shell, "echo hi");
}

/* ---- names of JIT code ---- */
static struct stp_rec_jit of_process(pid_t pid)
{
	struct stp_rec_jit rec = { .pid = pid, .own_pid = pid, .uid = geteuid() };
	char path[64], text[1024];
	unsigned long long ticks = 0;
	FILE *file;
	char *at;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	file = fopen(path, "re");
	assert_non_null(file);
	text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
	fclose(file);
	at = strrchr(text, ')') + 2;
	for (int i = 3; i < 22; i++)
		at = strchr(at, ' ') + 1;
	ticks = strtoull(at, NULL, 10);
	rec.started = ticks * (1000000000ull / sysconf(_SC_CLK_TCK)) + 5000;
	return rec;
}

static const char *map_path(pid_t pid)
{
	static char path[64];

	snprintf(path, sizeof(path), "/tmp/perf-%d.map", (int)pid);
	return path;
}

static void write_map(pid_t pid, const char *how, const char *text)
{
	FILE *file = fopen(map_path(pid), how);

	assert_non_null(file);
	assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
	assert_int_equal(fclose(file), 0);
}

static stp_u64 later; /* ns; 0: it is now */

/* A time to come, for what depends on the time between: the test may be slow. */
static stp_u64 soon(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (now.tv_sec + 3600) * 1000000000ull;
}

/* What is written for an address that is seen now, or later. */
static const char *jit_symbol(struct stp_rec_jit rec, stp_u64 addr, bool brief)
{
	struct timespec now;

	assert_int_equal(ftruncate(f.out_fd, 0), 0);
	lseek(f.out_fd, 0, SEEK_SET);
	clock_gettime(CLOCK_MONOTONIC, &now);
	rec.addr = addr;
	rec.brief = brief;
	put(0, STP_REC_JIT, 0, later ? later : now.tv_sec * 1000000000ull + now.tv_nsec, &rec,
	    sizeof(rec));
	drain(~0ull);
	assert_int_equal(f.render.n_damaged, 0);
	return strtok(strdup(written(f.out_fd)), "[");
}

static void assert_symbol(struct stp_rec_jit rec, stp_u64 addr, const char *expected)
{
	char *symbol = (char *)jit_symbol(rec, addr, false);

	assert_string_equal(symbol, expected);
	free(symbol);
}

static void test_jit_names(void **state)
{
	struct stp_rec_jit me = of_process(getpid());
	char expected[128], *symbol;

	unlink(map_path(getpid()));
	assert_symbol(me, 0x1000, "0x1000");
	write_map(getpid(), "we",
		  "2000 100 second\n0x1000 80 f\x1birst of all\nno line\n3000 10 cut");
	assert_symbol(me, 0x1010, "f?irst of all+0x10/0x80 ");
	assert_symbol(me, 0x1080, "0x1080");
	assert_symbol(me, 0x20ff, "second+0xff/0x100 ");
	assert_symbol(me, 0x3000, "0x3000");
	me.back = 1; /* a return address behind the last instruction */
	assert_symbol(me, 0x1080, "f?irst of all+0x80/0x80 ");
	me.back = 0;
	symbol = (char *)jit_symbol(me, 0x2001, true);
	assert_string_equal(symbol, "second+0x1 ");
	free(symbol);
	snprintf(expected, sizeof(expected), "second+0x1 [%s]", map_path(getpid()));
	assert_string_equal(written(f.out_fd), expected);
	/* read on; the later line counts, whichever begins first */
	write_map(getpid(), "ae", " short\n1ff0 20 later\n");
	assert_symbol(me, 0x3000, "cut short+0x0/0x10 ");
	assert_symbol(me, 0x2004, "later+0x14/0x20 ");
	assert_symbol(me, 0x2010, "second+0x10/0x100 ");
	/* written anew, in place and in its place */
	write_map(getpid(), "we",
		  "5000 10 fresh\n2000 100 second\n1ff0 20 later, and longer than before\n");
	assert_symbol(me, 0x5000, "fresh+0x0/0x10 ");
	assert_symbol(me, 0x3000, "0x3000");
	unlink(map_path(getpid()));
	write_map(getpid(), "we", "5000 10 another\n");
	assert_symbol(me, 0x5000, "another+0x0/0x10 ");
	unlink(map_path(getpid()));
	assert_string_equal(written(f.err_fd), "");
}

static void test_jit_names_bounded(void **state)
{
	struct stp_rec_jit me = of_process(getpid());
	char text[3 * PERF_MAP_LINE_MAX], expected[160];
	int n;

	unlink(map_path(getpid()));
	n = snprintf(text, sizeof(text), "1000 10 ");
	memset(text + n, '1', sizeof(text) - n - 1);
	text[sizeof(text) - 1] = '\0';
	for (int i = 0; i < 20; i++)
		write_map(getpid(), i ? "ae" : "we", text);
	write_map(getpid(), "ae", " 1 one\n2000 10 two\n");
	assert_symbol(me, 0x2000, "two+0x0/0x10 ");
	assert_symbol(me, 0x1000, "0x1000");
	snprintf(
		expected, sizeof(expected),
		"WARNING: %s of process %d has lines of more than 4096 bytes: these names are not known.\n",
		map_path(getpid()), (int)getpid());
	assert_string_equal(written(f.err_fd), expected);
	unlink(map_path(getpid()));
}

static void test_jit_names_of_others(void **state)
{
	struct stp_rec_jit me = of_process(getpid());
	char expected[256];

	unlink(map_path(getpid()));
	write_map(getpid(), "we", "1000 10 one\n");
	if (!geteuid())
		assert_int_equal(chown(map_path(getpid()), 4321, -1), 0);
	me.uid++;
	assert_symbol(me, 0x1000, "0x1000");
	snprintf(
		expected, sizeof(expected),
		"WARNING: %s of process %d is not read: it is user %u's, the process is user %u's.\n",
		map_path(getpid()), (int)getpid(), geteuid() ? geteuid() : 4321, me.uid);
	assert_string_equal(written(f.err_fd), expected);
	unlink(map_path(getpid()));
	/* neither is the file that a link leads to, nor one that an earlier process has left */
	me = of_process(getpid());
	me.started++; /* as if another: each has one warning */
	assert_int_equal(symlink("/etc/passwd", map_path(getpid())), 0);
	assert_symbol(me, 0x1000, "0x1000");
	assert_non_null(strstr(written(f.err_fd), "is not read: it is no regular file.\n"));
	unlink(map_path(getpid()));
	write_map(getpid(), "we", "1000 10 one\n");
	assert_int_equal(utimensat(AT_FDCWD, map_path(getpid()),
				   (struct timespec[]){ { 1000, 0 }, { 1000, 0 } }, 0),
			 0);
	assert_symbol(of_process(getpid()), 0x1000, "0x1000");
	assert_non_null(strstr(written(f.err_fd), "is not read: it is older than the process.\n"));
	unlink(map_path(getpid()));
}

/* Those that are asked for keep their places; who finds none has numbers. */
static void test_jit_names_of_many(void **state)
{
	struct stp_rec_jit me = of_process(getpid()), other = { .own_pid = 1, .started = 1 };
	char expected[128];

	unlink(map_path(getpid()));
	write_map(getpid(), "we", "1000 10 one\n");
	later = soon();
	assert_symbol(me, 0x1000, "one+0x0/0x10 ");
	later += PERF_MAP_IDLE / 2;
	for (other.pid = 1; other.pid < PERF_MAPS_MAX; other.pid++)
		assert_symbol(other, 0x1000, "0x1000");
	assert_string_equal(written(f.err_fd), "");
	assert_symbol(me, 0x1000, "one+0x0/0x10 ");
	other.pid = PERF_MAPS_MAX;
	assert_symbol(other, 0x1000, "0x1000");
	snprintf(
		expected, sizeof(expected),
		"WARNING: More than %u processes have made code at once: names of some are not known.\n",
		PERF_MAPS_MAX);
	assert_string_equal(written(f.err_fd), expected);
	unlink(map_path(getpid()));
	assert_symbol(me, 0x1000,
		      "0x1000"); /* the file is gone, and was not kept for a process that runs */
	later += PERF_MAP_IDLE;
	for (other.pid = PERF_MAPS_MAX; other.pid < 2 * PERF_MAPS_MAX; other.pid++)
		assert_symbol(other, 0x1000, "0x1000");
	assert_string_equal(written(f.err_fd), expected);
	later = 0;
}

/* The map of a process that has long exited: none has so high a number. */
static struct stp_rec_jit of_exited(stp_u32 i)
{
	return (struct stp_rec_jit){
		.pid = (1u << 30) + i, .own_pid = (1u << 30) + i, .started = 1, .uid = geteuid()
	};
}

/* Large maps share the room there is. */
static void test_jit_names_of_large_maps(void **state)
{
	enum { LINE = 4000, LINES = (31 << 20) / LINE, FIT = PERF_MAP_ROOM >> 25 };
	char first[64], expected[256], *line = malloc(LINE + 1);
	pid_t pid = (pid_t)of_exited(0).pid;
	FILE *file;

	strcpy(first, map_path(pid));
	file = fopen(first, "we");
	assert_non_null(file);
	memset(line, 'x', LINE);
	line[LINE] = '\0';
	for (unsigned i = 1; i <= LINES; i++)
		fprintf(file, "%x 10 %s\n", i << 12, i == LINES ? "last" : line);
	assert_int_equal(fclose(file), 0);
	free(line);
	later = soon();
	for (int i = 1; i <= FIT; i++)
		assert_int_equal(link(first, map_path(pid + i)), 0);
	for (int i = 0; i < FIT; i++)
		assert_symbol(of_exited(i), (stp_u64)LINES << 12, "last+0x0/0x10 ");
	assert_string_equal(written(f.err_fd), "");
	assert_symbol(of_exited(FIT), (stp_u64)LINES << 12, "0x1fbe000");
	snprintf(
		expected, sizeof(expected),
		"WARNING: %s of process %d has more names than are kept (%u, and %u MB of all processes): later ones are not known.\n",
		map_path(pid + FIT), (int)pid + FIT, PERF_MAP_SYMBOLS_MAX, PERF_MAP_ROOM >> 20);
	assert_string_equal(written(f.err_fd), expected);
	later += PERF_MAP_IDLE; /* that of another is given up */
	assert_int_equal(rename(first, map_path(pid + FIT + 1)), 0);
	assert_symbol(of_exited(FIT + 1), (stp_u64)LINES << 12, "last+0x0/0x10 ");
	assert_string_equal(written(f.err_fd), expected);
	later = 0;
	for (int i = 1; i <= FIT + 1; i++)
		unlink(map_path(pid + i));
}

/* What is there may notice that it is opened. */
static void test_jit_names_of_no_file(void **state)
{
	int watch = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	char event[sizeof(struct inotify_event) + NAME_MAX + 1];

	unlink(map_path(getpid()));
	assert_int_equal(mkfifo(map_path(getpid()), 0600), 0);
	assert_true(inotify_add_watch(watch, map_path(getpid()), IN_OPEN) > 0);
	assert_symbol(of_process(getpid()), 0x1000, "0x1000");
	assert_int_equal(read(watch, event, sizeof(event)), -1);
	assert_int_equal(errno, EAGAIN);
	close(watch);
	unlink(map_path(getpid()));
	assert_non_null(strstr(written(f.err_fd), "is not read: it is no regular file.\n"));
}

/* C1's have two forms; other text of UTF-8 stays. */
static void test_jit_names_harmless(void **state)
{
	struct stp_rec_jit me = of_process(getpid());

	unlink(map_path(getpid()));
	write_map(getpid(), "we",
		  "1000 10 a\xc2\x9b"
		  "2J\x9b"
		  "3Jb\n2000 10 \xc3\x9c"
		  "ber\xe2\x80\x93\n");
	assert_symbol(me, 0x1000, "a\xc2?2J?3Jb+0x0/0x10 ");
	assert_symbol(me, 0x2000,
		      "\xc3\x9c"
		      "ber\xe2\x80\x93+0x0/0x10 ");
	unlink(map_path(getpid()));
}

static void test_jit_names_of_the_exited(void **state)
{
	struct stp_rec_jit rec;
	int gate[2], status;
	pid_t child;

	assert_int_equal(pipe(gate), 0);
	child = fork();
	if (!child) {
		char c;

		close(gate[1]);
		_exit(read(gate[0], &c, 1) != 0);
	}
	close(gate[0]);
	rec = of_process(child);
	unlink(map_path(child));
	write_map(child, "we", "1000 10 one\n");
	close(gate[1]);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_symbol(rec, 0x1008, "one+0x8/0x10 ");
	unlink(map_path(child)); /* what was read is kept */
	/* one that had another number of its own had another /tmp, perhaps */
	write_map(child + 1, "we", "1000 10 one\n");
	rec.own_pid++;
	rec.started++;
	assert_symbol(rec, 0x1008, "0x1008");
	unlink(map_path(child + 1));
}

static void test_warnings_remembered(void **state)
{
	char text[32];
	int i;

	for (i = 0; i < 3000; i++) {
		snprintf(text, sizeof(text), "w%d", i);
		messages_warning(&f.messages, text, strlen(text));
	}
	assert_int_equal(f.messages.n_seen, MESSAGES_REMEMBERED);
	assert_int_equal(ftruncate(f.err_fd, 0) | lseek(f.err_fd, 0, SEEK_SET), 0);
	lseek(f.err_fd, 0, SEEK_SET);
	messages_warning(&f.messages, "w5", 2);
	assert_string_equal(written(f.err_fd), "");
	messages_warning(&f.messages, "w2999", 5);
	assert_string_equal(written(f.err_fd), "WARNING: w2999\n");
}

static void test_damaged_records(void **state)
{
	stp_u32 len = 0x7fffffff;
	struct stp_rec *rec;

	put(0, STP_REC_TEXT, 0, 1, &len, 4);
	put(0, STP_REC_FORMAT, 77, 1, "", 0);
	put(0, STP_REC_HIST, 0, 1, "", 0);
	put(0, STP_REC_HIST, 9, 1, "", 0);
	put(0, STP_REC_TEXT, 0, 1, "", 0);
	put(0, 99, 0, 1, "", 0);
	put_text(0, STP_REC_TEXT, 1, "fine");
	assert_int_equal(drain(~0ull).damaged_cpu, -1);
	assert_int_equal(f.render.n_damaged, 6);
	assert_string_equal(written(f.out_fd), "fine");

	put_text(1, STP_REC_TEXT, 1, "lost");
	rec = (void *)(memory[1] + PAGE);
	rec->size = 4096;
	assert_int_equal(drain(~0ull).damaged_cpu, 1);
	put_text(1, STP_REC_TEXT, 1, "!");
	rec = (void *)(memory[1] + PAGE + 24);
	rec->size = 12;
	assert_int_equal(drain(~0ull).damaged_cpu, 1);
	rings[1].ctl->head += 10 * RING_LEN;
	assert_int_equal(drain(~0ull).damaged_cpu, 1);
}

static void check_tables(void (*spoil)(struct stp_script_info *info, char *blob), const char *text)
{
	struct tables t;
	size_t len;
	char *blob = make_blob(&len);
	struct error *err;

	spoil((void *)blob, blob);
	err = tables_init(&t, blob, len);
	assert_non_null(err);
	assert_string_equal(err->text, text);
	error_destroy(err);
}

static void spoil_magic(struct stp_script_info *info, char *blob)
{
	info->magic++;
}

static void spoil_version(struct stp_script_info *info, char *blob)
{
	info->version = 99;
}

static void spoil_offset(struct stp_script_info *info, char *blob)
{
	info->formats_off = 1u << 30;
}

static void spoil_count(struct stp_script_info *info, char *blob)
{
	info->n_probes = ~0u;
}

static void spoil_format(struct stp_script_info *info, char *blob)
{
	*(stp_u32 *)(void *)(blob + info->formats_off + 4) = 5000;
}

static void spoil_shape(struct stp_script_info *info, char *blob)
{
	((struct stp_hist_shape *)(void *)(blob + info->hists_off))->step = 0;
}

static void spoil_lock(struct stp_script_info *info, char *blob)
{
	((stp_u32 *)(void *)(blob + info->locks_off))[1] = 5000;
}

static void spoil_from(struct stp_script_info *info, char *blob)
{
	((struct stp_probe_info *)(void *)(blob + info->probes_off))->from = 5000;
}

#define TEXT_OF(macro) TEXT_OF_(macro)
#define TEXT_OF_(text) #text

static void test_damaged_tables(void **state)
{
	check_tables(spoil_magic, "this is no module of ours");
	check_tables(spoil_version, "the module speaks version 99, this reader version " TEXT_OF(
					    STP_WIRE_VERSION));
	check_tables(spoil_offset, "the module's script tables are damaged");
	check_tables(spoil_count, "the module's script tables are damaged");
	check_tables(spoil_format, "format 1 of the module is damaged");
	check_tables(spoil_lock, "lock 1 of the module is damaged");
	check_tables(spoil_from, "probe 0 of the module is damaged");
	check_tables(spoil_shape, "histogram 0 of the module is damaged");
}

static void test_output_failure(void **state)
{
	struct output o;
	int fd = open("/dev/full", O_WRONLY);

	assert_true(fd >= 0);
	assert_null(output_init(&o, &(struct output_options){ 0 }, fd));
	output_write(&o, "text", 4);
	output_flush(&o);
	assert_int_equal(o.errnum, ENOSPC);
	output_write(&o, "more", 4);
	output_flush(&o);
	assert_int_equal(o.errnum, ENOSPC);
	output_deinit(&o);
	close(fd);
}

/* Somebody has made the pipe non-blocking, and its reader is slow. */
static void test_output_non_blocking(void **state)
{
	static char text[300000], got[sizeof(text)];
	struct output o;
	int fds[2], status;
	pid_t pid;

	for (size_t i = 0; i < sizeof(text); i++)
		text[i] = (char)('a' + i % 23);
	assert_int_equal(pipe(fds), 0);
	assert_int_equal(fcntl(fds[1], F_SETFL, O_NONBLOCK), 0);
	pid = fork();
	if (!pid) {
		size_t n = 0;
		ssize_t k;

		close(fds[1]);
		usleep(50000);
		while ((k = read(fds[0], got + n, 1 << 14)) > 0)
			n += (size_t)k;
		_exit(n != sizeof(text) || memcmp(got, text, sizeof(text)));
	}
	close(fds[0]);
	assert_null(output_init(&o, &(struct output_options){ 0 }, fds[1]));
	output_write(&o, text, sizeof(text));
	output_flush(&o);
	assert_int_equal(o.errnum, 0);
	output_deinit(&o);
	close(fds[1]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

static void test_output_file_and_switch(void **state)
{
	char dir[] = "/tmp/reader_test.XXXXXX", path[80], first[64], text[16] = "";
	struct output o;
	struct error *err;
	int fd;

	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/%%Y-out", dir);
	assert_null(output_init(&o, &(struct output_options){ path }, -1));
	assert_null(strchr(o.path, '%'));
	snprintf(first, sizeof(first), "%s", o.path);
	output_write(&o, "one", 3);
	assert_null(output_switch(&o));
	output_write(&o, "two", 3);
	output_flush(&o);
	fd = open(first, O_RDONLY);
	assert_int_equal(read(fd, text, sizeof(text)), 3);
	assert_string_equal(text, "one");
	close(fd);
	unlink(first);
	snprintf(path, sizeof(path), "%s.1", first);
	assert_string_equal(o.path, path);
	fd = open(path, O_RDONLY);
	assert_int_equal(read(fd, text, sizeof(text)), 3);
	assert_string_equal(text, "two");
	close(fd);
	unlink(path);
	output_deinit(&o);
	rmdir(dir);
	err = output_init(&o, &(struct output_options){ "/nonexistent/file" }, -1);
	assert_non_null(err);
	error_destroy(err);
}

static off_t size_of(const char *path, int number)
{
	char name[80];
	struct stat st;

	snprintf(name, sizeof(name), "%s.%d", path, number);
	return stat(name, &st) ? -1 : st.st_size;
}

/* A line of so many blanks. */
static void put_number_line(struct output *o, stp_u64 width)
{
	unsigned char wire[16];

	memcpy(wire, &width, 8);
	memcpy(wire + 8, (stp_u64[]){ 0 }, 8);
	output_format(o, "%*d\n",
		      (struct stp_fmt_args){ .wire = wire, .end = wire + sizeof(wire) });
}

/* Files of at most a size, cut between records, of which the last are kept. */
static void test_output_rotation(void **state)
{
	char dir[] = "/tmp/reader_test.XXXXXX", path[64], record[40];
	struct output_options options = { .path = path, .limit = 100, .keep = 2 };
	struct output o;
	int i;

	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/out", dir);
	memset(record, 'x', sizeof(record));
	assert_null(output_init(&o, &options, -1));
	for (i = 0; i < 5; i++)
		output_write(&o, record, sizeof(record));
	output_flush(&o);
	assert_int_equal(size_of(path, 0), -1); /* 2 records, gone */
	assert_int_equal(size_of(path, 1), 80);
	assert_int_equal(size_of(path, 2), 40);
	/* a formatted record is not cut either, and one that is too large for any file has one */
	put_number_line(&o, 70);
	assert_int_equal(size_of(path, 2), 40);
	put_number_line(&o, 500);
	put_number_line(&o, 10);
	output_flush(&o);
	assert_int_equal(o.errnum, 0);
	assert_int_equal(size_of(path, 3), -1);
	assert_int_equal(size_of(path, 4), 501);
	assert_int_equal(size_of(path, 5), 11);
	assert_null(output_switch(&o));
	assert_int_equal(size_of(path, 4), -1);
	assert_int_equal(size_of(path, 6), 0);
	for (i = 5; i <= 6; i++) {
		char name[80];

		snprintf(name, sizeof(name), "%s.%d", path, i);
		unlink(name);
	}
	output_deinit(&o);
	rmdir(dir);
}

static void test_big_output(void **state)
{
	stp_u64 wide = 60000;
	unsigned char payload[24] = { 0 };
	static char expected[8];
	int i;

	f.tables.formats[0] = "%*d\n";
	memcpy(payload, &wide, 8);
	for (i = 0; i < 40; i++) {
		put(0, STP_REC_FORMAT, 0, i, payload, 16);
		merge_drain(rings, CPUS, ~0ull, render_record, &f.render);
	}
	output_flush(&f.out);
	assert_int_equal(lseek(f.out_fd, 0, SEEK_END), 40 * 60001);
	assert_int_equal(pread(f.out_fd, expected, 3, 39 * 60001 + 59999), 2);
	assert_string_equal(expected, "0\n");
}

static void test_report(void **state)
{
	struct {
		struct stp_ledger_row rows[2];
		stp_u64 missed[2]; /* of each point */
	} ledger = { .rows = { { .probe = 0, .hits = 10, .ran = 10 },
			       { .probe = 7, .hits = 1, .ran = 1 } } };
	struct stp_ledger_row *rows = ledger.rows;
	struct losses losses = { .ring_len = 1 << 20 };

	rows[0].skipped[STP_SKIP_STATE] = rows[0].skipped[STP_SKIP_STOPPED] = 3;
	rows[0].skipped[STP_SKIP_CONDITION] = 3;
	report_losses(&f.messages, &losses);
	report_ledger(&f.messages, &f.tables, rows, 2);
	assert_string_equal(written(f.err_fd), "");
	losses.records = 4;
	/* beyond 32 bits */
	rows[0].hits = 10000000000;
	rows[0].errors = 4294967297;
	rows[0].skipped[STP_SKIP_LOCK] = 5000000000;
	rows[0].missed = 4294967298;
	rows[1].missed = 9; /* of a probe that is not there */
	ledger.missed[1] = 5;
	report_losses(&f.messages, &losses);
	report_ledger(&f.messages, &f.tables, rows, 2);
	assert_string_equal(
		written(f.err_fd),
		"WARNING: There were 4 transport failures. Try stap -s to increase the buffer size from 1.\n"
		"WARNING: Number of errors: 4294967297, skipped probes: 5000000000\n"
		"WARNING: Skipped due to lock timeout of a global: 5000000000 of 9999999994 hits in probe timer.s(1) "
		"(<input>:1:7)\n"
		"WARNING: Missed by the kernel: 4294967298 hits in probe timer.s(1) (<input>:1:7)\n"
		"WARNING: Missed by the kernel: 5 hits in probe point1 (<input>:1:7)\n");
}

/* Thousands of points may miss hits: the ten worst are named, with -v all. */
static void test_missed_points(void **state)
{
	struct {
		struct stp_ledger_row row;
		stp_u64 missed[13];
	} ledger = { .row = { .missed = 50 } };
	struct stp_script_info info = *f.tables.info;
	struct stp_probe_info probe = *f.tables.probes;
	stp_u32 points[13];
	struct tables tables = f.tables;
	const char *lines;
	int i;

	tables.info = &info;
	tables.probes = &probe;
	tables.points = points;
	info.n_points = probe.n_points = 13;
	for (i = 0; i < 13; i++) {
		points[i] = f.tables.points[i & 1];
		ledger.missed[i] = i == 3 ? 0 : 100 - i % 7;
	}
	report_ledger(&f.messages, &tables, &ledger.row, 1);
	assert_string_equal(
		written(f.err_fd),
		"WARNING: Missed by the kernel: 100 hits in probe point0 (<input>:1:7)\n"
		"WARNING: Missed by the kernel: 100 hits in probe point1 (<input>:1:7)\n"
		"WARNING: Missed by the kernel: 99 hits in probe point1 (<input>:1:7)\n"
		"WARNING: Missed by the kernel: 99 hits in probe point0 (<input>:1:7)\n"
		"WARNING: Missed by the kernel: 98 hits in probe point0 (<input>:1:7)\n"
		"WARNING: Missed by the kernel: 98 hits in probe point1 (<input>:1:7)\n"
		"WARNING: Missed by the kernel: 97 hits in probe point0 (<input>:1:7)\n"
		"WARNING: Missed by the kernel: 96 hits in probe point0 (<input>:1:7)\n"
		"WARNING: Missed by the kernel: 96 hits in probe point1 (<input>:1:7)\n"
		"WARNING: Missed by the kernel: 95 hits in probe point1 (<input>:1:7)\n"
		"WARNING: Missed by the kernel: 239 hits at 3 more points (-v names them)\n");
	assert_int_equal(ftruncate(f.err_fd, 0) | lseek(f.err_fd, 0, SEEK_SET), 0);
	f.messages.verbose = true;
	report_ledger(&f.messages, &tables, &ledger.row, 1);
	lines = written(f.err_fd);
	assert_non_null(
		strstr(lines, "Missed by the kernel: 50 hits in probe timer.s(1) (<input>:1:7)\n"));
	assert_null(strstr(lines, "more points"));
}

static void test_timing_report(void **state)
{
	struct stp_ledger_row rows[2] = { { .hits = 13, .ran = 10 }, { .probe = 7, .hits = 1 } };
	struct {
		struct stp_timing t;
		struct stp_lock_row locks[2];
		struct stp_timing_stat points[2];
	} timing = { .t.init = { 1, 9, 9, 9, 0 },
		     .locks = { { 0, 0 }, { 6, 2 } },
		     .points = { { 10, 5, 100, 40, 77 }, { 1, 3, 3, 3, 0 } } };

	rows[0].skipped[STP_SKIP_LOCK] = 2;
	rows[0].skipped[STP_SKIP_REENTRANT] = rows[1].skipped[STP_SKIP_REENTRANT] = 1;
	rows[1].skipped[STP_SKIP_STOPPED] = 34;
	rows[1].skipped[STP_SKIP_CONDITION] = 7;
	report_skips(&f.messages, &f.tables, rows, 2, &timing.t);
	report_timing(&f.out, &f.tables, &timing.t);
	assert_string_equal(written(f.err_fd),
			    "WARNING: Skipped due to global 'global1' lock timeout: 2\n"
			    "WARNING: Skipped due to reentrancy: 2\n"
			    "WARNING: Skipped due to session ended: 34\n"
			    "WARNING: Skipped due to condition: 7\n");
	assert_string_equal(
		written(f.out_fd),
		"----- probe hit report:\n"
		"point0, (<input>:1:7), hits: 10, cycles: 5min/10avg/40max, variance: 77, "
		"from: timer.s(1) <- often, index: 0\n"
		"point1, (<input>:1:7), hits: 1, cycles: 3min/3avg/3max, variance: 0, "
		"from: timer.s(1) <- often, index: 0\n"
		"----- refresh report:\nhits: 0\n"
		"----- module init report:\nhits: 1, cycles: 9min/9avg/9max, variance: 0\n"
		"'global1' lock contention occurred 6 times\n");
}

/* The words of text with a bar behind each, "sh" when it takes a shell. */
static const char *split(const char *text)
{
	static char joined[512];
	wordexp_t words;

	if (!command_words(text, &words))
		return "sh";
	joined[0] = '\0';
	for (size_t i = 0; i < words.we_wordc; i++)
		strcat(strcat(joined, words.we_wordv[i]), "|");
	wordfree(&words);
	return joined;
}

static void test_command_words(void **state)
{
	static const struct {
		const char *text, *words;
	} rows[] = {
		{ "ls -l /tmp", "ls|-l|/tmp|" },
		{ "  ls\t-l ", "ls|-l|" },
		{ "python3 -c 'import os; os.getpid()'", "python3|-c|import os; os.getpid()|" },
		{ "sh -c 'a; b | c'", "sh|-c|a; b | c|" },
		{ "echo \"a  b\" c\\ d 'e\"f' \"\\$x\"", "echo|a  b|c d|e\"f|$x|" },
		{ "printf '%s' a#b \"#\" \\# '#'", "printf|%s|a#b|#|#|#|" },
		{ "dd if=/dev/zero of=/dev/null", "dd|if=/dev/zero|of=/dev/null|" },
		{ "echo $SPILE_WORD \"$SPILE_WORD\" '$SPILE_WORD'", "echo|a|b|a b|$SPILE_WORD|" },
		{ "echo ''", "echo||" },
		{ "", "" },
		{ "ls | wc", "sh" },
		{ "true; false", "sh" },
		{ "sleep 1 &", "sh" },
		{ "echo a > b", "sh" },
		{ "(exit 3)", "sh" },
		{ "{ exit 3", "sh" },
		{ "true\nfalse", "sh" },
		{ "echo $(id)", "sh" },
		{ "echo \"`id`\"", "sh" },
		{ "echo 'open", "sh" },
		{ " A=1 true", "sh" },
		{ "! true", "sh" },
		{ "exec true", "sh" },
		{ "true # not a word", "sh" },
	};

	setenv("SPILE_WORD", "a b", 1);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		assert_string_equal(split(rows[i].text), rows[i].words);
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		CASE(test_merge_orders_by_time),
		CASE(test_open_hit_is_waited_for),
		CASE(test_open_hit_is_not_waited_for_long),
		CASE(test_open_hit_gives_way_to_full_rings),
		CASE(test_wrap_around_the_end),
		CASE(test_formats_and_histograms),
		CASE(test_messages),
		CASE(test_jit_names),
		CASE(test_jit_names_bounded),
		CASE(test_jit_names_of_others),
		CASE(test_jit_names_of_many),
		CASE(test_jit_names_of_large_maps),
		CASE(test_jit_names_of_no_file),
		CASE(test_jit_names_harmless),
		CASE(test_jit_names_of_the_exited),
		CASE(test_warnings_remembered),
		CASE(test_damaged_records),
		CASE(test_damaged_tables),
		CASE(test_output_failure),
		CASE(test_output_non_blocking),
		CASE(test_output_file_and_switch),
		CASE(test_output_rotation),
		CASE(test_big_output),
		CASE(test_report),
		CASE(test_missed_points),
		CASE(test_timing_report),
		CASE(test_command_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
