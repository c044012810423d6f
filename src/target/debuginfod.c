/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is used of libdebuginfod is declared here as debuginfod_find_debuginfo(3) documents it, so that neither building nor
 * running needs it.
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

/* The library's functions, by their names in it. */
struct library {
	debuginfod_client *(*begin)(void);
	void (*end)(debuginfod_client *client);
	int (*find_debuginfo)(debuginfod_client *client, const unsigned char *build_id, int len,
			      char **path);
	void (*set_progressfn)(debuginfod_client *client,
			       int (*fn)(debuginfod_client *client, long done, long total));
	void (*set_user_data)(debuginfod_client *client, void *data);
};

/* One question. */
struct asking {
	struct library library;
	struct target_object *object;
	long told; /* bytes that were told of */
};

static void say(struct target *t, const char *text)
{
	if (t->progress)
		t->progress(t->progress_arg, text);
}

/* Stays open: its own threads and caches end with the process. */
static bool open_library(struct library *ret)
{
	void *handle = dlopen(LIBRARY, RTLD_LAZY | RTLD_LOCAL);
	const struct {
		const char *name;
		void *function;
	} rows[] = {
		{ "debuginfod_begin", &ret->begin },
		{ "debuginfod_end", &ret->end },
		{ "debuginfod_find_debuginfo", &ret->find_debuginfo },
		{ "debuginfod_set_progressfn", &ret->set_progressfn },
		{ "debuginfod_set_user_data", &ret->set_user_data },
	};

	for (size_t i = 0; handle && i < sizeof(rows) / sizeof(rows[0]); i++) {
		void *symbol = dlsym(handle, rows[i].name);

		if (!symbol)
			return false;
		memcpy(rows[i].function, &symbol, sizeof(symbol));
	}
	return handle != NULL;
}

/* What the client was given as its data: the library itself knows. */
static struct asking *asking_of(debuginfod_client *client)
{
	void *handle = dlopen(LIBRARY, RTLD_LAZY | RTLD_NOLOAD);
	void *symbol = handle ? dlsym(handle, "debuginfod_get_user_data") : NULL;
	void *(*get)(debuginfod_client * client);

	memcpy(&get, &symbol, sizeof(get));
	if (handle)
		dlclose(handle); /* only this reference */
	return get ? get(client) : NULL;
}

/* A callback of the library while it waits; another answer than 0 would end the transfer. */
static int progress(debuginfod_client *client, long done, long total)
{
	struct asking *a = asking_of(client);
	struct target *t;

	if (!a || done < a->told + STEP)
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
	debuginfod_client *client = a->library.begin();
	char hex[BUILD_ID_HEX], *path = NULL;
	const char *ret = NULL;
	int fd;

	if (!client)
		return NULL;
	build_id_hex(o->build_id, hex);
	say(t, arena_printf(t->arena, "asking %s for debug information of %s (build-id %s)",
			    getenv("DEBUGINFOD_URLS"), o->name, hex));
	a->library.set_user_data(client, a);
	a->library.set_progressfn(client, progress);
	fd = a->library.find_debuginfo(client, o->build_id, BUILD_ID_SIZE, &path);
	if (fd >= 0) {
		close(fd);
		ret = arena_strdup(t->arena, path);
		free(path);
	} else if (fd != -ENOENT) {
		say(t, arena_printf(t->arena, "no debug information of %s was had: %s", o->name,
				    strerror(-fd)));
	}
	a->library.end(client);
	return ret;
}

const char *debuginfod_find(struct target_object *o)
{
	struct asking a = { .object = o };

	if (!o->has_build_id)
		return NULL;
	if (open_library(&a.library))
		return ask(&a);
	say(o->target,
	    "DEBUGINFOD_URLS is set, but " LIBRARY
	    ", which asks the servers, cannot be opened (Debian package libdebuginfod1)");
	return NULL;
}
