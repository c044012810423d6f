/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command line as a whole: the rc file, the options, the operands behind them, and what goes
 * with what. Each option by itself is option_table.c's.
 */
#include "driver/options.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wordexp.h>

#include "base/file.h"
#include "driver/option_table.h"

/* argv[0] is the program, as getopt expects it. */
static enum options_result read_arguments(struct arena *arena, int argc, char **argv,
					  struct options *o)
{
	if (!options_read(arena, argc, argv, o))
		return OPTIONS_FAILED;
	return o->done ? OPTIONS_DONE : OPTIONS_RUN;
}

/* Words of the rc file, in the arena. */
struct rc_arguments {
	char **data;
	size_t n, cap;
};

/*
 * A line is split as a shell would, quotes, $NAME and ~ included, and no command is run; a line
 * that begins with # is a comment. TEXT is cut up. False: said on standard error.
 */
static bool split_rc(struct arena *arena, const char *path, char *text, struct rc_arguments *ret)
{
	unsigned number = 0;
	char *line;

	while ((line = strsep(&text, "\n"))) {
		wordexp_t words;

		number++;
		if (line[strspn(line, " \t")] == '#')
			continue;
		if (wordexp(line, &words, WRDE_NOCMD))
			return option_fail("%s:%u: it takes options, quoted as for a shell.", path,
					   number);
		for (size_t i = 0; i < words.we_wordc; i++)
			vec_push(arena, ret, arena_strdup(arena, words.we_wordv[i]));
		wordfree(&words);
	}
	return true;
}

/* $SYSTEMTAP_DIR/rc: options, read before the command line's. */
static enum options_result parse_rc(struct arena *arena, char *program, struct options *o)
{
	const char *dir = getenv("SYSTEMTAP_DIR"), *home = getenv("HOME");
	struct rc_arguments arguments = { 0 };
	struct error *err;
	char *text, *path;
	bool fine;
	size_t len;

	if (!dir && !home)
		return OPTIONS_RUN;
	path = dir ? arena_printf(arena, "%s/rc", dir)
		   : arena_printf(arena, "%s/.systemtap/rc", home);
	if (!file_exists(path))
		return OPTIONS_RUN;
	err = file_read(path, &text, &len);
	if (err) {
		fprintf(stderr, "%s\n", err->text);
		error_destroy(err);
		return OPTIONS_FAILED;
	}
	vec_push(arena, &arguments, program);
	fine = split_rc(arena, path, text, &arguments);
	free(text);
	if (!fine)
		return OPTIONS_FAILED;
	vec_push(arena, &arguments, NULL);
	return read_arguments(arena, arguments.n - 1, arguments.data, o);
}

/* What goes with what in pass 5. False: misuse was reported. */
static bool check_running(const struct options *o)
{
	if (o->command && o->target_pid)
		return option_fail("The -c and -x options are mutually exclusive.");
	if (o->flight && o->command)
		return option_fail("The -F and -c options are mutually exclusive.");
	if (o->flight && o->timeout && !o->output)
		return option_fail("The -F and -T options are mutually exclusive without -o.");
	if (o->rotation && !o->output)
		return option_fail("The -S option needs an output file (-o FILE).");
	if (o->remote && strcmp(o->remote, "vm") && !o->guest)
		return option_fail(
			"--remote=%s is not built: a script runs here (direct://) or in a "
			"guest (vm, vm:RELEASE); for another machine compile it with "
			"-p4 -r RELEASE, and give the module to staprun there.",
			o->remote);
	if (o->remote && o->flight)
		return option_fail("A guest ends with stap: -F has no use for --remote.");
	if (o->remote && o->bulk)
		return option_fail(
			"The files of -b would be the guest's: -b has no use for --remote.");
	if (o->remote && o->rotation)
		return option_fail("Option -S is not built yet with --remote.");
	return true;
}

/* What an option table cannot say: combinations. False: misuse was reported. */
static bool check(const struct options *o)
{
	if (o->suppress_time_limits && !o->guru)
		return option_fail("ERROR --suppress-time-limits requires guru mode (-g)");
	if (!o->script_text && !o->script_file && !o->list && !o->clean_cache && !o->example)
		return option_fail("A script must be specified.%s",
				   o->extra_scripts.n ? " -E adds to one; -e SCRIPT gives one."
						      : "");
	return check_running(o);
}

enum options_result options_parse(struct arena *arena, int argc, char **argv, struct options *ret)
{
	enum options_result result;
	int first;

	memset(ret, 0, sizeof(*ret));
	ret->last_pass = 5;
	result = parse_rc(arena, argv[0], ret);
	if (result == OPTIONS_RUN)
		result = read_arguments(arena, argc, argv, ret);
	if (result == OPTIONS_RUN) {
		first = optind;
		if (!ret->script_text && !ret->list && first < argc)
			ret->script_file = argv[first++];
		for (; first < argc; first++)
			vec_push(arena, &ret->args, argv[first]);
		if (!check(ret))
			result = OPTIONS_FAILED;
	}
	if (result == OPTIONS_FAILED)
		fputs("Try '--help' for more information. [man stap]\n", stderr);
	return result;
}
