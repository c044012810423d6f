/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * QEMU as a child process: its command line, its channels, its end. It is started by fork()
 * rather than base/subprocess, because the death signal and the session have to be set in the
 * child.
 */
#include "remote/qemu.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/path_search.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "remote/agent_protocol.h"
#include "remote/virtiofs.h"

/*
 * loglevel=5 still shows warnings and lockdep; the self-tests and idle serial ports cost a guest
 * 0.2 s each boot. no_timer_check: the kernel counts ticks while it spins for a tenth of a second
 * and panics ("IO-APIC + timer doesn't work") when an emulator that gets no processor time delivers
 * none.
 */
#define KERNEL_ARGS                                                                                \
	"console=ttyS0 loglevel=5 oops=panic panic=-1 cryptomgr.notests 8250.nr_uarts=1 "          \
	"random.trust_cpu=on no_timer_check"
/*
 * Kernels before 6.12 take an emulated TSC for one that differs between CPUs, and read the HPET
 * instead, through QEMU's lock. TCG's code is for the addresses at which a program runs: where each
 * process has others (address space layout randomisation), it translates each anew, and starting
 * one takes three times as long.
 */
#define TCG_ARGS " tsc=reliable norandmaps"

/* A command line in the making. */
struct arg_list {
	struct arena *arena;
	VEC(const char *) args;
};

double monotonic_seconds(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

struct error *qemu_find(struct arena *arena, const char **ret)
{
	char file[PATH_MAX];

	if (path_search("qemu-system-x86_64", file)) {
		*ret = arena_strdup(arena, file);
		return NULL;
	}
	return error_hint(
		error_create("no QEMU to run a guest with: qemu-system-x86_64 is not in PATH"),
		"install the package qemu-system-x86");
}

static void add(struct arg_list *list, const char *arg)
{
	vec_push(list->arena, &list->args, arg);
}

static void add2(struct arg_list *list, const char *option, const char *value)
{
	add(list, option);
	add(list, value);
}

/* The machine itself: what a saved state must find again. */
static void add_machine(struct arg_list *list, const struct qemu_config *c)
{
	struct arena *arena = list->arena;

	/*
	 * QEMU 7.2 emulates cmpxchg16b wrongly (flags), and the slab allocator uses it: kernels
	 * crash without -cx16. With erms they clear and copy memory byte by byte (rep stosb), which
	 * takes eight times as long here.
	 */
	add2(list, "-cpu", c->kvm ? "host" : "max,-cx16,-erms");
	/* with a thread for each CPU, TCG can hang when the guest patches its text across CPUs */
	add2(list, "-accel", c->kvm ? "kvm" : "tcg,thread=single");
	add2(list, "-M",
	     c->ram == QEMU_RAM_PRIVATE && !c->virtiofsd ? "q35" : "q35,memory-backend=mem");
	add2(list, "-m", arena_printf(arena, "%u", c->memory_mb));
	add2(list, "-smp", arena_printf(arena, "%u", c->smp));
	if (c->icount) {
		add2(list, "-icount", "shift=0,sleep=off,align=off");
		add2(list, "-rtc", "clock=vm");
	}
	add(list, "-nodefaults");
	add2(list, "-display", "none");
	add(list, "-no-reboot");
	add2(list, "-nic", "none");
	add2(list, "-kernel", c->image);
	add2(list, "-initrd", c->initrd);
	add2(list, "-append",
	     arena_printf(arena, "%s%s%s%s%s", KERNEL_ARGS, c->kvm ? "" : TCG_ARGS,
			  c->icount ? " nokaslr" : "", c->append ? " " : "",
			  c->append ? c->append : ""));
	add2(list, "-device", "virtio-serial-pci");
	if (!c->virtiofsd)
		add2(list, "-virtfs",
		     "local,path=/,mount_tag=" AGENT_ROOT_TAG
		     ",security_model=none,multidevs=remap,readonly=on");
}

const char *qemu_describe(struct arena *arena, const struct qemu_config *config)
{
	struct arg_list list = { .arena = arena };
	struct strbuf text;
	const char *ret;

	strbuf_init(&text);
	add_machine(&list, config);
	vec_foreach(arg, &list.args)
		strbuf_addf(&text, "%s\n", *arg);
	ret = arena_strdup(arena, strbuf_cstr(&text));
	strbuf_deinit(&text);
	return ret;
}

static const char *const channel_names[] = { "port", "log", "qmp" };
enum { N_CHANNELS = 3, FILES = N_CHANNELS, N_THEIRS };

/* Our ends of these sockets are in struct qemu, in the order of channel_names. */
static void add_channels(struct arg_list *list, const int fds[N_CHANNELS])
{
	for (int i = 0; i < N_CHANNELS; i++)
		add2(list, "-chardev",
		     arena_printf(list->arena, "socket,id=%s,fd=%d", channel_names[i], fds[i]));
	add2(list, "-device", "virtserialport,chardev=port,name=" AGENT_PORT);
	add2(list, "-serial", "chardev:log");
	add2(list, "-mon", "chardev=qmp,mode=control");
}

/* The daemon reads and writes the guest's memory itself, so that is shared with it. */
static void add_virtiofs(struct arg_list *list, const struct qemu_config *c, int fd)
{
	add2(list, "-object",
	     arena_printf(list->arena, "memory-backend-memfd,id=mem,size=%uM,share=on",
			  c->memory_mb));
	add2(list, "-chardev", arena_printf(list->arena, "socket,id=files,fd=%d", fd));
	add2(list, "-device", "vhost-user-fs-pci,chardev=files,tag=" AGENT_ROOT_TAG);
}

/* In the child, between fork and exec. */
static void exec_qemu(const char *program, const char *const *argv, const int *keep, int n_keep,
		      int errors, pid_t parent)
{
	int null = open("/dev/null", O_RDWR);
	sigset_t none;

	/* A terminal's Ctrl-C is ours to pass on, and QEMU must not outlive us. */
	setsid();
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	for (int i = 0; i < n_keep; i++)
		if (keep[i] >= 0)
			fcntl(keep[i], F_SETFD, 0);
	dup2(null, 0);
	dup2(errors, 1);
	dup2(errors, 2);
	execv(program, (char *const *)argv);
	_exit(127);
}

static void close_all(const int *fds, int n)
{
	for (int i = 0; i < n; i++)
		if (fds[i] >= 0)
			close(fds[i]);
}

/* Kill and reap; 0 is none. */
static void end_process(pid_t pid)
{
	if (pid <= 0)
		return;
	kill(pid, SIGKILL);
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		continue;
}

struct error *qemu_start(const struct qemu_config *config, struct qemu *ret)
{
	int ours[N_CHANNELS] = { -1, -1, -1 }, theirs[N_THEIRS] = { -1, -1, -1, -1 },
	    errors[2] = { -1, -1 };
	struct arg_list list = { .arena = arena_create() };
	pid_t pid = -1, files = 0, self = getpid();
	struct error *err = NULL;

	for (int i = 0; i < N_CHANNELS && !err; i++) {
		int pair[2];

		if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0) {
			err = error_create_errno(errno, "socketpair");
			break;
		}
		ours[i] = pair[0];
		theirs[i] = pair[1];
	}
	if (!err && pipe2(errors, O_CLOEXEC) < 0)
		err = error_create_errno(errno, "pipe");
	if (!err && config->virtiofsd)
		err = virtiofs_start(config->virtiofsd, errors[1], &files, &theirs[FILES]);
	if (err)
		goto out;
	add(&list, config->program);
	add_machine(&list, config);
	if (config->ram != QEMU_RAM_PRIVATE)
		add2(&list, "-object",
		     arena_printf(list.arena,
				  "memory-backend-file,id=mem,size=%uM,mem-path=%s,share=%s",
				  config->memory_mb, config->ram_file,
				  config->ram == QEMU_RAM_SAVED ? "on" : "off"));
	if (config->virtiofsd)
		add_virtiofs(&list, config, theirs[FILES]);
	if (config->incoming)
		add2(&list, "-incoming", "defer");
	add_channels(&list, theirs);
	add(&list, NULL);
	pid = fork();
	if (pid == 0)
		exec_qemu(config->program, list.args.data, theirs, N_THEIRS, errors[1], self);
	if (pid < 0)
		err = error_create_errno(errno, "fork");
out:
	arena_destroy(list.arena);
	close_all(theirs, N_THEIRS);
	close_all(&errors[1], 1);
	if (err) {
		close_all(ours, N_CHANNELS);
		close_all(errors, 1);
		end_process(files);
		return err;
	}
	*ret = (struct qemu){ .pid = pid,
			      .port = ours[0],
			      .log = ours[1],
			      .qmp = ours[2],
			      .errors = errors[0],
			      .virtiofsd = files };
	return NULL;
}

void qemu_stop(struct qemu *qemu)
{
	if (!qemu->pid)
		return;
	end_process(qemu->pid);
	end_process(qemu->virtiofsd);
	close_all((const int[]){ qemu->port, qemu->log, qemu->qmp, qemu->errors }, 4);
	*qemu = (struct qemu){ .port = -1, .log = -1, .qmp = -1, .errors = -1 };
}
