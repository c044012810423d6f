/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The system calls that odd_calls.c has not, and other arguments of those that it has, for syscall_strace_more.stp: none of them
 * changes the machine. Between two calls of chdir(); in an empty directory of its own.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/futex.h>
#include <linux/if_alg.h>
#include <linux/if_packet.h>
#include <linux/membarrier.h>
#include <linux/mempolicy.h>
#include <linux/netlink.h>
#include <linux/sched.h>
#include <linux/vm_sockets.h>
#include <mqueue.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/fanotify.h>
#include <sys/fsuid.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/klog.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/quota.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/timex.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>
#include <utime.h>

#define DO(name, ...) syscall(SYS_##name, ##__VA_ARGS__)
#define BAD ((void *)0x123000)

static char buffer[8192];

static void queues(void)
{
	struct timespec moment = { 5, 7 };
	struct sembuf op = { 0, 1, IPC_NOWAIT };
	struct mq_attr attr = { .mq_maxmsg = 4, .mq_msgsize = 64 };
	struct {
		long type;
		char text[8];
	} message = { 3, "text" };
	int queue, set, segment;
	void *at;

	queue = DO(msgget, IPC_PRIVATE, IPC_CREAT | IPC_EXCL | 0640);
	DO(msgsnd, queue, &message, 5L, IPC_NOWAIT);
	DO(msgrcv, queue, &message, 8L, -3L, IPC_NOWAIT | MSG_NOERROR);
	DO(msgrcv, -1, BAD, -1L, 0L, MSG_EXCEPT);
	DO(msgctl, queue, IPC_STAT, buffer);
	DO(msgctl, queue, IPC_RMID, 0L);
	DO(msgctl, -1, IPC_SET, BAD);
	set = DO(semget, IPC_PRIVATE, 2, IPC_CREAT | 0600);
	DO(semop, set, &op, 1L);
	DO(semtimedop, set, &op, 1L, &moment);
	DO(semtimedop, -1, 0L, 0L, 0L);
	DO(semctl, set, 1, SETVAL, 5);
	DO(semctl, set, 1, GETVAL);
	DO(semctl, set, 0, IPC_RMID);
	segment = DO(shmget, IPC_PRIVATE, 4096L, IPC_CREAT | IPC_EXCL | 0600);
	at = (void *)DO(shmat, segment, 0L, SHM_RDONLY);
	DO(shmdt, at);
	DO(shmdt, 0L);
	DO(shmat, -1, BAD, SHM_RND | SHM_REMAP | SHM_EXEC);
	DO(shmctl, segment, SHM_STAT, buffer);
	DO(shmctl, segment, IPC_RMID, 0L);
	DO(shmctl, segment, SHM_LOCK, 0L);
	queue = DO(mq_open, "spile-queue", O_RDWR | O_CREAT | O_NONBLOCK, 0600, &attr);
	DO(mq_timedsend, queue, "hi", 2L, 3, &moment);
	DO(mq_timedreceive, queue, buffer, 64L, 0L, &moment);
	DO(mq_getsetattr, queue, 0L, buffer);
	DO(mq_notify, queue, 0L);
	DO(mq_unlink, "spile-queue");
	DO(mq_open, "none", O_RDONLY);
	DO(mq_open, BAD, O_WRONLY);
}

static void files(void)
{
	struct utimbuf when = { 100, 200 };
	struct timeval pair[2] = { { 1, 2 }, { 3, 4 } };
	struct timespec marked[2] = { { 5, UTIME_NOW }, { 7, UTIME_OMIT } };
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 1, .l_len = 2 };
	struct iovec iov[2] = { { buffer, 10 }, { buffer + 10, 20 } };
	loff_t offset = 5;
	int fd, fd2;

	fd = DO(openat, AT_FDCWD, "a", O_RDWR | O_CREAT | O_EXCL, 0600);
	fd2 = DO(openat, AT_FDCWD, "b", O_RDWR | O_CREAT | O_LARGEFILE | O_DSYNC, 04711);
	DO(openat, AT_FDCWD, ".", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_PATH);
	DO(openat, 5000000000L, "", O_ACCMODE);
	DO(openat, AT_FDCWD, 0L, O_RDWR | O_ASYNC | O_DIRECT | O_NOCTTY | O_TRUNC);
	DO(pwrite64, fd, "0123456789", 10L, 0L);
	DO(pread64, fd, buffer, 4L, 2L);
	DO(preadv2, fd, iov, 2L, 3L, 0L, 8 /* RWF_NOWAIT */);
	DO(pwritev, fd, iov, 2L, 3L, 0L);
	DO(pwritev2, 99, iov, 2L, 3L, 0L, 0x1f);
	DO(readahead, fd, 4096L, 100L);
	DO(copy_file_range, fd, &offset, fd2, 0L, 3L, 0);
	DO(sendfile, fd2, fd, &offset, 2L);
	DO(faccessat2, AT_FDCWD, "a", R_OK, AT_EACCESS | AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH);
	DO(fchdir, 99);
	DO(chroot, "none");
	DO(lchown, "none", 5, -1);
	DO(utime, "none", &when);
	DO(utime, "a", 0L);
	DO(utimensat, AT_FDCWD, "none", marked, 0);
	DO(utimes, "none", pair);
	DO(utimes, "a", 0L);
	DO(futimesat, AT_FDCWD, "none", pair);
	DO(statfs, "none", buffer);
	DO(fstatfs, 99, buffer);
	DO(ustat, 5L, 0L);
	DO(mknodat, AT_FDCWD, "n", S_IFREG | 02755, 0);
	DO(mknodat, 99, "block", S_IFBLK | 0660, 0x801);
	DO(mknod, "n2", S_IFSOCK | 0777, 0);
	DO(renameat, AT_FDCWD, "none", 99, "new");
	DO(symlinkat, "to", AT_FDCWD, "link");
	DO(readlinkat, AT_FDCWD, "link", buffer, 8192L);
	DO(getdents64, 99, buffer, 8192);
	DO(getdents, 99, BAD, 0);
	DO(getcwd, 0L, 0L);
	DO(lsetxattr, "a", "user.x", "v\0w", 3L, XATTR_REPLACE);
	DO(fsetxattr, fd, "user.x", BAD, 3L, XATTR_CREATE | XATTR_REPLACE);
	DO(fsetxattr, 99, "user.x", 0L, 0L, 0);
	DO(lgetxattr, "a", "user.x", 0L, 0L);
	DO(fgetxattr, fd, "user.x", buffer, 100L);
	DO(listxattr, "a", 0L, 0L);
	DO(llistxattr, "none", buffer, 100L);
	DO(flistxattr, 99, buffer, 100L);
	DO(removexattr, "none", "user.x");
	DO(lremovexattr, "none", "user.x");
	DO(fremovexattr, 99, "user.x");
	DO(fcntl, fd, F_GETFD);
	DO(fcntl, fd, F_SETFD, 0);
	DO(fcntl, fd, F_SETLK, &lock);
	DO(fcntl, fd, F_OFD_SETLK, &lock);
	DO(fcntl, 99, F_SETLKW, BAD);
	DO(fcntl, fd, F_DUPFD, 40);
	DO(fcntl, fd, F_SETOWN, -1);
	DO(fcntl, fd, F_GETOWN);
	DO(fcntl, fd, F_SETSIG, SIGIO);
	DO(fcntl, fd, F_GETSIG);
	DO(fcntl, fd, F_SETLEASE, F_WRLCK);
	DO(fcntl, fd, F_GETLEASE);
	DO(fcntl, 99, F_NOTIFY, DN_CREATE | DN_DELETE | DN_MULTISHOT);
	DO(fcntl, 99, F_SETPIPE_SZ, 65536);
	DO(fcntl, 99, F_GETPIPE_SZ);
	DO(fcntl, 99, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW);
	DO(fcntl, 99, F_GET_SEALS);
	DO(ioctl, 99, TCGETS, buffer);
	DO(ioctl, 99, TIOCSWINSZ, 0L);
	DO(ioctl, 99, FIONBIO, 0L);
	DO(ioctl, 99, FIOCLEX);
	DO(flock, fd, LOCK_SH);
	DO(fadvise64, fd, 10L, 0L, POSIX_FADV_WILLNEED);
	DO(fallocate, fd, FALLOC_FL_ZERO_RANGE, 0L, 10L);
	DO(sync_file_range, fd, 0L, 0L, 7);
	DO(syncfs, 99);
	DO(statx, AT_FDCWD, "a", AT_STATX_DONT_SYNC | AT_EMPTY_PATH, 0xfff, BAD);
	DO(name_to_handle_at, AT_FDCWD, "a", 0L, 0L, AT_EMPTY_PATH);
	DO(open_by_handle_at, 99, 0L, O_RDONLY);
	DO(inotify_init);
	DO(inotify_rm_watch, 99, 1);
	DO(inotify_add_watch, 99, "a", IN_ALL_EVENTS | IN_ONESHOT);
	DO(fanotify_init, FAN_CLASS_CONTENT | FAN_CLOEXEC | FAN_UNLIMITED_QUEUE,
	   O_RDONLY | O_CLOEXEC);
	DO(fanotify_mark, 99, FAN_MARK_ADD | FAN_MARK_MOUNT, (long)(FAN_OPEN | FAN_CLOSE_WRITE),
	   AT_FDCWD, "a");
	DO(close_range, 1000, -1, 4 /* CLOSE_RANGE_CLOEXEC */);
	DO(umount2, "none", 0);
	DO(umount2, BAD, MNT_EXPIRE | UMOUNT_NOFOLLOW);
	DO(mount, 0L, "none", 0L, MS_BIND | MS_REC, "data");
	DO(mount, "none", "none", BAD, MS_REMOUNT | MS_NOEXEC | MS_RELATIME | MS_SYNCHRONOUS, BAD);
	DO(pivot_root, "none", "nothing");
	DO(swapon, "none", 0x8000 | 5);
	DO(swapoff, "none");
	DO(acct, "none/file");
	DO(quotactl, QCMD(Q_GETQUOTA, USRQUOTA), "/none", 5, buffer);
	DO(quotactl, QCMD(Q_SYNC, GRPQUOTA), 0L, 0, 0L);
	DO(fsopen, "none", 1 /* FSOPEN_CLOEXEC */);
	DO(fsconfig, 99, 1 /* FSCONFIG_SET_STRING */, "key", "value", 0);
	DO(fsmount, 99, 1, 0x1 | 0x2);
	DO(fspick, AT_FDCWD, "none", 3);
	DO(open_tree, AT_FDCWD, "none", 1 | O_CLOEXEC);
	DO(move_mount, AT_FDCWD, "none", 99, "new", 4 | 0x40);
	DO(mount_setattr, AT_FDCWD, "none", AT_RECURSIVE, 0L, 0L);
	DO(tee, 99, 98, 5L, SPLICE_F_NONBLOCK);
	DO(vmsplice, 99, iov, 2L, SPLICE_F_GIFT | SPLICE_F_MORE);
	DO(dup3, fd, fd, 0);
	DO(epoll_create1, 0);
	DO(eventfd, 7);
	DO(signalfd, -1, 0L, 8L);
	DO(lseek, fd, 1L << 40, SEEK_DATA);
	DO(lseek, fd, 0L, SEEK_END);
	DO(ftruncate, 99, -1L);
	DO(truncate, BAD, 1L << 40);
	DO(memfd_create, "", 4 /* MFD_HUGETLB */);
	DO(rmdir, BAD);
	DO(mkdir, "", 0);
	DO(umask, 0);
	DO(umask, -1);
	DO(umask, 022);
}

static void memory(void)
{
	char *page = (char *)DO(mmap, 0L, 4096L, PROT_READ | PROT_WRITE,
				MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0L);
	unsigned long nodes = 1;

	DO(mmap, 0L, 4096L, PROT_READ,
	   MAP_PRIVATE | MAP_ANONYMOUS | MAP_GROWSDOWN | MAP_STACK | MAP_LOCKED, 99, 1L);
	DO(mmap, 0L, 4096L, PROT_READ | 0x01000000, 3 /* MAP_SHARED_VALIDATE */, 99, 0L);
	DO(mmap, 0L, 2097152L, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB | 21 << 26, -1,
	   0L);
	DO(mmap, -1L, -1L, -1L, 0L, -1, -1L);
	DO(mlock2, page, 4096L, 1);
	DO(munlock, page, 4096L);
	DO(mlockall, MCL_CURRENT | MCL_ONFAULT | 8);
	DO(munlockall);
	DO(mincore, 1L, 4096L, buffer);
	DO(madvise, page, 4096L, MADV_HUGEPAGE);
	DO(madvise, page, 4096L, MADV_FREE);
	DO(madvise, page, 4096L, -1);
	DO(msync, page, 4096L, MS_ASYNC);
	DO(mremap, page, 4096L, 4096L, MREMAP_MAYMOVE | MREMAP_FIXED, 1L);
	DO(mremap, page, 4096L, 4096L, 0);
	DO(remap_file_pages, page, 4096L, 0L, 0L, 0L);
	DO(get_mempolicy, 0L, 0L, 0L, 0L, 4 /* MPOL_F_MEMS_ALLOWED */);
	DO(get_mempolicy, 0L, 0L, 0L, page, 3);
	DO(set_mempolicy, MPOL_BIND, &nodes, 0L);
	DO(migrate_pages, 999999, 2L, 0L, 0L);
	DO(move_pages, 999999, 0L, 0L, 0L, 0L, MPOL_MF_MOVE);
	DO(pkey_alloc, 5L, 1L);
	DO(pkey_free, 77);
	DO(pkey_mprotect, page, 4096L, PROT_READ, -1);
	DO(pkey_mprotect, page, 4096L, PROT_GROWSDOWN, 77);
	DO(process_madvise, 99, 0L, 0L, MADV_COLD, 0);
	DO(process_mrelease, 99, 0);
	DO(process_vm_readv, 999999, 0L, 0L, 0L, 0L, 0L);
	DO(process_vm_writev, 999999, 0L, 0L, 0L, 0L, 0L);
	DO(membarrier, MEMBARRIER_CMD_QUERY, 0, 0);
	DO(userfaultfd, O_CLOEXEC | O_NONBLOCK | 1);
	DO(brk, 0L);
	DO(munmap, page, 4096L);
}

static void sockets(void)
{
	struct sockaddr_un un = { .sun_family = AF_UNIX, .sun_path = "\0abstract" };
	struct sockaddr_un path = { .sun_family = AF_UNIX, .sun_path = "relative" };
	struct sockaddr_storage longest;
	struct sockaddr_in any = { .sin_family = AF_INET };
	struct sockaddr_in6 in6 = { .sin6_family = AF_INET6, .sin6_port = htons(65535) };
	struct sockaddr_nl nl = { .nl_family = AF_NETLINK, .nl_pid = 77, .nl_groups = 0x11 };
	struct sockaddr_ll ll = { .sll_family = AF_PACKET,
				  .sll_protocol = htons(3),
				  .sll_ifindex = 77,
				  .sll_hatype = 1,
				  .sll_pkttype = 2,
				  .sll_halen = 9,
				  .sll_addr = { 1, 2, 0xab } };
	struct sockaddr_vm vm = { .svm_family = AF_VSOCK, .svm_cid = 2, .svm_port = 1234 };
	struct sockaddr_alg alg = {
		.salg_family = AF_ALG, .salg_type = "hash", .salg_feat = 1, .salg_name = "sha256"
	};
	struct mmsghdr messages[2] = { 0 };
	struct timespec moment = { 0, 9 };
	socklen_t len = sizeof(any);
	int fd, udp, on = 1;

	memset(&longest, 'x', sizeof(longest));
	longest.ss_family = AF_UNIX;
	in6.sin6_addr.s6_addr[0] = 0xfe;
	in6.sin6_addr.s6_addr[1] = 0x80;
	in6.sin6_addr.s6_addr[15] = 1;
	fd = DO(socket, AF_INET, SOCK_STREAM, 0);
	udp = DO(socket, AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, IPPROTO_UDP);
	DO(socket, AF_INET6, SOCK_RAW, IPPROTO_ICMPV6);
	DO(socket, AF_PACKET, SOCK_RAW, 0x300);
	DO(socket, AF_NETLINK, SOCK_RAW, 9);
	DO(socket, AF_INET, SOCK_STREAM, 262);
	DO(bind, fd, &any, sizeof(any));
	DO(bind, 99, &path, sizeof(path));
	DO(bind, 99, &un, 11);
	DO(bind, 99, &un, 2);
	DO(bind, 99, &longest, sizeof(longest));
	DO(bind, 99, &any, 1);
	DO(bind, 99, BAD, -1);
	DO(connect, 99, &in6, sizeof(in6));
	DO(connect, 99, &in6, 8);
	DO(bind, 99, &nl, sizeof(nl));
	DO(bind, 99, &nl, 6);
	DO(bind, 99, &ll, sizeof(ll));
	DO(bind, 99, &vm, sizeof(vm));
	DO(bind, 99, &alg, sizeof(alg));
	DO(bind, 99, &alg, offsetof(struct sockaddr_alg, salg_name) + 3);
	DO(listen, fd, -1);
	DO(accept4, fd, &any, &len, SOCK_NONBLOCK | 1);
	DO(accept, 99, &any, &len);
	DO(getsockname, fd, &any, &len);
	DO(shutdown, 99, SHUT_RD);
	DO(shutdown, 99, SHUT_WR);
	DO(setsockopt, fd, SOL_SOCKET, SO_LINGER, 0L, 8);
	DO(setsockopt, fd, SOL_SOCKET, SO_RCVTIMEO, 0L, 16);
	DO(setsockopt, fd, IPPROTO_TCP, TCP_KEEPIDLE, &on, 4);
	DO(setsockopt, fd, IPPROTO_IP, IP_TTL, &on, 4);
	DO(setsockopt, fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, 4);
	DO(setsockopt, fd, IPPROTO_UDP, 100, &on, 4);
	DO(setsockopt, fd, 263, 1, &on, 4);
	DO(setsockopt, fd, 777, 777, BAD, -1);
	DO(getsockopt, fd, SOL_SOCKET, SO_PEERCRED, 0L, 0L);
	DO(getsockopt, fd, SOL_SOCKET, SO_DOMAIN, 0L, 0L);
	DO(getsockopt, fd, IPPROTO_TCP, TCP_INFO, 0L, 0L);
	DO(getsockopt, fd, IPPROTO_TCP, TCP_CONGESTION, 0L, 0L);
	DO(sendto, udp, "to\0nul", 6L, 0, 0L, 0);
	DO(sendto, 99, BAD, 6L, MSG_EOR | MSG_CONFIRM | MSG_DONTROUTE, &path, sizeof(path));
	DO(sendto, 99, "", 0L, MSG_FASTOPEN, BAD, 16);
	DO(recvfrom, 99, BAD, -1L, MSG_ERRQUEUE | MSG_CMSG_CLOEXEC | MSG_TRUNC, &any, &len);
	DO(sendmmsg, 99, messages, 2, MSG_DONTWAIT);
	DO(recvmmsg, 99, messages, 2, MSG_WAITFORONE, &moment);
	DO(recvmmsg, 99, 0L, 0, 0, 0L);
	DO(socketpair, AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, BAD);
}

static void times(void)
{
	struct timespec moment = { 0, 1000 };
	struct itimerval interval = { { 1, 2 }, { 3000, 4 } };
	struct itimerspec spec = { { 1, 2 }, { 3, 4 } };
	struct timex query = { 0 };
	struct pollfd poll[2] = { { .fd = 0, .events = POLLOUT }, { .fd = 1 } };
	unsigned long set = 1UL << (SIGHUP - 1);
	struct epoll_event event = { .events = EPOLLOUT | EPOLLONESHOT };
	fd_set bits;
	int timer = 0, fd;

	FD_ZERO(&bits);
	DO(adjtimex, &query);
	DO(adjtimex, 0L);
	DO(clock_adjtime, CLOCK_TAI, &query);
	DO(clock_adjtime, -1, BAD);
	DO(clock_gettime, CLOCK_MONOTONIC_RAW, buffer);
	DO(clock_gettime, CLOCK_REALTIME_COARSE, BAD);
	DO(clock_nanosleep, CLOCK_THREAD_CPUTIME_ID, 0, BAD, BAD);
	DO(clock_nanosleep, CLOCK_TAI, 3, &moment, buffer);
	DO(setitimer, ITIMER_PROF, &interval, BAD);
	DO(setitimer, 77, 0L, 0L);
	DO(timer_create, CLOCK_REALTIME, 0L, &timer);
	DO(timer_settime, timer, TIMER_ABSTIME, &spec, 0L);
	DO(timer_settime, 77, 0, BAD, BAD);
	DO(timer_gettime, timer, buffer);
	DO(timer_getoverrun, timer);
	DO(timer_delete, timer);
	fd = DO(timerfd_create, CLOCK_BOOTTIME, 0);
	DO(timerfd_settime, fd, 3, &spec, 0L);
	DO(timerfd_gettime, fd, 0L);
	DO(time, 0L);
	DO(alarm, 0x80000000);
	DO(alarm, 0);
	DO(select, 1, &bits, 0L, 0L, &(struct timeval){ 0, 0 });
	DO(select, -1, BAD, BAD, BAD, BAD);
	DO(pselect6, 1, 0L, &bits, 0L, &moment, 0L);
	DO(poll, poll, 2L, 0);
	DO(poll, BAD, 1L, -1);
	DO(ppoll, poll, 2L, &moment, &set, 8L);
	DO(ppoll, BAD, -1, BAD, BAD, 0L);
	DO(epoll_ctl, 99, EPOLL_CTL_MOD, 98, &event);
	DO(epoll_ctl, 99, 77, 98, BAD);
	DO(epoll_pwait, 99, BAD, -1, -1, &set, 8L);
	DO(epoll_pwait2, 99, &event, 1, &moment, &set, 8L);
	DO(eventfd2, -1, EFD_CLOEXEC);
	DO(io_setup, 0, 0L);
	DO(io_destroy, 1L);
	DO(io_submit, 1L, 1L, 0L);
	DO(io_cancel, 1L, 0L, 0L);
	DO(io_getevents, 1L, 1L, 2L, buffer, &moment);
	DO(io_uring_setup, 0, 0L);
	DO(io_uring_enter, 99, 1, 2, 3, 0L, 8L);
	DO(io_uring_register, 99, 3, 0L, 0);
}

static void processes(void)
{
	struct rlimit limits[] = { { RLIM_INFINITY, RLIM_INFINITY }, { 1 << 20, 1 << 21 } };
	struct sched_param param = { 5 };
	unsigned long set = ~0UL;
	struct clone_args clone = { .flags = CLONE_VM | CLONE_FS, .exit_signal = SIGCHLD };
	siginfo_t info = { .si_signo = SIGUSR1, .si_code = SI_QUEUE };
	cpu_set_t cpus;
	int status, word = 5;
	pid_t child;
	long result;
	struct {
		uint32_t size, policy;
		uint64_t flags;
		int32_t nice;
		uint32_t priority;
		uint64_t runtime, deadline, period;
	} attr = { 48, 5, 1, 3, 0, 0, 0, 0 };

	DO(arch_prctl, 0x1003 /* ARCH_GET_FS */, 0L);
	DO(arch_prctl, 77, BAD);
	DO(capset, 0L, 0L);
	DO(getcpu, 0L, 0L, 0L);
	DO(getegid);
	DO(getgid);
	DO(getpgrp);
	DO(getresuid, 0L, 0L, 0L);
	DO(getresgid, BAD, BAD, BAD);
	DO(getgroups, -1, BAD);
	DO(getpriority, PRIO_PGRP, -1);
	DO(getrusage, RUSAGE_THREAD, BAD);
	DO(getrusage, 77, 0L);
	DO(getrlimit, 77, BAD);
	DO(setrlimit, RLIMIT_CORE, &limits[0]);
	DO(prlimit64, 0, RLIMIT_NOFILE, 0L, buffer);
	DO(prlimit64, 999999, RLIMIT_RTTIME, &limits[1], BAD);
	DO(get_robust_list, 999999, 0L, 0L);
	DO(setreuid, -1, -1);
	DO(setregid, -1, 0);
	DO(setresgid, -1, -1, 0);
	DO(setgid, 0);
	DO(setfsuid, -1);
	DO(setfsgid, -1);
	DO(setgroups, -1, 0L);
	DO(setsid);
	DO(sethostname, BAD, 3);
	DO(setdomainname, BAD, 4);
	DO(iopl, 7);
	DO(ioperm, 0xffffL, 100L, 1);
	DO(kcmp, 999999, 999998, 1, 0L, 0L);
	DO(ioprio_get, 1, 999999);
	DO(ioprio_set, 2, 999999, 1 << 13 | 7);
	DO(kexec_load, 0L, 99L, 0L, 0x10000L);
	DO(init_module, BAD, 0L, "a=1");
	DO(finit_module, 99, "b=2", 3);
	DO(delete_module, "none", O_NONBLOCK | O_TRUNC);
	DO(add_key, "user", "spile", "data", 4L, -3);
	DO(add_key, "user", "spile", "none of this payload is shown behind its first 32 bytes", 54L,
	   -3);
	DO(add_key, "user", "spile", 0L, 4L, -3);
	DO(request_key, "user", "none", 0L, 0);
	DO(keyctl, 0, -3L, 0L);
	DO(keyctl, 77, 1L, 2L, 3L, 4L);
	DO(landlock_create_ruleset, 0L, 0L, 1);
	DO(landlock_add_rule, 99, 1, 0L, 0);
	DO(landlock_restrict_self, 99, 0);
	DO(perf_event_open, 0L, -1, 0, -1, 8UL);
	DO(pidfd_send_signal, 99, SIGTERM, 0L, 0);
	DO(pidfd_getfd, 99, 1, 0);
	DO(rt_sigqueueinfo, 999999, SIGUSR1, &info);
	DO(rt_tgsigqueueinfo, 999999, 999999, SIGUSR1, &info);
	DO(rt_sigsuspend, BAD, 8L);
	DO(rt_sigprocmask, SIG_UNBLOCK, &set, buffer, 8L);
	DO(rt_sigprocmask, SIG_BLOCK, BAD, 0L, 8L);
	DO(rt_sigtimedwait, BAD, BAD, BAD, 8L);
	DO(rt_sigaction, 77, 0L, BAD, 9L);
	DO(kill, 0x7fffffff, SIGRTMIN);
	DO(kill, 999999, 64);
	DO(tkill, -1, -1);
	DO(sigaltstack, 0L, buffer);
	DO(sigaltstack, BAD, 0L);
	DO(sched_getparam, 0, buffer);
	DO(sched_setparam, 999999, &param);
	DO(sched_setscheduler, 999999, SCHED_BATCH | 0x40000000, BAD);
	DO(sched_setscheduler, 999999, 77, 0L);
	DO(sched_setattr, 999999, &attr, 0);
	DO(sched_getattr, 999999, buffer, 48, 0);
	DO(sched_rr_get_interval, 999999, 0L);
	DO(sched_get_priority_min, 77);
	CPU_ZERO(&cpus);
	DO(sched_getaffinity, 999999, 8L, &cpus);
	DO(futex, &word, FUTEX_CMP_REQUEUE_PRIVATE, 1, 2L, &word, 4);
	DO(futex, &word, FUTEX_WAKE_OP, 1, 1L, &word, 0x1000);
	DO(futex, &word, FUTEX_LOCK_PI_PRIVATE, 0, BAD, 0L, 0);
	DO(futex, &word, FUTEX_UNLOCK_PI, 0, 0L, 0L, 0);
	DO(futex, &word, FUTEX_WAKE_BITSET, -1, 0L, 0L, 3);
	DO(futex_waitv, 0L, 0, 0, 0L, CLOCK_MONOTONIC);
	DO(prctl, PR_GET_NAME, buffer);
	DO(prctl, PR_SET_DUMPABLE, 1);
	DO(prctl, PR_SET_KEEPCAPS, 0);
	DO(prctl, PR_SET_NO_NEW_PRIVS, 0, 0L, 0L, 0L);
	DO(prctl, PR_GET_SECCOMP);
	DO(prctl, 7777, 1L, 2L, 3L, 4L);
	DO(personality, 0x0040000L);
	DO(personality, 0L);
	DO(seccomp, 0, 1, BAD);
	DO(syslog, 10, 0L, 0);
	DO(syslog, 77, BAD, -1);
	DO(rseq, 0L, 0, 0, 0);
	DO(set_tid_address, &word);
	DO(ptrace, 0x4206, 999999, 0L, 0L);
	DO(ptrace, 77, -1, BAD, BAD);
	DO(reboot, 1, 2, 3, 0L);
	DO(sysinfo, BAD);
	DO(times, BAD);
	DO(uname, BAD);
	DO(unshare, CLONE_NEWNS | CLONE_FILES | 0x100);
	DO(setns, 99, CLONE_NEWUSER | CLONE_NEWPID);
	DO(getrandom, BAD, 5L, 0);
	DO(execveat, 99, "none", ((char *[]){ "none", "\1", 0 }), ((char *[]){ 0 }),
	   AT_EMPTY_PATH | AT_SYMLINK_NOFOLLOW);
	DO(execve, "", ((char *[]){ 0 }), 0L);
	DO(execve, "none", ((char *[]){ "a", BAD, 0 }), 0L);
	DO(clone3, &clone, 0L);
	DO(clone3, BAD, sizeof(clone));
	/* not by a function: the child would leave another return address on the stack */
	asm volatile("syscall" : "=a"(result) : "a"(SYS_vfork) : "rcx", "r11", "memory");
	child = result;
	if (!child)
		DO(exit, 5);
	DO(wait4, child, &status, __WALL, buffer);
	child = DO(fork);
	if (!child) {
		DO(kill, getpid(), SIGKILL);
		DO(exit_group, -1);
	}
	DO(waitid, P_PID, child, buffer, WEXITED | WNOWAIT | WSTOPPED | WCONTINUED, 0L);
	DO(wait4, child, &status, 0, 0L);
	DO(waitid, 77, 0, BAD, -1, BAD);
	DO(bpf, 5, BAD, 40);
	DO(pidfd_open, 1, O_NONBLOCK);
}

int main(void)
{
	char directory[] = "/tmp/spile-more-calls.XXXXXX", command[80];

	if (!mkdtemp(directory) || chdir(directory))
		return 1;
	signal(SIGALRM, SIG_IGN);
	signal(SIGPROF, SIG_IGN);
	DO(chdir, "/spile-begin");
	queues();
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
