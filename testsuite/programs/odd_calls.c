/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * System calls with ordinary and with odd arguments, made without the C library between, for syscall_strace.stp: one run is watched
 * by strace and by a script, which must say the same. Between two calls of chdir(); in an empty directory of its own.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <linux/mempolicy.h>
#include <linux/openat2.h>
#include <netinet/in.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/ipc.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/timex.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

#define DO(name, ...) syscall(SYS_##name, ##__VA_ARGS__)
#define BAD ((void *)0x123000)

/* What a signal must have: rt_sigaction() of the kernel's, without the C library's trampoline. */
struct kernel_action {
	void *handler;
	unsigned long flags;
	void *restorer;
	unsigned long mask;
};

static void files(void)
{
	static char buffer[4096];
	struct open_how how = { .flags = O_RDONLY | O_CLOEXEC, .resolve = RESOLVE_NO_SYMLINKS };
	int fd;

	fd = DO(open, "a file", O_RDWR | O_CREAT | O_TRUNC, 0644);
	DO(open, "none", O_WRONLY | O_APPEND | O_NONBLOCK | O_NOFOLLOW);
	DO(open, BAD, O_RDONLY);
	DO(open, "", O_DIRECTORY | O_PATH);
	DO(openat, AT_FDCWD, "tab\tquote\"back\\line\n\1\377", O_RDONLY);
	DO(openat, 77, "none", O_RDWR | O_SYNC | O_EXCL | O_NOATIME);
	DO(openat, AT_FDCWD, ".", O_RDWR | O_TMPFILE | O_CLOEXEC, 0600);
	DO(openat, AT_FDCWD, "none", 0x80000003);
	DO(openat2, AT_FDCWD, "none", &how, sizeof(how));
	DO(creat, "b", 0751);
	DO(write, fd, "hello\n", 6);
	DO(write, fd, "bin\0ary\1\2\177\200\377", 12);
	DO(write, fd, "A string that is longer than the thirty-two bytes that strace shows", 67);
	DO(write, fd, BAD, 5);
	DO(write, 99, "", 0);
	DO(pwrite64, fd, "abc", 3, 1LL << 33);
	DO(read, fd, buffer, 0);
	DO(read, 99, buffer, 16);
	DO(read, -1, BAD, -1L);
	DO(pread64, 99, buffer, 16, -1LL);
	DO(lseek, fd, 0, SEEK_SET);
	DO(lseek, fd, -5L, SEEK_CUR);
	DO(lseek, fd, 1, SEEK_HOLE);
	DO(lseek, fd, 1, 9);
	DO(access, "a file", F_OK);
	DO(access, "none", R_OK | W_OK | X_OK);
	DO(faccessat, AT_FDCWD, "a file", 8);
	DO(stat, "none", buffer);
	DO(lstat, BAD, buffer);
	DO(fstat, 99, buffer);
	DO(newfstatat, AT_FDCWD, "none", buffer, AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT);
	DO(newfstatat, fd, "", 0L, AT_EMPTY_PATH);
	DO(statx, AT_FDCWD, "none", AT_STATX_SYNC_AS_STAT | AT_SYMLINK_NOFOLLOW, STATX_BASIC_STATS,
	   0L);
	DO(statx, AT_FDCWD, "none", AT_STATX_FORCE_SYNC, STATX_SIZE | STATX_MODE, 0L);
	DO(truncate, "none", 10L);
	DO(ftruncate, fd, 4096L);
	DO(fallocate, fd, FALLOC_FL_KEEP_SIZE | FALLOC_FL_PUNCH_HOLE, 0L, 100L);
	DO(fsync, fd);
	DO(fdatasync, 99);
	DO(flock, fd, LOCK_EX | LOCK_NB);
	DO(flock, 99, LOCK_UN);
	DO(fadvise64, fd, 0L, 10L, POSIX_FADV_DONTNEED);
	DO(fchmod, fd, 04755);
	DO(chmod, "none", 0);
	DO(fchmodat, AT_FDCWD, "none", 0600);
	DO(chown, "none", -1, 5);
	DO(fchown, 99, 0, -1);
	DO(fchownat, AT_FDCWD, "none", 1, 2, AT_SYMLINK_NOFOLLOW);
	DO(dup, fd);
	DO(dup2, fd, 20);
	DO(dup3, fd, 21, O_CLOEXEC);
	DO(close, 20);
	DO(close, -1);
	DO(fcntl, fd, F_GETFL);
	DO(fcntl, fd, F_SETFL, O_APPEND | O_NONBLOCK);
	DO(fcntl, 21, F_SETFD, FD_CLOEXEC);
	DO(fcntl, 99, F_DUPFD_CLOEXEC, 30);
	DO(fcntl, 99, 77, 5);
	DO(ioctl, fd, TIOCGWINSZ, 0L);
	DO(ioctl, 99, FIONREAD, buffer);
	DO(ioctl, 99, 0x12345678, 1L);
	DO(rename, "none", "new");
	DO(renameat2, AT_FDCWD, "none", 99, "new", RENAME_NOREPLACE | RENAME_EXCHANGE);
	DO(mkdir, "d", 0755);
	DO(mkdirat, 99, "e", 01777);
	DO(rmdir, "none");
	DO(unlink, "none");
	DO(unlinkat, AT_FDCWD, "d", AT_REMOVEDIR);
	DO(link, "none", "new");
	DO(linkat, AT_FDCWD, "none", AT_FDCWD, "new", AT_SYMLINK_FOLLOW);
	DO(symlink, "target", "l");
	DO(readlink, "none", buffer, 100L);
	DO(readlinkat, AT_FDCWD, "none", buffer, 100L);
	DO(mknod, "fifo", S_IFIFO | 0644, 0);
	DO(mknod, "/none/c", S_IFCHR | 0600, 0x103);
	DO(umask, 027);
	DO(umask, 022);
	DO(chdir, "none");
	DO(getcwd, buffer, 1L);
	DO(setxattr, "none", "user.a", "value", 5L, XATTR_CREATE);
	DO(getxattr, "none", "user.a", buffer, 100L);
	DO(mount, "none", "/none", "tmpfs", MS_RDONLY | MS_NOSUID, 0L);
	DO(mount, "none", "/none", "tmpfs", 0x100, 0L); /* MS_NOSYMFOLLOW */
	DO(umount2, "/none", MNT_DETACH | MNT_FORCE);
	DO(inotify_init1, IN_NONBLOCK | IN_CLOEXEC);
	DO(inotify_add_watch, 99, "none", IN_CREATE | IN_DELETE | IN_ONLYDIR);
	DO(sync_file_range, fd, 0L, 100L, SYNC_FILE_RANGE_WRITE);
}

static void memory(void)
{
	char *pages = (char *)DO(mmap, 0L, 8192L, PROT_READ | PROT_WRITE,
				 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0L);

	DO(mmap, 0L, 4096L, PROT_NONE, MAP_SHARED, 99, 0x3000L);
	DO(mmap, pages, 4096L, PROT_READ | PROT_EXEC,
	   MAP_PRIVATE | MAP_FIXED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0L);
	DO(mprotect, pages, 4096L, PROT_READ);
	DO(mprotect, 1L, 4096L, PROT_READ | PROT_WRITE | PROT_EXEC);
	DO(madvise, pages, 4096L, MADV_DONTNEED);
	DO(madvise, 0L, 4096L, 12345);
	DO(msync, pages, 4096L, MS_SYNC | MS_INVALIDATE);
	DO(mincore, pages, 4096L, 0L);
	DO(mlock, 1L, 4096L);
	DO(mbind, pages, 4096L, MPOL_BIND | MPOL_F_STATIC_NODES, 0L, 0L,
	   MPOL_MF_STRICT | MPOL_MF_MOVE);
	DO(mbind, pages, 4096L, MPOL_DEFAULT, 0L, 0L, MPOL_MF_MOVE_ALL | 0x8L);
	DO(mbind, pages, 4096L, MPOL_PREFERRED | MPOL_F_RELATIVE_NODES, BAD, 64L, 0L);
	DO(set_mempolicy, MPOL_DEFAULT, 0L, 0L);
	DO(set_mempolicy, MPOL_INTERLEAVE | MPOL_F_STATIC_NODES | MPOL_F_RELATIVE_NODES, BAD, 64L);
	DO(mlockall, 77);
	DO(mremap, pages, 4096L, 0L, MREMAP_MAYMOVE);
	DO(munmap, pages, 8192L);
	DO(munmap, 1L, 0L);
	DO(memfd_create, "memory", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	DO(brk, 1L);
}

static void sockets(void)
{
	struct sockaddr_in in = { .sin_family = AF_INET,
				  .sin_port = htons(80),
				  .sin_addr.s_addr = htonl(0x01020304) };
	struct sockaddr_in6 in6 = { .sin6_family = AF_INET6,
				    .sin6_port = htons(443),
				    .sin6_addr = IN6ADDR_LOOPBACK_INIT };
	struct sockaddr_un un = { .sun_family = AF_UNIX, .sun_path = "/none/socket" };
	struct iovec iov = { "abc", 3 };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };
	int on = 1, len = 4, fd, pair[2];

	fd = DO(socket, AF_INET, SOCK_STREAM | SOCK_CLOEXEC, IPPROTO_TCP);
	DO(socket, AF_INET6, SOCK_DGRAM | SOCK_NONBLOCK, 0);
	DO(socket, AF_UNIX, SOCK_SEQPACKET, 0);
	DO(socket, AF_NETLINK, SOCK_RAW, 0);
	DO(socket, 99, 77, 55);
	DO(connect, 99, &in, sizeof(in));
	DO(connect, 99, &in6, sizeof(in6));
	DO(connect, 99, &un, sizeof(un));
	DO(connect, 99, BAD, 16);
	DO(connect, 99, 0L, 0);
	DO(bind, 99, &in, sizeof(in));
	DO(listen, 99, 5);
	DO(accept, 99, 0L, 0L);
	DO(accept4, 99, 0L, 0L, SOCK_NONBLOCK | SOCK_CLOEXEC);
	DO(sendto, 99, "hi", 2L, MSG_DONTWAIT | MSG_NOSIGNAL, &in, sizeof(in));
	DO(sendto, 99, "hi", 2L, MSG_OOB | MSG_MORE, 0L, 0);
	DO(recvfrom, 99, &on, 4L, MSG_PEEK | MSG_WAITALL, 0L, 0L);
	DO(sendmsg, 99, &msg, MSG_NOSIGNAL);
	DO(recvmsg, 99, &msg, MSG_DONTWAIT | MSG_TRUNC);
	DO(shutdown, fd, SHUT_RDWR);
	DO(shutdown, 99, 9);
	DO(setsockopt, fd, SOL_SOCKET, SO_REUSEADDR, &on, 4);
	DO(setsockopt, fd, IPPROTO_TCP, 1, &on, 4);
	DO(getsockopt, fd, SOL_SOCKET, SO_ERROR, 0L, 0L);
	DO(getsockopt, 99, SOL_IP, 1, &on, &len);
	DO(getsockname, 99, 0L, 0L);
	DO(getpeername, fd, &in, &len);
	DO(socketpair, AF_UNIX, SOCK_STREAM, 0, 0L);
	DO(pipe2, pair, O_NONBLOCK | O_CLOEXEC);
	DO(pipe2, 0L, O_DIRECT);
	DO(pipe, 0L);
	DO(writev, 99, &iov, 1L);
	DO(readv, 99, BAD, 1L);
	DO(preadv, 99, &iov, 1L, 5L, 1L);
	DO(pwritev2, 99, &iov, 1L, -1L, 0L, 0);
	DO(write, 99, BAD, -1L);
	DO(sendfile, 99, 98, 0L, 100L);
	DO(splice, 99, 0L, 98, 0L, 10L, SPLICE_F_MOVE | SPLICE_F_NONBLOCK);
}

static void times(void)
{
	struct timespec moment = { 0, 1000 }, wrong = { -1, 2000000000 };
	struct timeval second = { 1, 500 };
	struct timespec both[2] = { { 1, 2 }, { 3, 4 } };
	struct itimerval timer = { { 0, 0 }, { 0, 0 } };
	struct itimerspec spec = { { 1, 2 }, { 3, 4 } };
	struct epoll_event event = { .events = EPOLLIN | EPOLLET, .data.fd = 3 };
	struct pollfd poll = { .fd = -1, .events = POLLIN };
	int fd, id;

	DO(nanosleep, &moment, 0L);
	DO(nanosleep, &wrong, 0L);
	DO(nanosleep, BAD, 0L);
	DO(clock_nanosleep, CLOCK_MONOTONIC, 0, &moment, 0L);
	DO(clock_nanosleep, CLOCK_REALTIME, TIMER_ABSTIME, &moment, 0L);
	DO(clock_gettime, CLOCK_BOOTTIME, 0L);
	DO(clock_gettime, 77, 0L);
	DO(clock_settime, CLOCK_MONOTONIC, &moment);
	DO(clock_getres, CLOCK_PROCESS_CPUTIME_ID, 0L);
	DO(gettimeofday, 0L, 0L);
	DO(setitimer, ITIMER_REAL, &timer, 0L);
	DO(getitimer, ITIMER_VIRTUAL, 0L);
	DO(alarm, 0);
	DO(timer_create, CLOCK_MONOTONIC, 0L, &id);
	DO(timerfd_create, CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
	DO(timerfd_settime, 99, TFD_TIMER_ABSTIME, &spec, 0L);
	DO(utimensat, AT_FDCWD, "none", both, AT_SYMLINK_NOFOLLOW);
	DO(utimensat, AT_FDCWD, "none", 0L, 0);
	DO(select, 0, 0L, 0L, 0L, &(struct timeval){ 0, 5 });
	DO(pselect6, 0, 0L, 0L, 0L, &moment, 0L);
	DO(poll, 0L, 0L, 1);
	DO(ppoll, &poll, 1L, &moment, 0L, 8L);
	fd = DO(epoll_create1, EPOLL_CLOEXEC);
	DO(epoll_create, 5);
	DO(epoll_ctl, fd, EPOLL_CTL_ADD, 99, &event);
	DO(epoll_ctl, fd, EPOLL_CTL_DEL, 99, 0L);
	DO(epoll_wait, fd, &event, 1, 0);
	DO(epoll_pwait, 99, &event, 1, 0, 0L, 8L);
	DO(eventfd2, 3, EFD_SEMAPHORE | EFD_NONBLOCK);
	DO(settimeofday, BAD, 0L);
	DO(utimes, "none", &second);
}

static void processes(void)
{
	struct kernel_action action = { SIG_IGN, SA_RESTART | SA_NODEFER, 0, 1UL << (SIGINT - 1) };
	unsigned long set = 1UL << (SIGINT - 1) | 1UL << (SIGTERM - 1);
	struct rlimit limit = { 100, RLIM_INFINITY };
	struct sched_param param = { 0 };
	static char buffer[1024];
	int status, word = 5;
	pid_t child;

	DO(getpid);
	DO(getppid);
	DO(gettid);
	DO(getuid);
	DO(geteuid);
	DO(getpgid, 0);
	DO(getsid, 999999);
	DO(setpgid, 0, 999999);
	DO(kill, 999999, SIGTERM);
	DO(kill, 999999, 0);
	DO(kill, -999999, 99);
	DO(tgkill, 999999, 999999, SIGUSR1);
	DO(tkill, 999999, SIGRTMIN + 2);
	DO(rt_sigaction, SIGUSR1, &action, 0L, 8L);
	DO(rt_sigaction, SIGUSR2, 0L, 0L, 8L);
	DO(rt_sigaction, SIGKILL, BAD, 0L, 8L);
	DO(rt_sigprocmask, SIG_BLOCK, &set, 0L, 8L);
	DO(rt_sigprocmask, SIG_SETMASK, 0L, 0L, 8L);
	DO(rt_sigprocmask, 9, &set, 0L, 8L);
	DO(rt_sigtimedwait, &set, 0L, &(struct timespec){ 0, 1 }, 8L);
	DO(rt_sigpending, 0L, 8L);
	DO(signalfd4, -1, &set, 8L, SFD_NONBLOCK | SFD_CLOEXEC);
	DO(sigaltstack, &(stack_t){ 0, SS_DISABLE, 0 }, 0L);
	DO(getrlimit, RLIMIT_NOFILE, 0L);
	DO(setrlimit, RLIMIT_CORE, &limit);
	DO(prlimit64, 999999, RLIMIT_STACK, &limit, 0L);
	DO(getrusage, RUSAGE_CHILDREN, 0L);
	DO(getpriority, PRIO_PROCESS, 0);
	DO(setpriority, PRIO_USER, 999999, 5);
	DO(sched_yield);
	DO(sched_setscheduler, 999999, SCHED_RR, &param);
	DO(sched_getscheduler, 0);
	DO(sched_setaffinity, 999999, 8L, &set);
	DO(sched_get_priority_max, SCHED_FIFO);
	DO(futex, &word, FUTEX_WAIT | FUTEX_PRIVATE_FLAG, 4, 0L, 0L, 0);
	DO(futex, &word, FUTEX_WAKE, 1, 0L, 0L, 0);
	DO(futex, &word, FUTEX_WAIT_BITSET | FUTEX_CLOCK_REALTIME, 4, 0L, 0L, 0xffffffff);
	DO(futex, 0L, FUTEX_REQUEUE, 1, 2L, 0L, 0);
	DO(futex, &word, 77, 4, 0L, 0L, 0);
	DO(ioprio_set, 1, 999999, 9 << 13 | 4);
	DO(set_robust_list, 0L, 1L);
	DO(prctl, PR_SET_NAME, "odd_calls", 0L, 0L, 0L);
	DO(prctl, PR_SET_PDEATHSIG, SIGTERM, 0L, 0L, 0L);
	DO(prctl, PR_GET_DUMPABLE, 0L, 0L, 0L, 0L);
	DO(personality, 0xffffffffL);
	DO(uname, 0L);
	DO(sysinfo, 0L);
	DO(times, 0L);
	DO(getrandom, buffer, 0L, GRND_NONBLOCK | GRND_RANDOM);
	DO(setuid, 0);
	DO(setresuid, -1, 0, -1);
	DO(getgroups, 0, 0L);
	DO(unshare, 0);
	DO(setns, 99, CLONE_NEWNET);
	DO(execve, "none", ((char *[]){ "none", "an \"argument\"", "two", 0 }),
	   ((char *[]){ "A=B", 0 }));
	DO(execve, BAD, 0L, 0L);
	DO(execve, "none", BAD, BAD);
	child = DO(clone, SIGCHLD, 0L, 0L, 0L, 0L);
	if (!child)
		DO(exit_group, 3);
	DO(wait4, child, &status, 0, 0L);
	DO(wait4, -1, 0L, WNOHANG | WUNTRACED, 0L);
	DO(waitid, P_ALL, 0, 0L, WEXITED | WNOHANG, 0L);
	DO(capget, 0L, 0L);
	DO(ptrace, 16, 999999, 0L, 0L);
	DO(shmget, 0x1234, 4096L, 0600 | IPC_EXCL);
	DO(semget, 0x1234, 1, 0600);
	DO(msgget, 0x1234, 0600);
	DO(bpf, 77, 0L, 0);
	DO(pidfd_open, 999999, 0);
	DO(seccomp, 77, 0, 0L);
}

int main(void)
{
	char directory[] = "/tmp/spile-odd-calls.XXXXXX", command[80];

	if (!mkdtemp(directory) || chdir(directory))
		return 1;
	DO(chdir, "/spile-begin");
	files();
	memory();
	sockets();
	times();
	processes();
	DO(chdir, "/spile-end");
	(void)!chdir("/");
	sprintf(command, "rm -rf %s", directory);
	return system(command);
}
