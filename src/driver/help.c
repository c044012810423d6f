/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Texts for --help and --version. The list of options is kept by hand, beside option_table.c and
 * the manual.
 */
#include "driver/help.h"

#include <elfutils/version.h>

static const char help_text[] =
	"Spile, a dynamic tracer for Linux: SystemTap's language, compiled to kernel modules.\n"
	"\n"
	"Usage: stap [options] FILE [ARGS]         run a script file\n"
	"       stap [options] - [ARGS]            run a script from standard input\n"
	"       stap [options] -e SCRIPT [ARGS]    run a script given as text\n"
	"       stap [options] -l PROBE            list matching probe points\n"
	"       stap [options] -L PROBE            list them with their variables\n"
	"       stap --dump-probe-types | --dump-probe-aliases | --dump-functions\n"
	"\n"
	"Script and interpretation:\n"
	"  -e SCRIPT     script text                   -E SCRIPT  an additional script\n"
	"  -g            guru mode: embedded C and writing are allowed\n"
	"  -I DIR        look in DIR for tapset scripts first\n"
	"  -D NAME[=V]   define a limit or a C macro   -G NAME=V  initial value of a global\n"
	"  -u            do not optimise               --skip-badvars  unresolved $variables are 0\n"
	"  --compatible V          language level      --no-global-var-display\n"
	"  --suppress-handler-errors, --suppress-time-limits (with -g)\n"
	"  --check-version         warn of what depends on the version of the language\n"
	"\n"
	"Passes:\n"
	"  -p N          stop after pass 1 parse, 2 elaborate, 3 translate, 4 compile, 5 run\n"
	"  -v            more words, repeatable        --vp ABCDE  the same per pass\n"
	"  -k            keep the temporary directory  --tmpdir=DIR  use this one\n"
	"  -m NAME       name of the module, copied here\n"
	"  -r RELEASE | /DIR   kernel to compile for   -R DIR     runtime sources\n"
	"  -a ARCH       compile only, for a kernel of that machine\n"
	"  --sysroot=DIR, --sysenv=VAR=V   programs are those of the system in DIR, its environment\n"
	"  -B NAME=V     variable for the kernel's makefiles\n"
	"  --modinfo NAME=V    another item for modinfo(8)\n"
	"  --debug       debug information in the module, and -k\n"
	"  --disable-cache, --poison-cache             neither read nor write / only write the cache\n"
	"  --clean-cache                               bring the cache below its limit, nothing else\n"
	"  --dump-after=STEP                           the program after a step of pass 2, on stderr\n"
	"  --example     FILE is an example that comes with stap, by its name\n"
	"  --semantic-keep-going                       errors of pass 2 also in a form for programs\n"
	"  --rlimit-{as,cpu,nproc,stack,fsize}=N       limits on stap itself\n"
	"\n"
	"Running:\n"
	"  -c CMD        run CMD, stop when it ends    -x PID     target() is PID\n"
	"  --target-namespaces=PID ns_*() count as process PID does\n"
	"  -d FILE       follow and name user stacks in FILE too   --ldd, --all-modules  as always\n"
	"  --inline-stacks   stacks of the kernel name inlined functions too; needs debug information\n"
	"  -T SEC        stop after SEC seconds        -o FILE    output to FILE\n"
	"  -s MB         buffer for each processor     -t         timing and the ledger of each probe\n"
	"  -S SIZE[,N]   go on in FILE.0, FILE.1, ... of SIZE megabytes each; keep the last N\n"
	"  -b            a file for each processor, FILE_0 ..., for stap-merge\n"
	"  -F            leave the script running, attach later with staprun -A; with -o go to the\n"
	"                background and print the pid\n"
	"  --remote=vm[:RELEASE]   run in a throwaway guest with that installed kernel\n"
	"  -w, -W        no warnings; warnings are errors\n"
	"  --color[=never|always|auto]\n"
	"\n"
	"Accepted, for they ask for what is so anyway:\n"
	"  -P, --prologue-searching[=WHEN], --runtime=kernel, --privilege=stapdev, --save-uprobes,\n"
	"  --remote=direct://, --use-server-on-error=no\n"
	"\n"
	"  -h, --help    this text                     -V, --version\n";

/* To standard output when it was asked for, else to standard error. */
void help_print(FILE *to)
{
	fputs(help_text, to);
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
