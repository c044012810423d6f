/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is used of libdebuginfod is declared here as debuginfod_find_debuginfo(3) documents it, so
 * that neither building nor running needs it.
 */
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "target/debuginfod.h"

#define LIBRARY "libdebuginfod.so.1"
#define MEGABYTE (1l << 20)
#define STEP (32 * MEGABYTE) /* progress is told each time so much more has come */

typedef struct debuginfod_client debuginfod_client;

/* The library's functions, by their names in it. Filled when the first file is asked for. */
static struct {
	debuginfod_client *(*begin)(void);
	void (*end)(debuginfod_client *client);
	int (*find_debuginfo)(debuginfod_client *client, const unsigned char *build_id, int len,
			      char **path);
	void (*set_progressfn)(debuginfod_client *client,
			       int (*fn)(debuginfod_client *client, long done, long total));
	void (*set_user_data)(debuginfod_client *client, void *data);
	void *(*get_user_data)(debuginfod_client *client);
	bool open;
} library;

/* One question. */
struct asking {
	struct target_object *object;
	long told; /* bytes that were told of */
};

static void say(struct target *t, const char *text)
{
	if (t->progress)
		t->progress(t->progress_arg, text);
}

/* Stays open: its own threads and caches end with the process. */
static bool open_library(void)
{
	const struct {
		const char *name;
		void *function;
	} rows[] = {
		{ "debuginfod_begin", &library.begin },
		{ "debuginfod_end", &library.end },
		{ "debuginfod_find_debuginfo", &library.find_debuginfo },
		{ "debuginfod_set_progressfn", &library.set_progressfn },
		{ "debuginfod_set_user_data", &library.set_user_data },
		{ "debuginfod_get_user_data", &library.get_user_data },
	};
	void *handle = library.open ? NULL : dlopen(LIBRARY, RTLD_LAZY | RTLD_LOCAL);

	for (size_t i = 0; handle && i < sizeof(rows) / sizeof(rows[0]); i++) {
		void *symbol = dlsym(handle, rows[i].name);

		if (!symbol)
			return false;
		memcpy(rows[i].function, &symbol, sizeof(symbol));
	}
	library.open |= handle != NULL;
	return library.open;
}

/* A callback of the library while it waits; another answer than 0 would end the transfer. */
static int progress(debuginfod_client *client, long done, long total)
{
	struct asking *a = library.get_user_data(client);
	struct target *t;

	if (done < a->told + STEP)
		return 0;
	t = a->object->target;
	a->told = done;
	say(t,
	    total > 0 ? arena_printf(t->arena, "downloading debug information of %s: %ld of %ld MB",
				     a->object->name, done / MEGABYTE, total / MEGABYTE)
		      : arena_printf(t->arena, "downloading debug information of %s: %ld MB",
				     a->object->name, done / MEGABYTE));
	return 0;
}

/* -ENOSYS stands for no servers, -ENOENT for none that has it: man debuginfod_find_debuginfo. */
static const char *ask(struct asking *a)
{
	struct target_object *o = a->object;
	struct target *t = o->target;
	debuginfod_client *client = library.begin();
	char hex[BUILD_ID_HEX], *path = NULL;
	const char *ret = NULL;
	int fd;

	if (!client)
		return NULL;
	build_id_hex(o->build_id, hex);
	say(t, arena_printf(t->arena, "asking %s for debug information of %s (build-id %s)",
			    getenv("DEBUGINFOD_URLS"), o->name, hex));
	library.set_user_data(client, a);
	library.set_progressfn(client, progress);
	fd = library.find_debuginfo(client, o->build_id, BUILD_ID_SIZE, &path);
	if (fd >= 0) {
		close(fd);
		ret = arena_strdup(t->arena, path);
		free(path);
	} else if (fd != -ENOENT) {
		say(t, arena_printf(t->arena, "no debug information of %s was had: %s", o->name,
				    strerror(-fd)));
	}
	library.end(client);
	return ret;
}

const char *debuginfod_find(struct target_object *o)
{
	struct asking a = { .object = o };

	if (!o->has_build_id)
		return NULL;
	if (open_library())
		return ask(&a);
	say(o->target,
	    "DEBUGINFOD_URLS is set, but " LIBRARY
	    ", which asks the servers, cannot be opened (Debian package libdebuginfod1)");
	return NULL;
}

void debuginfod_refuse(struct target_object *o, const char *path)
{
	struct target *t = o->target;

	say(t, arena_printf(t->arena,
			    "what was had as debug information of %s is not of this build: %s is "
			    "not used",
			    o->name, path));
}
