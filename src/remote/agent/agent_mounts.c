/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The agent as a guest's first process: file systems, the modules it needs, its port to the host,
 * and this machine's files.
 */
#include "agent.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Not every kernel has every one of these; what a script needs and misses it reports itself. */
static const struct {
	const char *type, *where;
} kernel_mounts[] = {
	{ "proc", "/proc" },
	{ "sysfs", "/sys" },
	{ "devtmpfs", "/dev" },
	{ "debugfs", "/sys/kernel/debug" },
	{ "tracefs", "/sys/kernel/tracing" },
	{ "securityfs", "/sys/kernel/security" },
	{ "bpf", "/sys/fs/bpf" },
	{ "cgroup2", "/sys/fs/cgroup" },
	{ "devpts", "/dev/pts" },
	{ "tmpfs", "/dev/shm" },
};

void agent_mount_kernel(void)
{
	for (size_t i = 0; i < sizeof(kernel_mounts) / sizeof(kernel_mounts[0]); i++) {
		mkdir(kernel_mounts[i].where, 0755);
		mount(kernel_mounts[i].type, kernel_mounts[i].where, kernel_mounts[i].type, 0,
		      NULL);
	}
	symlink("/proc/self/fd", "/dev/fd");
	symlink("/proc/self/fd/0", "/dev/stdin");
	symlink("/proc/self/fd/1", "/dev/stdout");
	symlink("/proc/self/fd/2", "/dev/stderr");
}

/* 0 also when it is there already. */
static int load_module(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), rc;

	if (fd < 0)
		return -1;
	rc = syscall(SYS_finit_module, fd, "", 0);
	close(fd);
	return rc < 0 && errno != EEXIST ? -1 : 0;
}

void agent_load_modules(void)
{
	struct dirent **list;
	int n = scandir("/mod", &list, NULL, alphasort);

	for (int i = 0; i < n; i++) {
		char path[512];

		if (list[i]->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), "/mod/%s", list[i]->d_name);
		if (load_module(path) < 0)
			fprintf(stderr, "spile-agent: cannot load %s: %s\n", path, strerror(errno));
	}
}

/* Whether the port exists; its device goes to PATH. */
static int port_by_name(char *path, size_t size)
{
	DIR *d = opendir("/sys/class/virtio-ports");
	struct dirent *de;
	int found = 0;

	while (d && !found && (de = readdir(d)) != NULL) {
		char file[512], name[64] = "";
		FILE *f;

		snprintf(file, sizeof(file), "/sys/class/virtio-ports/%s/name", de->d_name);
		f = fopen(file, "re");
		if (!f)
			continue;
		found = fgets(name, sizeof(name), f) && strcmp(name, AGENT_PORT "\n") == 0;
		fclose(f);
		snprintf(path, size, "/dev/%s", de->d_name);
	}
	if (d)
		closedir(d);
	return found;
}

/*
 * The host announces its ports in messages after the driver is in, so the device comes a little
 * later.
 */
int agent_open_port(void)
{
	const struct timespec pause = { 0, 2000000 };
	char path[512];

	for (int i = 0; i < 5000; i++) {
		int fd = port_by_name(path, sizeof(path))
				 ? open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
				 : -1;

		if (fd >= 0)
			return fd;
		nanosleep(&pause, NULL);
	}
	agent_die("no virtio port named %s: does the kernel lack virtio_pci or virtio_console?",
		  AGENT_PORT);
}

/* What a restored guest has kept from when it was saved is replaced. */
static void set_clock_and_seed(const struct agent_setup *setup)
{
	struct timespec ts = { .tv_sec = setup->sec, .tv_nsec = setup->nsec };
	int fd = open("/dev/urandom", O_WRONLY | O_CLOEXEC);

	clock_settime(CLOCK_REALTIME, &ts);
	if (fd >= 0) {
		if (write(fd, setup->seed, sizeof(setup->seed)) < 0)
			fprintf(stderr, "spile-agent: cannot seed the random generator\n");
		close(fd);
	}
}

/*
 * The host's files read-only at /lower, what is written in memory, both together at /root. NULL,
 * or the reason in BUF.
 */
static const char *mount_overlay(char *buf, size_t size)
{
	mkdir("/lower", 0755);
	mkdir("/rw", 0755);
	mkdir("/root", 0755);
	/*
	 * The host's files do not change under a guest often enough to pay for asking about each.
	 */
	if (mount(AGENT_ROOT_TAG, "/lower", "9p", MS_RDONLY,
		  "trans=virtio,version=9p2000.L,msize=512000,cache=loose") < 0 &&
	    mount(AGENT_ROOT_TAG, "/lower", "virtiofs", MS_RDONLY, NULL) < 0) {
		snprintf(
			buf, size,
			"the guest's kernel cannot mount the host's files, over 9p or virtiofs: %s",
			strerror(errno));
		return buf;
	}
	mount("tmpfs", "/rw", "tmpfs", 0, NULL);
	mkdir("/rw/upper", 0755);
	mkdir("/rw/work", 0755);
	if (mount("overlay", "/root", "overlay", 0,
		  "lowerdir=/lower,upperdir=/rw/upper,workdir=/rw/work") < 0) {
		snprintf(buf, size, "the guest's kernel cannot mount an overlay: %s",
			 strerror(errno));
		return buf;
	}
	return NULL;
}

/* A kernel that is not installed has its modules elsewhere: show them where programs look. */
static void bind_modules(const char *modules)
{
	const char *release = strrchr(modules, '/');
	char from[4096], to[512];

	if (!release)
		return;
	snprintf(from, sizeof(from), "/root%s", modules);
	snprintf(to, sizeof(to), "/root/lib/modules%s", release);
	mkdir("/root/lib/modules", 0755);
	mkdir(to, 0755);
	if (mount(from, to, NULL, MS_BIND | MS_REC, NULL) < 0)
		fprintf(stderr, "spile-agent: cannot show %s as %s: %s\n", from, to,
			strerror(errno));
}

/* Programs inside should see the name they see outside. */
static void take_host_name(void)
{
	char name[65];
	FILE *f = fopen("/etc/hostname", "re");

	if (f && fgets(name, sizeof(name), f)) {
		size_t n = strcspn(name, "\n");

		if (n && sethostname(name, n) < 0)
			fprintf(stderr, "spile-agent: cannot set the host name\n");
	}
	if (f)
		fclose(f);
}

const char *agent_enter_root(const struct agent_setup *setup, const char *modules, char *buf,
			     size_t size)
{
	static const char *const moved[] = { "/proc", "/sys", "/dev" };

	set_clock_and_seed(setup);
	if (mount_overlay(buf, size))
		return buf;
	for (size_t i = 0; i < sizeof(moved) / sizeof(moved[0]); i++) {
		char to[64];

		snprintf(to, sizeof(to), "/root%s", moved[i]);
		mkdir(to, 0755);
		if (mount(moved[i], to, NULL, MS_MOVE, NULL) < 0) {
			snprintf(buf, size, "cannot move %s: %s", moved[i], strerror(errno));
			return buf;
		}
	}
	mkdir("/root/run", 0755);
	mount("tmpfs", "/root/run", "tmpfs", 0, "mode=755");
	if (modules[0])
		bind_modules(modules);
	/*
	 * As switch_root does it: a plain chroot would forbid user namespaces to programs inside.
	 */
	if (chdir("/root") < 0 || mount(".", "/", NULL, MS_MOVE, NULL) < 0 || chroot(".") < 0 ||
	    chdir("/") < 0) {
		snprintf(buf, size, "cannot enter the host's file system: %s", strerror(errno));
		return buf;
	}
	take_host_name();
	return NULL;
}
