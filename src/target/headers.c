/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Types that header files declare: @cast(p, "sockaddr_un", "<sys/un.h>") of programs,
 * "kernel<linux/fs.h>" of the kernel's own. The headers are compiled to an object with nothing in
 * it but BTF of all their types (gcc -gbtf, from version 12 on), kept in the cache with the list of
 * files that went into it: it is made again when one of those is newer.
 */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/intern.h"
#include "base/path_search.h"
#include "base/seal.h"
#include "base/subprocess.h"
#include "diag/diag.h"
#include "target/btf_types.h"
#include "target/internal.h"
#include "target/kept_file.h"

#define PROGRESS_MAX 60 /* bytes of a list of headers that progress names */

/* Of a command line. */
struct arguments {
	const char **data;
	size_t n, cap;
};

/* Headers whose types were asked for; problem is NULL when types can be used. */
struct target_headers {
	const char *text; /* as asked for: "<a.h><b.h>", "kernel" in front of the kernel's */
	struct image image;
	struct btf_types types;
	const char *problem, *hint;
	bool is_refused; /* the compiler says that a line of them is wrong */
};

/* Appends "-include NAME" for each <NAME>; false: it is no such list. */
static bool add_headers(struct arena *arena, const char *text, struct arguments *ret)
{
	while (*text == '<') {
		size_t n = strcspn(text + 1, "<>\n");

		if (!n || text[1] == '-' || text[1 + n] != '>')
			return false;
		vec_push(arena, ret, "-include");
		vec_push(arena, ret, arena_strndup(arena, text + 1, n));
		text += n + 2;
	}
	return !*text;
}

static bool is_newer(const struct stat *a, const struct stat *b)
{
	return a->st_mtim.tv_sec != b->st_mtim.tv_sec ? a->st_mtim.tv_sec > b->st_mtim.tv_sec
						      : a->st_mtim.tv_nsec > b->st_mtim.tv_nsec;
}

/* Beside the object. */
static const char *list_path(struct arena *arena, const char *object)
{
	return arena_printf(arena, "%s.d", object);
}

/*
 * Is the object there, and older than nothing that it was made of? The list is one rule of make:
 * words behind the colon, backslashes at the ends of lines.
 */
static bool is_fresh(struct arena *arena, const char *object)
{
	const char *list = list_path(arena, object);
	struct stat made, st;
	char *text, *word, *save;
	bool fresh = true;
	struct error *err;
	size_t len;

	if (!seal_holds(object) || !seal_holds(list) || stat(object, &made))
		return false;
	err = file_read(list, &text, &len);
	error_destroy(err);
	if (err)
		return false;
	word = strstr(text, ": ");
	fresh = word != NULL;
	for (word = word ? strtok_r(word + 2, " \\\n", &save) : NULL; word && fresh;
	     word = strtok_r(NULL, " \\\n", &save))
		fresh = !stat(word, &st) && !is_newer(&st, &made);
	free(text);
	return fresh;
}

/*
 * What the compiler found wrong first, without the name of its input, which is none of the user's.
 */
static const char *first_error(struct arena *arena, const char *text)
{
	const char *at = strstr(text, "error: ");

	at = at ? at + strlen("error: ") : text;
	return arena_strndup(arena, at, strcspn(at, "\n"));
}

/* "FILE:LINE:COLUMN: error: ": it is no full disk and no compiler that was interrupted. */
static bool names_line(const char *messages)
{
	const char *at = messages;

	while ((at = strstr(at, ": error: ")) != NULL) {
		if (at > messages && isdigit((unsigned char)at[-1]))
			return true;
		at++;
	}
	return false;
}

/* What the maker of an object is told. */
struct job {
	struct arena *arena;
	struct target_headers *headers;
	struct arguments command; /* up to the names of what it makes */
	const char *list;         /* beside the object in the making */
};

/* Compiles to the object OUT and the list. */
static struct error *compile(void *arg, const char *out)
{
	struct job *job = arg;
	const char *const rest[] = { "-gbtf", "-fno-eliminate-unused-debug-types",
				     "-w",    "-MD",
				     "-MF",   job->list,
				     "-c",    "-x",
				     "c",     "/dev/null",
				     "-o",    out,
				     NULL };
	const char *const env[] = { "LC_ALL=C", NULL };
	struct subprocess sp = {
		.cwd = "/", .env = env, .in = SUBPROCESS_NULL, .out = SUBPROCESS_NULL
	};
	char *output, *messages;
	struct error *err;
	size_t len;
	int status;

	for (const char *const *word = rest; *word; word++)
		vec_push(job->arena, &job->command, *word);
	vec_push(job->arena, &job->command, NULL);
	sp.argv = job->command.data;
	err = subprocess_capture(&sp, &output, &len, &messages, &status);
	if (err)
		return err;
	job->headers->is_refused = status && names_line(messages);
	if (status)
		err = error_create("%s does not compile: %s", job->headers->text,
				   first_error(job->arena, messages));
	free(output);
	free(messages);
	return err;
}

/* The list of the object that was just made takes its place. */
static struct error *take_list(void *arg, const char *out)
{
	const struct job *job = arg;

	if (rename(job->list, out))
		return error_create_errno(errno, "cannot write %s", out);
	return NULL;
}

/*
 * Both are sealed. The list comes last and the old one goes first: an object without a list is made
 * again.
 */
static struct error *make_both(struct job *job, const char *object)
{
	const char *list = list_path(job->arena, object);
	struct error *err;

	job->list = arena_printf(job->arena, "%s.%d.list", object, (int)getpid());
	unlink(list);
	cleanup_hold();
	cleanup_add_path(job->list);
	cleanup_release();
	err = kept_file_make(object, job->headers->text, compile, job);
	if (!err)
		err = kept_file_make(list, job->headers->text, take_list, job);
	unlink(job->list);
	cleanup_drop_path(job->list);
	return err;
}

static bool is_kernels(const struct target_headers *h)
{
	return !strncmp(h->text, "kernel<", strlen("kernel<"));
}

/*
 * CACHE/headers/HASH.o, by what was asked for; the list of files says whether the kernel's tree has
 * changed since.
 */
static const char *object_path(struct target *t, const struct target_headers *h)
{
	const char *dir = path_join(t->arena, target_cache_directory(t), "headers");
	uint64_t hash = hash_bytes64(h->text, strlen(h->text) + 1, 0);

	if (is_kernels(h) && t->root)
		hash = hash_bytes64(t->root, strlen(t->root) + 1, hash);
	if (is_kernels(h) && t->release)
		hash = hash_bytes64(t->release, strlen(t->release) + 1, hash);
	return arena_printf(t->arena, "%s/%016llx.o", dir, (unsigned long long)hash);
}

/* As kbuild compiles, which is asked once; false: t->header_command_problem says why not. */
static bool ask_kernel_command(struct target *t)
{
	struct error *err;

	if (t->header_words || t->header_command_problem)
		return t->header_words;
	err = t->header_command ? t->header_command(t->progress_arg, t->arena, &t->header_words)
				: error_create("the kernel's headers are not read here");
	if (err) {
		t->header_command_problem = arena_strdup(t->arena, err->text);
		t->header_command_hint = err->hint ? arena_strdup(t->arena, err->hint) : NULL;
		error_destroy(err);
	}
	return t->header_words;
}

static void add_kernel_command(struct target *t, struct target_headers *h, struct arguments *ret)
{
	if (!ask_kernel_command(t)) {
		h->problem = arena_printf(t->arena, "cannot compile %s: %s", h->text,
					  t->header_command_problem);
		h->hint = t->header_command_hint;
		return;
	}
	for (const char *const *word = t->header_words; *word; word++)
		vec_push(t->arena, ret, *word);
}

/* HEADER in the first of the folders that kbuild looks into; NULL: in none. */
static const char *kernel_header(struct target *t, const char *header)
{
	if (!ask_kernel_command(t))
		return NULL;
	for (const char *const *word = t->header_words; *word; word++) {
		const char *dir = strncmp(*word, "-I", 2) ? NULL : *word + 2;

		if (dir && !*dir)
			dir = word[1]; /* a word of its own */
		if (dir && !access(path_join(t->arena, dir, header), R_OK))
			return path_join(t->arena, dir, header);
	}
	return NULL;
}

/* The command up to the names of what it makes; false: h->problem says why there is none. */
static bool make_command(struct target *t, struct target_headers *h, struct arguments *ret)
{
	const char *headers = is_kernels(h) ? strchr(h->text, '<') : h->text;

	if (is_kernels(h))
		add_kernel_command(t, h, ret);
	else
		vec_push(t->arena, ret, "gcc");
	/*
	 * before it all files of the kernel's own include others that have it; some headers count
	 * on that
	 */
	if (is_kernels(h))
		add_headers(t->arena, "<linux/types.h>", ret);
	if (!h->problem && !add_headers(t->arena, headers, ret)) {
		h->problem = arena_printf(t->arena, "'%s' is no list of header files", h->text);
		h->hint = "write \"<a.h>\" or \"<a.h><b.h>\"";
	}
	return !h->problem;
}

/* Sees to it that the object is there. */
static const char *make_object(struct target *t, struct target_headers *h)
{
	struct job job = { .arena = t->arena, .headers = h };
	const char *object = object_path(t, h);
	struct error *err;

	if (is_fresh(t->arena, object))
		return object;
	if (!make_command(t, h, &job.command))
		return NULL;
	if (is_kernels(h) && t->progress)
		t->progress(t->progress_arg,
			    strlen(h->text) > PROGRESS_MAX
				    ? "compiling headers of the kernel, once"
				    : arena_printf(t->arena, "compiling %s, once", h->text));
	err = make_both(&job, object);
	if (err)
		h->problem = arena_strdup(t->arena, err->text);
	error_destroy(err);
	return h->problem ? NULL : object;
}

static void open_types(struct target *t, struct target_headers *h, const char *object)
{
	struct error *err = image_open(object, &h->image);
	struct image_section s;
	struct btf_name *names;

	btf_types_init(&h->types, t);
	if (!is_kernels(h))
		h->types.source.space = FETCH_USER;
	if (!err && (!image_section(&h->image, ".BTF", &s) || !s.data))
		err = error_create("the compiler wrote no BTF (gcc does from version 12 on)");
	if (!err)
		err = btf_open(s.data, s.size, NULL, NULL, 0, t->arena, &h->types.btf);
	if (err) {
		h->problem = arena_printf(t->arena, "types of %s: %s", h->text, err->text);
		error_destroy(err);
		return;
	}
	h->types.n_names = btf_names(&h->types.btf, t->arena, &names);
	h->types.names = names;
}

/* Those that were asked for before, or NULL. */
static struct target_headers *headers_named(struct target *t, const char *text)
{
	vec_foreach(known, &t->headers)
		if (!strcmp((*known)->text, text))
			return *known;
	return NULL;
}

struct btf_types *headers_types(struct target *t, const char *text,
				struct target_type_result *problem)
{
	struct target_headers *h = headers_named(t, text);
	const char *object;

	if (!h) {
		h = arena_new(t->arena, struct target_headers);
		*h = (struct target_headers){ .text = arena_strdup(t->arena, text) };
		vec_push(t->arena, &t->headers, h);
		object = make_object(t, h);
		if (object)
			open_types(t, h, object);
	}
	problem->tag = DIAG_HEADER_TYPES;
	problem->message = h->problem ? diag_text(t->arena, problem->tag, h->problem) : NULL;
	problem->hint = h->hint;
	return h->problem ? NULL : &h->types;
}

/* There since 4.11, and no tracepoints among them; what they include themselves is in as well. */
#define KERNEL_HEADERS                                                                             \
	"kernel<linux/sched.h><linux/sched/signal.h><linux/mm.h><linux/fs.h><linux/fdtable.h>"     \
	"<linux/mount.h><linux/fs_struct.h><linux/nsproxy.h><linux/pid_namespace.h>"               \
	"<linux/cred.h><linux/cgroup.h><linux/module.h><linux/interrupt.h><linux/workqueue.h>"     \
	"<linux/blkdev.h><linux/bio.h><linux/netdevice.h><linux/skbuff.h><linux/ip.h>"             \
	"<linux/ipv6.h><linux/tcp.h><linux/udp.h><net/sock.h><net/inet_sock.h><net/tcp.h>"

struct btf_types *kernel_named_types(struct target *t)
{
	struct target_type_result problem;

	if (!target_try_load(t))
		return NULL;
	return t->kernel.has_types ? &t->kernel.types : headers_types(t, KERNEL_HEADERS, &problem);
}

/*
 * Where the tracepoints of a system are declared, when not in <trace/events/SYSTEM.h>, and what
 * that header takes for included. Parameters whose types no kernel's headers have (afs, bridge, wbt
 * of 5.10) stay unknown with it, as do all of their system.
 */
static const struct {
	const char *system, *header, *before;
} tracepoint_headers[] = {
	{ "raw_syscalls", "trace/events/syscalls.h", "" },
	{ "exceptions", "asm/trace/exceptions.h", "" },
	{ "irq_vectors", "asm/trace/irq_vectors.h", "" },
	{ "asoc", "trace/events/asoc.h", "<sound/soc.h>" },
	{ "cachefiles", "trace/events/cachefiles.h", "<linux/fscache-cache.h>" },
	{ "swiotlb", "trace/events/swiotlb.h", "<linux/swiotlb.h>" },
};

/*
 * Beside the object that TEXT would be: its headers do not compile, by this compiler and with this
 * configuration. There is no list of all that they include, so only headers that nobody edits are
 * remembered so. HEADER: the last of them, as a path.
 */
static const char *refusal_path(struct target *t, const char *text, const char *header)
{
	const struct target_headers h = { .text = text };
	const char *configuration = kernel_header(t, "generated/autoconf.h");
	char compiler[PATH_MAX];
	uint64_t hash = file_identity(header);

	hash ^= file_identity(t->tracepoint_header);
	hash ^= configuration ? file_identity(configuration) : 0;
	hash ^= path_search(t->header_words[0], compiler) ? file_identity(compiler) : 0;
	return arena_printf(t->arena, "%s.%016llx", object_path(t, &h), (unsigned long long)hash);
}

struct btf_types *headers_tracepoints(struct target *t, const char *system)
{
	const char *header = arena_printf(t->arena, "trace/events/%s.h", system);
	const char *path, *text, *refusal, *before = "";
	struct target_type_result problem;
	struct btf_types *types;

	if (!t->tracepoint_header || !*system || strpbrk(system, "<>/"))
		return NULL;
	for (size_t i = 0; i < sizeof(tracepoint_headers) / sizeof(*tracepoint_headers); i++)
		if (!strcmp(tracepoint_headers[i].system, system)) {
			header = tracepoint_headers[i].header;
			before = tracepoint_headers[i].before;
		}
	path = kernel_header(t, header);
	if (!path)
		return NULL;
	text = arena_printf(t->arena, KERNEL_HEADERS "%s<%s><%s>", before, t->tracepoint_header,
			    header);
	refusal = refusal_path(t, text, path);
	if (seal_holds(refusal))
		return NULL;
	types = headers_types(t, text, &problem);
	if (!types && headers_named(t, text)->is_refused)
		error_destroy(seal_write_data(refusal, problem.message, strlen(problem.message)));
	return types;
}

void headers_close(struct target *t)
{
	vec_foreach(h, &t->headers)
		image_close(&(*h)->image);
}
