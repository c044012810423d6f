/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The running kernel's account of itself, read as text from /proc, /sys and tracefs and put into
 * the same index as an image gives (index_builder.h). Files that cannot be read leave their part of
 * the answer empty; only /proc/kallsyms must be there.
 */
#include "target/live.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "target/index_builder.h"

/* Where tracefs is mounted, today and through debugfs. */
static const char *const tracefs[] = { "/sys/kernel/tracing", "/sys/kernel/debug/tracing", NULL };

/* A file of the kernel's; NULL when it cannot be read. Heap. */
static char *read_quietly(const char *path, size_t *len)
{
	size_t unused;
	char *text;
	struct error *err = file_read(path, &text, len ? len : &unused);

	error_destroy(err);
	return err ? NULL : text;
}

/* A file below tracefs, on the heap; NULL when it cannot be read. */
static char *read_tracefs(struct arena *arena, const char *name)
{
	char *text = NULL;

	for (size_t i = 0; tracefs[i] && !text; i++)
		text = read_quietly(path_join(arena, tracefs[i], name), NULL);
	return text;
}

const struct machine *live_machine(void)
{
	struct utsname uts;

	return uname(&uts) ? NULL : machine_by_name(uts.machine);
}

/*
 * Without privilege addresses read as 0 (kernel.kptr_restrict). A few lines tell: only some symbols
 * are at 0 themselves.
 */
struct error *live_check(const char *release)
{
	struct utsname uts;
	char head[4096];
	size_t n = 0;
	FILE *f;

	if (uname(&uts) || strcmp(uts.release, release))
		return error_create("it is not the running kernel, which is %s", uts.release);
	f = fopen("/proc/kallsyms", "re");
	if (f) {
		n = fread(head, 1, sizeof(head) - 1, f);
		fclose(f);
	}
	head[n] = '\0';
	if (!n)
		return error_create("the running kernel has no readable /proc/kallsyms");
	for (char *line = head; (line = strchr(line, '\n')) && line[1]; line++)
		if (strtoull(line + 1, NULL, 16))
			return NULL;
	return error_hint(error_create("the running kernel hides the addresses in /proc/kallsyms"),
			  "try as root");
}

/* ---- symbols ---- */

/* "ffffffff81000000 T _text"; those of modules and BPF programs have "\t[name]" behind. */
static void add_symbols(struct builder *b, char *text)
{
	char *save, *line;

	for (line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		char *end;
		uint64_t addr = strtoull(line, &end, 16);

		if (end[0] == ' ' && end[1] && end[2] == ' ' && !strchr(end + 3, '\t'))
			builder_add_symbol(b, end + 3, end[1], addr);
	}
}

/* What this boot added to all addresses of the image; absolute ones (per-CPU) lie elsewhere. */
static uint64_t remove_slide(struct builder *b)
{
	const struct machine *m = live_machine();
	/*
	 * an image linked elsewhere shifts all addresses alike, which the runtime's own search
	 * undoes
	 */
	uint64_t slide = builder_symbol(b, "_text") - m->kernel_text;

	for (size_t i = 0; i < b->symbols.n; i++)
		if (b->symbols.data[i].addr >= m->kernel_base)
			b->symbols.data[i].addr -= slide;
	return slide;
}

static bool starts_with(const char *s, const char *prefix)
{
	return !strncmp(s, prefix, strlen(prefix));
}

/* Each exported symbol NAME has an entry __ksymtab_NAME. */
static void collect_exported(struct builder *b)
{
	static const char prefix[] = "__ksymtab_";

	for (size_t i = builder_lower_bound(b, prefix); i < b->symbols.n; i++) {
		const char *name = b->symbols.data[i].name;
		uint64_t addr;

		if (!starts_with(name, prefix))
			break;
		addr = builder_symbol(b, name + strlen(prefix));
		if (addr)
			vec_push(b->arena, &b->exported, addr);
	}
	addresses_sort(&b->exported);
}

/* ---- what may be traced ---- */

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/*
 * available_filter_functions has names only. A name that stands for several functions is taken when
 * all of them are listed, for the list does not say which one is meant.
 */
static void collect_traceable(struct builder *b)
{
	char *text = read_tracefs(b->arena, "available_filter_functions"), *save, *line;
	VEC(char *) names = { 0 };

	for (line = text ? strtok_r(text, "\n", &save) : NULL; line;
	     line = strtok_r(NULL, "\n", &save))
		if (!strchr(line, ' ')) /* else: of a module */
			vec_push(b->arena, &names, line);
	if (names.n)
		qsort(names.data, names.n, sizeof(*names.data), by_text);
	for (size_t i = 0, n; i < names.n; i += n) {
		size_t first = builder_lower_bound(b, names.data[i]), end = first;

		for (n = 1; i + n < names.n && !strcmp(names.data[i + n], names.data[i]);)
			n++;
		while (end < b->symbols.n && !strcmp(b->symbols.data[end].name, names.data[i]))
			end++;
		for (; end - first == n && first < end; first++)
			vec_push(b->arena, &b->traceable, b->symbols.data[first].addr);
	}
	addresses_sort(&b->traceable);
	free(text);
}

/* "0xffffffff81c00990-0xffffffff81c009b0\tasm_exc_divide_error" */
static void collect_blacklist(struct builder *b, uint64_t slide)
{
	char *text = read_quietly("/sys/kernel/debug/kprobes/blacklist", NULL), *save, *line;

	for (line = text ? strtok_r(text, "\n", &save) : NULL; line;
	     line = strtok_r(NULL, "\n", &save)) {
		uint64_t addr = strtoull(line, NULL, 16);

		if (addr >= live_machine()->kernel_base)
			vec_push(b->arena, &b->blacklist, addr - slide);
	}
	addresses_sort(&b->blacklist);
	free(text);
}

/* ---- tracepoints ---- */

/*
 * available_events has the systems, "sched:sched_switch", but also what is no tracepoint and what
 * modules have; the symbols __tracepoint_NAME tell which are the image's, and those without event.
 */
static void collect_tracepoints(struct builder *b)
{
	static const char prefix[] = "__tracepoint_";
	char *text = read_tracefs(b->arena, "available_events"), *save, *line;
	size_t n_events;

	for (line = text ? strtok_r(text, "\n", &save) : NULL; line;
	     line = strtok_r(NULL, "\n", &save)) {
		char *name = strchr(line, ':');

		if (!name)
			continue;
		*name++ = '\0';
		if (builder_symbol(b, arena_printf(b->arena, "%s%s", prefix, name)))
			vec_push(b->arena, &b->tracepoints,
				 ((struct tracepoint){ arena_strdup(b->arena, name),
						       arena_strdup(b->arena, line) }));
	}
	free(text);
	builder_sort_tracepoints(b);
	n_events = b->tracepoints.n;
	/* both are sorted by name */
	for (size_t i = builder_lower_bound(b, prefix), at = 0; i < b->symbols.n; i++) {
		const char *name = b->symbols.data[i].name;

		if (!starts_with(name, prefix))
			break;
		name += strlen(prefix);
		while (at < n_events && strcmp(b->tracepoints.data[at].name, name) < 0)
			at++;
		if (at == n_events || strcmp(b->tracepoints.data[at].name, name))
			vec_push(b->arena, &b->tracepoints, ((struct tracepoint){ name, "" }));
	}
	builder_sort_tracepoints(b);
}

/* ---- all together ---- */

/* As collect() of index_build.c, from text. The slide is removed before any address is compared. */
static struct error *collect(struct builder *b, const char *btf, size_t btf_len)
{
	char *text = read_quietly("/proc/kallsyms", NULL);
	struct error *err = NULL;
	uint64_t slide;

	if (!text)
		return error_create("cannot read /proc/kallsyms");
	add_symbols(b, text);
	free(text);
	builder_sort_symbols(b);
	if (!builder_symbol(b, "_text"))
		return error_create("/proc/kallsyms does not have _text");
	slide = remove_slide(b);
	if (btf)
		err = btf_open((const unsigned char *)btf, btf_len, NULL, NULL, 0, b->arena,
			       &b->btf);
	if (err)
		return error_context(err, "/sys/kernel/btf/vmlinux");
	b->n_btf_names = btf ? btf_names(&b->btf, b->arena, &b->btf_names) : 0;
	collect_traceable(b);
	collect_blacklist(b, slide);
	collect_exported(b);
	builder_set_flags(b);
	collect_tracepoints(b);
	return NULL;
}

struct error *live_open(struct index *index, char **btf, size_t *btf_len)
{
	struct builder b = { .arena = arena_create() };
	struct error *err;

	*btf_len = 0;
	*btf = read_quietly("/sys/kernel/btf/vmlinux", btf_len);
	err = collect(&b, *btf, *btf_len);
	if (!err) {
		size_t len;
		char *bytes = builder_write(&b, &len);

		err = index_open_bytes(bytes, len, index);
	}
	arena_destroy(b.arena);
	if (err) {
		free(*btf);
		*btf = NULL; /* the caller frees what it holds */
	}
	return err;
}

/* /sys/kernel/notes has the bytes of the kernel's note section. */
bool live_build_id(unsigned char ret[BUILD_ID_SIZE])
{
	size_t len;
	char *notes = read_quietly("/sys/kernel/notes", &len);
	bool found = notes && build_id_find(notes, len, ret);

	free(notes);
	return found;
}

/* "\tfield:const char * filename;\toffset:24;..." -> type and name; false: the line is no field */
static bool parse_field(struct arena *arena, const char *line, struct syscall_parameter *ret)
{
	const char *start = line + strspn(line, "\t "), *end, *name;

	if (!starts_with(start, "field:"))
		return false;
	start += strlen("field:");
	end = start + strcspn(start, ";");
	for (name = end; name > start && name[-1] != ' ';)
		name--;
	if (name == start)
		return false;
	ret->name = arena_strndup(arena, name, end - name);
	ret->type = arena_strndup(arena, start, name - 1 - start);
	return true;
}

/* From the format of the event sys_enter_NAME in tracefs; -1 when there is none. */
int live_syscall_parameters(struct arena *arena, const char *call, struct syscall_parameter ret[6])
{
	char *text = read_tracefs(arena, arena_printf(arena, "events/syscalls/sys_enter_%s/format",
						      call + strlen("sys_")));
	char *save, *line;
	bool begun = false;
	int n = 0;

	if (!text)
		return -1;
	for (line = strtok_r(text, "\n", &save); line && n < 6;
	     line = strtok_r(NULL, "\n", &save)) {
		struct syscall_parameter p;

		if (!parse_field(arena, line, &p))
			continue;
		/*
		 * behind the number come the parameters, then what the event found behind pointers
		 */
		if (begun && !starts_with(p.type, "__data_loc"))
			ret[n++] = p;
		begun |= !strcmp(p.name, "__syscall_nr");
	}
	free(text);
	return begun ? n : -1;
}

const char *live_event_format(struct arena *arena, const char *system, const char *name)
{
	char *text = read_tracefs(arena, arena_printf(arena, "events/%s/%s/format", system, name));
	const char *begin = text ? strstr(text, "\nprint fmt: ") : NULL, *ret = NULL;

	if (begin)
		ret = arena_strdup(arena, begin + strlen("\nprint fmt: "));
	free(text);
	return ret;
}
