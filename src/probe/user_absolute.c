/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * process(PID).statement(ADDRESS).absolute: an address as the process has it now. The file that is
 * mapped there is probed, in that process; nothing is known of the place, not whether an
 * instruction begins there.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "probe/families.h"
#include "probe/point.h"
#include "probe/process.h"
#include "target/objects.h"

/* A mapping of code. */
struct mapping {
	uint64_t low, high, offset; /* offset: of LOW in the file */
	bool has_file;
};

/* A line of /proc/PID/maps (proc_pid_maps(5)); false: it is not of code. */
static bool parse(const char *line, struct mapping *ret)
{
	char mode[5], path[2] = "";

	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %*s %*s %1s", &ret->low,
		   &ret->high, mode, &ret->offset, path) < 4)
		return false;
	ret->has_file = *path == '/';
	return mode[2] == 'x';
}

/* What is mapped for execution at ADDR; false: nothing. */
static bool find(const char *maps, uint64_t addr, struct mapping *ret)
{
	FILE *f = fopen(maps, "re");
	char *line = NULL;
	size_t size = 0;
	bool found = false;

	if (!f)
		return false;
	while (!found && getline(&line, &size, f) > 0)
		found = parse(line, ret) && addr - ret->low < ret->high - ret->low;
	free(line);
	fclose(f);
	return found;
}

static bool derive(struct probe_env *env, const struct ast_point *point,
		   const struct probe_pattern *pattern, struct probe_points *ret, const char **why)
{
	int64_t pid = component_number(&point->parts.data[0]);
	uint64_t addr = (uint64_t)component_number(point_find(point, "statement")), linked;
	const struct target_object *object;
	const char *file;
	struct mapping m;
	struct probe_point *p;
	struct error *err;

	(void)pattern;
	if (!point_need_target(env, point))
		return false;
	if (env->is_remote || !process_exists(env, pid)) {
		*why = arena_printf(env->arena, " (there is no process %lld here)", (long long)pid);
		return true;
	}
	if (!find(arena_printf(env->arena, "/proc/%lld/maps", (long long)pid), addr, &m) ||
	    !m.has_file) {
		*why = arena_printf(env->arena,
				    " (process %lld has no code of a file at 0x%" PRIx64 ")",
				    (long long)pid, addr);
		return true;
	}
	file = process_file(
		env, pid, arena_printf(env->arena, "map_files/%" PRIx64 "-%" PRIx64, m.low, m.high),
		why);
	if (!file)
		return true;
	err = target_open_file(env->target, file, &object);
	if (err)
		return point_world_failed(env, point, err);
	if (!target_file_address(object, m.offset + (addr - m.low), &linked)) {
		*why = arena_printf(env->arena, " (%s has no code at 0x%" PRIx64 ")", file, addr);
		return true;
	}
	p = point_add(env, ret, point, &ir_kind_uprobe,
		      arena_printf(env->arena, "process(%lld).statement(0x%" PRIx64 ").absolute",
				   (long long)pid, addr));
	p->named_by_point = true;
	p->row.optional = point->optional;
	p->row.scope = process_scope(env, NULL, pid);
	p->row.attach.user.object = target_object_row(object);
	p->row.attach.user.addr = linked;
	p->row.attach.user.offset = m.offset + (addr - m.low);
	return true;
}

static const struct probe_pattern patterns[] = {
	{ "process(number).statement(number).absolute", derive },
	{ 0 },
};

const struct probe_family probe_family_user_absolute = { "user absolute", patterns };
