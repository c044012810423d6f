/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * System calls as programs of 32 bits make them (int 0x80, the kernel's numbers of arch/x86/entry/syscalls/syscall_32.tbl), without a
 * C library: it is built as such a program and, with all its data below 4 GB, as a 64-bit one. Between two calls of chdir(); with
 * SIGNALS a few more of them.
 */
#define O_RDWR 2
#define O_CREAT 0100
#define AT_FDCWD -100

typedef unsigned int word;

static word call6(word nr, word a, word b, word c, word d, word e)
{
	word result;

	__asm__ volatile("int $0x80"
			 : "=a"(result)
			 : "a"(nr), "b"(a), "c"(b), "d"(c), "S"(d), "D"(e)
			 : "memory"
#ifdef __x86_64__
			   ,
			   "r8", "r9", "r10", "r11"
#endif
	);
	return result;
}

/* The sixth argument is in ebp, which the compiler may use for the frame. */
static word sixth __attribute__((used));

static word call7(word nr, word a, word b, word c, word d, word e, word f)
{
	word result;

	sixth = f;
	__asm__ volatile(
#ifdef __x86_64__
		"mov %%rbp, %%r12\n\tmov sixth, %%ebp\n\tint $0x80\n\tmov %%r12, %%rbp"
#else
		"push %%ebp\n\tmov sixth, %%ebp\n\tint $0x80\n\tpop %%ebp"
#endif
		: "=a"(result)
		: "a"(nr), "b"(a), "c"(b), "d"(c), "S"(d), "D"(e)
		: "memory"
#ifdef __x86_64__
		  ,
		  "r8", "r9", "r10", "r11", "r12"
#endif
	);
	return result;
}

#define AT(what) ((word)(unsigned long)(what))
#define CALL(nr, a, b, c, d, e) call6(nr, (word)(a), (word)(b), (word)(c), (word)(d), (word)(e))

static word timespec[2] = { 0, 1000 };
static word timespec64[4] = { 0, 0, 1000, 0 };
static word timeval[2] = { 0, 5 };
static word segment[4] = { 13, 0x1000, 0xfff, 0x51 };
static word wrong[2] = { -1, 5 };
static word timers[4] = { 0, 0, 0, 0 };
static word alarms[4] = { 1, 2, 3, 4 };
static word alarms64[8] = { 5, 0, 6, 0, 7, 0, 8, 0 };
/* modes, offset, freq, maxerror, esterror, status, constant; of 64 bits but modes and status */
static word timex[32] = { 1, 2, 3, 4, 5, 6, 7 };
static word timex64[52] = { 1, 0, 2, 0, -3, -1, 4, 0, 5, 0, 6, 0, 7, 0 };
static word limit[2] = { 100, -1 };
static word set[2] = { 1 << 1 | 1 << 14, 0 };
#ifdef SIGNALS
static word pending[2];
#endif
/* sa_handler, sa_flags, sa_restorer, sa_mask */
static word action[5] = { 1, 0x10000000, 0, 1 << 1, 0 };
static unsigned char in[16] = { 2, 0, 0, 80, 1, 2, 3, 4 };
static word socket_arguments[3] = { 2, 1, 6 };
static word vector[2];
static word mmap_arguments[6] = { 0, 4096, 3, 0x22, -1, 0 };
static word argv[3], envp[2];

static void calls(void)
{
	vector[0] = AT("abc");
	vector[1] = 3;
	argv[0] = AT("none");
	argv[1] = AT("one two");
	envp[0] = AT("A=B");
	CALL(5, AT("none"), O_RDWR, 0, 0, 0); /* open */
	CALL(5, AT("/nosuch/a"), O_RDWR | O_CREAT, 0640, 0, 0);
	CALL(295, AT_FDCWD, AT("none"), 0x80000, 0, 0);      /* openat */
	CALL(4, 99, AT("hello\n"), 6, 0, 0);                 /* write */
	CALL(3, -1, 0x123000, -1, 0, 0);                     /* read */
	CALL(6, 99, 0, 0, 0, 0);                             /* close */
	CALL(243, AT(segment), 0, 0, 0, 0);                  /* set_thread_area */
	CALL(244, AT(segment), 0, 0, 0, 0);                  /* get_thread_area */
	CALL(19, 99, -5, 2, 0, 0);                           /* lseek */
	CALL(140, 99, 1, 5, 0x123000, 0);                    /* _llseek */
	CALL(180, 99, 0x123000, 16, 7, 1);                   /* pread64 */
	CALL(193, AT("none"), 4096, 1, 0, 0);                /* truncate64 */
	CALL(195, AT("none"), 0x123000, 0, 0, 0);            /* stat64 */
	CALL(300, AT_FDCWD, AT("none"), 0x123000, 0x100, 0); /* fstatat64 */
	CALL(15, AT("none"), 0600, 0, 0, 0);                 /* chmod */
	CALL(16, AT("none"), -1, 5, 0, 0);                   /* chown: 16 bits */
	CALL(212, AT("none"), -1, 5, 0, 0);                  /* chown32 */
	CALL(221, 99, 4, 04000, 0, 0);                       /* fcntl64 */
	CALL(54, 99, 0x5413, 0, 0, 0);                       /* ioctl */
	CALL(146, 99, AT(vector), 1, 0, 0);                  /* writev */
	CALL(162, AT(timespec), 0, 0, 0, 0);                 /* nanosleep */
	CALL(162, AT(wrong), 0, 0, 0, 0);
	CALL(162, 0x123000, 0, 0, 0, 0);
	CALL(267, 1, 0, AT(timespec), 0, 0);   /* clock_nanosleep */
	CALL(407, 1, 0, AT(timespec64), 0, 0); /* clock_nanosleep_time64 */
	CALL(403, 1, 0x123000, 0, 0, 0);       /* clock_gettime64 */
	CALL(142, 0, 0, 0, 0, AT(timeval));    /* _newselect */
	CALL(104, 0, AT(timers), 0, 0, 0);     /* setitimer */
	CALL(75, 4, AT(limit), 0, 0, 0);       /* setrlimit */
	CALL(174, 10, AT(action), 0, 8, 0);    /* rt_sigaction */
	CALL(175, 0, AT(set), 0, 8, 0);        /* rt_sigprocmask */
	CALL(37, 999999, 15, 0, 0, 0);         /* kill */
#ifdef SIGNALS
	CALL(238, 999999, 32, 0, 0, 0);      /* tkill */
	CALL(270, 999999, 999998, 64, 0, 0); /* tgkill */
	CALL(176, AT(pending), 8, 0, 0, 0);  /* rt_sigpending */
#endif
	CALL(102, 1, AT(socket_arguments), 0, 0, 0);  /* socketcall */
	CALL(359, 2, 0x80001, 6, 0, 0);               /* socket */
	CALL(362, 99, AT(in), 16, 0, 0);              /* connect */
	CALL(90, AT(mmap_arguments), 0, 0, 0, 0);     /* mmap */
	CALL(192, 0, 4096, 3, 0x22, -1);              /* mmap2 */
	CALL(125, 1, 4096, 1, 0, 0);                  /* mprotect */
	CALL(240, AT(set), 0x80, 1, AT(timespec), 0); /* futex */
	CALL(114, 999999, 0, 1, 0, 0);                /* wait4 */
	CALL(20, 0, 0, 0, 0, 0);                      /* getpid */
	CALL(199, 0, 0, 0, 0, 0);                     /* getuid32 */
	CALL(117, 14, 99, 0, 0x1000, 0);              /* ipc */

	/* the same calls, with words and with 64 bits in what they are given */
	CALL(325, 99, 1, AT(alarms), 0, 0);              /* timerfd_settime */
	CALL(411, 99, 1, AT(alarms64), 0, 0);            /* timerfd_settime64 */
	CALL(177, AT(set), 0, AT(timespec), 8, 0);       /* rt_sigtimedwait */
	CALL(421, AT(set), 0, AT(timespec64), 8, 0);     /* rt_sigtimedwait_time64 */
	CALL(343, 1, AT(timex), 0, 0, 0);                /* clock_adjtime */
	CALL(405, 1, AT(timex64), 0, 0, 0);              /* clock_adjtime64 */
	CALL(253, 5, 1, 0x123000, 64, 0);                /* lookup_dcookie: 64 bits in two words */
	call7(339, 99, 1, 1, 2, AT_FDCWD, AT("marked")); /* fanotify_mark: its third is, too */
	CALL(11, AT("none"), AT(argv), AT(envp), 0, 0);  /* execve */
}

void _start(void)
{
	/* a handler at the entry of a call reads what is in memory: not a page that nobody has touched yet */
	(void)*(volatile const char *)"/spile-begin";

	CALL(12, AT("/spile-begin"), 0, 0, 0, 0);
	calls();
	CALL(12, AT("/spile-end"), 0, 0, 0, 0);
	CALL(1, 0, 0, 0, 0, 0);
}
