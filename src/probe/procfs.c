/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * procfs: a file below /proc/systemtap/MODULE/. Who reads it gets what the handler of its read
 * probe stores to $value; what is written to it is the $value of its write probe. A path has one
 * probe of each at most.
 */
#include <string.h>

#include "probe/families.h"
#include "probe/point.h"
#include "runtime/uapi/points.h"

#define DEFAULT_PATH "command"
#define MAX_PATH 255

/* The module's own files stand in the same directory; ringN beside these. */
static const char *const taken[] = { "cmd", "script", "ledger", "timing", "tables" };

static const struct probe_variable read_value = { .name = "value",
						  .ctype = "string",
						  .type = IR_STRING,
						  .set = "_stp_procfs_set",
						  .append = "_stp_procfs_append" };
static const struct probe_variable write_value = {
	.name = "value", .ctype = "string", .type = IR_STRING, .get = "_stp_procfs_value"
};

/* Of a path that no file can have, what is wrong; else NULL. */
static const char *path_problem(const char *path)
{
	if (!*path || strlen(path) > MAX_PATH)
		return "it has no characters, or more than 255";
	for (const char *part = path;; part += strcspn(part, "/") + 1) {
		size_t n = strcspn(part, "/");

		if (!n)
			return "a part of it is empty";
		if ((n == 1 && *part == '.') || (n == 2 && !strncmp(part, "..", 2)))
			return "a part of it is . or ..";
		if (!part[n])
			return NULL;
	}
}

/* Does the module itself have a file or directory where the path begins? */
static bool is_taken(const char *path)
{
	size_t n = strcspn(path, "/");

	for (size_t i = 0; i < sizeof(taken) / sizeof(taken[0]); i++)
		if (strlen(taken[i]) == n && !memcmp(path, taken[i], n))
			return true;
	return n > 4 && !memcmp(path, "ring", 4) && 4 + strspn(path + 4, "0123456789") == n;
}

/* Reports what is wrong with the path; C is the component that has it. */
static bool check_path(struct probe_env *env, const struct ast_component *c, const char *path)
{
	const char *problem = path_problem(path);

	if (!problem && is_taken(path))
		problem = "the module has a file of its own there";
	if (!problem)
		return true;
	diag_report(env->sink, DIAG_PROCFS_PATH, c->param->span, path, problem);
	return false;
}

static bool derive(struct probe_env *env, const struct ast_point *point,
		   const struct probe_pattern *pattern, struct probe_points *ret, const char **why)
{
	const struct ast_component *head = &point->parts.data[0];
	const char *path = head->param ? component_string(head) : DEFAULT_PATH;
	bool write = point_has(point, "write");
	long long mask, size;
	struct probe_point *p;

	if (!check_path(env, head, path) ||
	    !point_number(env, point, "umask", 0, 0777, -1, &mask) ||
	    !point_number(env, point, "maxsize", 1, STP_PROCFS_SIZE_MAX, 0, &size))
		return false;
	p = point_add(env, ret, point, &ir_kind_procfs, point_text(env, point));
	p->row.attach.procfs.path = path;
	p->row.attach.procfs.write = write;
	p->row.attach.procfs.mode =
		mask < 0 ? (write ? 0200 : 0400) : (write ? 0222 : 0444) & ~(uint32_t)mask;
	p->row.attach.procfs.max_size = (uint32_t)size;
	p->row.claim = arena_printf(env->arena, "the %s probe of procfs file %s",
				    write ? "write" : "read", path);
	p->variables = write ? &write_value : &read_value;
	p->n_variables = 1;
	return true;
}

/* The forms below one head. */
#define FORMS(head)                                                                                \
	{ head ".read", derive }, { head ".read.maxsize(number)", derive },                        \
	{                                                                                          \
		head ".write", derive                                                              \
	}

static const struct probe_pattern patterns[] = { FORMS("procfs"),
						 FORMS("procfs.umask(number)"),
						 FORMS("procfs(string)"),
						 FORMS("procfs(string).umask(number)"),
						 { 0 } };

const struct probe_family probe_family_procfs = { "procfs", patterns };
