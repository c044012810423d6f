/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A back end: from the typed program to output. The passes of driver/ call it in the order of
 * the members below from open on, and know nothing else of it; what stands before open is asked
 * without a job. Another back end is a folder with one instance, and a row of backends.def.
 */
#ifndef SPILE_BACKEND_BACKEND_H
#define SPILE_BACKEND_BACKEND_H

#include <stdbool.h>
#include <stdio.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "ir/ir.h"

struct arena;
struct diag_sink;
struct probe_env;    /* of probe/ */
struct remote_guest; /* of remote/: a guest on its way up */
struct source_map;
struct strbuf;

/* The most characters of -m: what a kernel module's name can have. */
#define BACKEND_NAME_MAX 55

/* Colour of messages on the terminal: --color. */
enum backend_color { BACKEND_COLOR_AUTO, BACKEND_COLOR_ALWAYS, BACKEND_COLOR_NEVER };

/* What the command line says of making and running; strings live as long as the job. */
struct backend_options {
	const char *script_name;    /* "<input>" or the file */
	const char *const *defines; /* -D NAME[=VALUE], n_defines */
	size_t n_defines;
	/* --modinfo and -B, NAME=VALUE each */
	const char *const *modinfo, *const *make_variables;
	size_t n_modinfo, n_make_variables;
	const char *output_name;    /* -m */
	const char *output;         /* -o */
	const char *rotation;       /* -S */
	const char *command;        /* -c */
	const char *const *carried; /* -d, n_carried */
	size_t n_carried;
	long target_pid;     /* -x, 0: none */
	long namespaces_pid; /* --target-namespaces, 0: none */
	unsigned timeout;    /* -T seconds, 0: none */
	unsigned buffer_mb;  /* -s, 0: the default */
	bool flight;         /* -F */
	bool bulk;           /* -b */
	bool inline_stacks;  /* --inline-stacks */
	const char *remote;  /* --remote: run in a guest; NULL: here */
	/* -k; a back end sets it when its only product lies in the temporary directory */
	bool keep;
	bool no_warnings, skip_badvars, timing, suppress_handler_errors, suppress_time_limits;
	bool poison_cache;
	bool debug;     /* --debug: the module has debug information */
	bool will_run;  /* pass 5 follows */
	int verbose[6]; /* -v; [1] to [5] by pass, as --vp sets them */
	enum backend_color color;
};

/*
 * What a back end works with; NULL where there is none. Strings and objects are the driver's and
 * outlive the job, but for the guest.
 */
struct backend_environment {
	const char *runtime_dir, *loader, *cache_dir;
	const char *kernel_spec;     /* a release or a directory; NULL: the running kernel */
	struct probe_env *probe_env; /* what the program probes, as sema saw it */
	struct remote_guest **guest; /* taken over by who uses it: set NULL */
	/* The temporary directory, made when first asked for. */
	struct error *(*tmpdir)(void *arg, const char **ret);
	void *tmpdir_arg;
};

/*
 * A kernel that programs are built for, as far as others ask. Texts are the back end's; of those
 * that are NULL nothing is known.
 */
struct backend_kernel {
	const char *release;
	const char *arch;      /* as uname -m */
	const char *make_arch; /* as the kernel's makefiles, ARCH= */
	const char *root;      /* the directory of unpacked packages that it lies in, or "" */
	void *state;           /* the back end's own; NULL: not open */
};

/* One program on its way through a back end. */
struct backend_job {
	struct arena *arena;
	struct diag_sink *sink;
	const struct source_map *sources; /* positions of the program's spans */
	struct backend_options options;
	struct backend_environment environment;
	const struct ir_program *program; /* from check on */
	void *state;                      /* the back end's own, from open on */
};

/*
 * The row of a back end: constant, without state of its own. An error returned is the caller's to
 * destroy; the job keeps what was made until then, for close.
 */
struct backend {
	const char *name;  /* of --runtime */
	const char *makes; /* what scripts become: "kernel modules" */
	/*
	 * What a kernel is like, which the early passes ask without a job. SPEC is as in struct
	 * backend_environment. An error: it is not one that programs can be built for here; RET
	 * is untouched, and a job will say so again.
	 */
	struct error *(*kernel_open)(const char *spec, struct backend_kernel *ret);
	/* Value of CONFIG_NAME without quotes, NULL when unset. It lives as long as KERNEL. */
	const char *(*kernel_config)(const struct backend_kernel *kernel, const char *name);
	/*
	 * The command that compiles a unit with the kernel's headers, up to what is about the unit;
	 * NULL-terminated, in ARENA. KERNEL is open.
	 */
	struct error *(*header_command)(const struct backend_kernel *kernel, struct arena *arena,
					const char *const **ret);
	/* Harmless when it is not open. */
	void (*kernel_close)(struct backend_kernel *kernel);
	/* Where what was built is kept; NULL: nowhere. The caller's to free. */
	char *(*cache_dir)(void);
	/* --clean-cache: brings DIR below its limit, whether it is time to or not. */
	struct error *(*clean_cache)(const char *dir);
	/*
	 * Reads the options that are its own and makes state. Called before pass 2, so that a
	 * wrong option is reported early.
	 */
	struct error *(*open)(struct backend_job *job);
	/*
	 * The end of pass 2. An error, or an error reported to the job's sink: what the program
	 * asks for and this back end cannot do; nothing of the rest is called then.
	 */
	struct error *(*check)(struct backend_job *job);
	/*
	 * Still pass 2, whose messages have been shown, when pass 3 follows. Finds what goes along
	 * with the program: tables of the files it is about. What is missing it tells on standard
	 * error; with *ok false, something that the command line asked for.
	 */
	struct error *(*gather)(struct backend_job *job, bool *ok);
	/* Pass 3: the program in the form that is built. */
	struct error *(*lower)(struct backend_job *job);
	/* Writes that form, for people. */
	void (*show)(const struct backend_job *job, FILE *out);
	/*
	 * Pass 4: what runs. With !will_run it prints where that is. Mistakes in the script's own
	 * text are reported to the job's sink besides the error.
	 */
	struct error *(*build)(struct backend_job *job);
	/* Pass 5; *ok: it ended well. */
	struct error *(*run)(struct backend_job *job, bool *ok);
	/* For -v: what pass 3, 4 did, "translated to C into \"...\""; in the arena. */
	const char *(*said)(const struct backend_job *job, int pass);
	/* Gives back what open made; after a failure of any of the above, too. */
	void (*close)(struct backend_job *job);
};

#endif
