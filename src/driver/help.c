/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Texts for --help and --version. What --help says of an option is in its row of option_table.c. */
#include "driver/help.h"

#include <elfutils/version.h>

#include "driver/option_table.h"

static const char usage_text[] =
	"Spile, a dynamic tracer for Linux: SystemTap's language, compiled to kernel modules.\n"
	"\n"
	"Usage: stap [options] FILE [ARGS]         run a script file\n"
	"       stap [options] - [ARGS]            run a script from standard input\n"
	"       stap [options] -e SCRIPT [ARGS]    run a script given as text\n"
	"       stap [options] -l PROBE            list matching probe points\n"
	"       stap [options] -L PROBE            list them with their variables\n"
	"       stap --dump-probe-types | --dump-probe-aliases | --dump-functions\n";

/* To standard output when it was asked for, else to standard error. */
void help_print(FILE *to)
{
	fputs(usage_text, to);
	options_describe(to);
}

void version_print(FILE *to)
{
	fprintf(to,
		"Spile (stap) version %s, language of SystemTap %s, elfutils %d.%d\n"
		"Licence GPL-2.0-or-later. This is free software; see the source for copying conditions.\n"
		"tested kernel versions: 5.10 ... 7.2\n"
		"enabled features: BTF LIBDW VM\n",
		SPILE_VERSION, SPILE_COMPATIBLE, _ELFUTILS_VERSION / 1000,
		_ELFUTILS_VERSION % 1000);
}
