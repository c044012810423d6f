/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the module and its reader say to each other. Host byte order, fixed widths; WIRE_VERSION
 * changes with any change here, and the reader refuses a module of another version.
 *
 * /proc/systemtap/MODULE/ holds, root-owned and mode 0600 (owned by the uid given in the module
 * parameter _uid):
 *   cmd      control channel: write() one struct stp_cmd, read() whole struct stp_msg; poll() works. One opener
 *            at a time. Its release without STP_CMD_DETACH stops the session (orderly, end probes
 *            included). After one with it the session goes on, and a later opener continues with
 *            what is in the rings.
 *   ringN    one per possible CPU: mmap() only. Offset 0 is one page of struct stp_relay_ctl, then ring_len bytes of
 *            data (a power of two, page multiple).
 *   script   read(): the struct stp_script_info blob below: what a reader needs to decode records.
 *   ledger   read(): struct stp_ledger_row per probe, any time.
 *   timing   read(): struct stp_timing, then struct stp_lock_row per lock, then struct stp_timing_stat per point, any time.
 *            Only with STP_SCRIPT_TIMING.
 *   tables   files that user stacks met and that the module carries no tables of: poll() tells of one, read() gives struct
 *            stp_table_wanted, or 0 bytes when there is none; write() takes struct stp_table_given
 *            with the table behind it, in one call. Only for root, when the script asks for user
 *            stacks or symbols, for the process that has cmd open, with CAP_SYS_ADMIN; not on
 *            PREEMPT_RT.
 *
 * Output streams through a relay channel: a ring for each CPU.
 *
 * Ring: one producer (that CPU, interrupts off), one consumer. head and tail are byte counts that
 * only grow; position is count modulo ring_len. A record never straddles the end: STP_REC_PAD fills
 * the rest. The producer writes the record, then stores head with release; the consumer loads head
 * with acquire, and stores tail with release when done. A record that does not fit is not written:
 * lost_records and lost_bytes count it. While the session is detached there is no consumer: the
 * producer drops the oldest records for the new one, moves tail itself and counts overwritten. From
 * STP_CMD_START on, also one that is too late to start anything, tail is the consumer's again.
 *
 * Order: ts is CLOCK_MONOTONIC-like nanoseconds (ktime_get_mono_fast_ns), taken once per probe hit,
 * so all records of one hit have the same (cpu, ts) and stay contiguous. Within a ring ts never
 * decreases. To merge: note T = CLOCK_MONOTONIC now minus a margin, drain every ring, emit in (ts,
 * cpu) order all records with ts <= T; keep the rest for the next turn. A handler that prints much
 * may still be at it then. From before its first record is published until after its last,
 * open_since of its ring is its ts. The consumer loads open_since with acquire, then head with
 * acquire, of every ring; with S the least open_since that is not 0 it emits no record with ts > S,
 * so that what other CPUs print later stays behind. A handler is bounded by MAXACTION, but its CPU
 * can be stopped (a virtual machine's): the consumer bounds how long it waits for one S. Hits in
 * process context (begin, end, error) run alone, take a time for each record and leave open_since
 * alone.
 *
 * Context: the rings are written by any handler; the files are read and written in process context.
 */

/*
 * Module parameters (module_param in base.o, permissions 0 but for _cookie): how staprun hands
 * settings to init.
 *   _uid      uint   owner of the files in /proc/systemtap/MODULE/; default 0
 *   _cookie   ullong drawn by whoever loads the module, 0: nobody did. Root reads it in /sys/module/MODULE/parameters/_cookie: so
 *                    a process tells its own module from another of the same name
 *   _ring_kb  uint   KiB of ring data per CPU, rounded up to a power of two; 0: stp_script.ring_len, else the default
 *   args      charp  values for stp_script.params: "name=value" items separated by STP_ARGS_SEPARATOR. A number is
 *                    decimal, 0x hexadecimal or 0 octal, signed; a string is taken as it is. An
 *                    unknown name or a bad number makes init fail with -EINVAL after a pr_err that
 *                    names the item.
 */
#ifndef STP_UAPI_WIRE_H
#define STP_UAPI_WIRE_H

#include "hist.h"
#include "types.h"

/* Where each loaded module has a directory by its name. */
#define STP_PROC_NAME "systemtap"
#define STP_PROC_ROOT "/proc/" STP_PROC_NAME

/*
 * Characters of a module's name: the kernel's MODULE_NAME_LEN less the NUL, on machines of 64 bits.
 */
#define STP_MODULE_NAME_MAX 55

#define STP_WIRE_MAGIC 0x53504c31u /* "SPL1" */
/*
 * Names of the procfs files by which input.char and input.line get what the reader reads
 * (tapset/input.stp).
 */
#define STP_INPUT_CHARS "__stdin"
#define STP_INPUT_LINES "__stdin_line"

#define STP_WIRE_VERSION 10
/* A module's .modinfo has stap_wire=STP_WIRE_VERSION; staprun loads no other. */
#define STP_ARGS_SEPARATOR '\001'

/*
 * Who writes a field is said beside it. Producer, consumer and constants have cache lines of their
 * own, of 64 bytes.
 */
struct stp_relay_ctl {
	stp_u64 head;         /* producer; bytes ever written */
	stp_u64 lost_records; /* producer */
	stp_u64 lost_bytes;   /* producer */
	stp_u64 overwritten;  /* producer; records */
	stp_u64 open_since;   /* producer; see Order above; 0: no hit is writing */
	stp_u64 pad0[3];
	stp_u64 tail;    /* consumer; bytes ever read, head at most */
	stp_u32 waiting; /* consumer sets before it sleeps in poll(); producer clears and wakes */
	/*
	 * consumer: it has records in hand and comes back for more, however long their output takes
	 */
	stp_u32 printing;
	stp_u64 pad2[6];
	stp_u64 ring_len; /* constant; bytes, a power of two */
	stp_u32 cpu;      /* constant; number of the CPU */
	stp_u32 pad3;
};

enum stp_rec_kind {
	STP_REC_PAD = 0, /* skip size bytes */
	STP_REC_FORMAT,  /* id: index into formats; payload: its arguments */
	STP_REC_TEXT,    /* payload: bytes as they are (len first: stp_u32, then bytes) */
	/* as TEXT, no newline; reader prints "ERROR: %s\n" on stderr and remembers failure */
	STP_REC_ERROR,
	STP_REC_WARNING, /* as TEXT; "WARNING: %s\n" on stderr, repeated ones suppressed */
	/* id: index into hists; payload: stp_u64 count then stp_u64 bucket[n] (n from the shape) */
	STP_REC_HIST,
	STP_REC_SWITCH, /* rotate the output file now (switch_file()) */
	STP_REC_SYSTEM, /* as TEXT: run this shell command (system()) */
	STP_REC_JIT,    /* payload: struct stp_rec_jit, for which the reader writes a symbol */
};

/* Every record begins 8-aligned with this; size includes it and is a multiple of 8. */
struct stp_rec {
	stp_u32 size; /* bytes; at most half of the ring, but for STP_REC_PAD */
	stp_u16 kind; /* enum stp_rec_kind */
	stp_u16 id;   /* by kind, else 0 */
	stp_u64 ts;   /* ns, CLOCK_MONOTONIC; not in STP_REC_PAD, which may end before it */
};

/*
 * FORMAT payload: arguments in order. A long (also a '*' width or precision): 8 bytes. A string,
 * and the bytes of %m/%M: stp_u32 length, bytes, zero padding to a multiple of 8 of the whole.
 * print/println/printd are formats too: the compiler writes "%d%s\n". Delimiters and literal text
 * are in the format with % doubled.
 */

/*
 * An address in code that a JIT compiler has made: "SYM+0xOFF/0xSIZE [FILE]" by the map that its
 * process has written (reader/perf_map.h), else "0xADDR".
 */
struct stp_rec_jit {
	stp_u64 addr;
	stp_u64 started; /* when the process was: ns since boot */
	stp_u32 pid,
		own_pid; /* of the process: in the kernel's own PID namespace, and in its own */
	stp_u32 uid;     /* whose the process is */
	stp_u16 brief;   /* without "/0xSIZE" */
	/* bytes before addr that the symbol is of: a return address may be behind its function */
	stp_u16 back;
};

/*
 * What `script` reads as: this header, then the tables at their offsets (from the start of the
 * blob).
 */
struct stp_script_info {
	stp_u32 magic, version;
	stp_u32 size;   /* of the whole blob */
	stp_u32 n_cpus; /* rings are ring0 .. ringN-1, N = n_cpus; absent for impossible CPUs */
	stp_u32 n_formats,
		/* n_formats times: stp_u32 offset of a NUL-terminated format, from blob start */
		formats_off;
	stp_u32 n_hists, hists_off;   /* struct stp_hist_shape */
	stp_u32 n_probes, probes_off; /* struct stp_probe_info */
	stp_u32 flags;                /* STP_SCRIPT_* of program.h */
	stp_u32 ring_len;
	stp_u32 n_points,
		/* n_points times: stp_u32 offset of pp(), the points of probe 0 first */
		points_off;
	stp_u32 n_locks, locks_off; /* n_locks times: stp_u32 offset of the name of the global */
	/* points that are attached when all are: the sum of the ledger's n_points then */
	stp_u32 n_attach;
	stp_u32 reserved;
};

struct stp_probe_info { /* offsets of NUL-terminated text from blob start */
	stp_u32 pp, pn, location;
	/* with -t: the points it was derived from; "": no probe of the script's own */
	stp_u32 from;
	stp_u32 first_point, n_points; /* those of this probe */
};

/*
 * Why a hit did not run its handler to the end. The ledger: hits = ran + sum(skipped); missed is
 * the kernel's count.
 */
enum stp_skip {
	STP_SKIP_REENTRANT = 0, /* a handler was running on this CPU */
	STP_SKIP_LOCK,          /* a global's lock was not had within MAXTRYLOCK tries */
	STP_SKIP_STACK,         /* less than MINSTACKSPACE of kernel stack left */
	/* hit in NMI context, or on a stack that is neither a task's nor the interrupts' */
	STP_SKIP_NMI,
	STP_SKIP_OVERLOAD,  /* this probe is being throttled */
	STP_SKIP_STATE,     /* the session was not running yet: probes were still being armed */
	STP_SKIP_SAVED,     /* return probe: no room to save strings of one more call */
	STP_SKIP_STOPPED,   /* the session was ending, or had ended */
	STP_SKIP_CONDITION, /* the probe's condition was false, or failed */
	/*
	 * values of the function's entry were not saved, for an error or a lock not had, or are
	 * kept no longer, for more calls than there is room
	 */
	STP_SKIP_ENTRY,
	/* what is asked for was to be seen at the entry, under another session or arming */
	STP_SKIP_FOREIGN,
	/* hit where the kernel's RCU does not watch: on the way into or out of idle */
	STP_SKIP_RCU,
	STP_SKIP_MAX
};

/* Cycles, or nanoseconds with STP_SCRIPT_NSECS. */
struct stp_timing_stat {
	stp_u64 count, min, sum, max, variance;
};

/*
 * The file `ledger`: a row for each probe, then for each point of all probes a stp_u64, the hits
 * the kernel left out there (kprobe and kretprobe nmissed), known when it is disarmed.
 */
struct stp_ledger_row {
	stp_u32 probe;    /* index */
	stp_u32 n_points; /* attached now */
	stp_u64 hits, ran, errors;
	stp_u64 skipped[16]; /* by enum stp_skip; the rest 0 */
	stp_u64 missed;      /* by the kernel, where several points share its counter (fprobe) */
	stp_u64 refused;     /* points that a wildcard found, but that could not be attached */
	stp_u64 overruns;    /* timers: ticks left out because the one before was late */
	/* functions that a wildcard found, but that ftrace cannot patch: -D STP_ENTRY_KPROBES */
	stp_u64 left_out;
	stp_u64 rearmed; /* times it was detached and attached again as modules came and went */
};

/* Globals that several handlers wanted at once. */
struct stp_lock_row {
	stp_u64 contention; /* times somebody had to wait */
	stp_u64 timeouts;   /* times that was in vain: hits skipped */
};

struct stp_timing {
	struct stp_timing_stat refresh; /* probes armed and disarmed as conditions changed */
	struct stp_timing_stat init;    /* loading, and arming the probes */
};

/* control channel, reader to module */
enum stp_cmd_type {
	STP_CMD_START =
		/*
		 * arg: target pid; runs begin probes and arms. Answered by STP_MSG_STARTED; once
		 * only: EALREADY
		 */
	1,
	STP_CMD_EXIT,   /* orderly stop; answered by STP_MSG_STOPPED once end probes ran */
	STP_CMD_DETACH, /* the coming release of `cmd` leaves the session running */
	STP_CMD_TARGET, /* arg: target pid changed */
	/*
	 * the reader's time zone: more is seconds west of UTC, the bytes of arg its name,
	 * NUL-padded
	 */
	STP_CMD_ZONE,
	/*
	 * arg: pid, as the sender counts; before START. ns_*() count as that process does. ESRCH:
	 * there is none
	 */
	STP_CMD_NAMESPACES,
};

struct stp_cmd {
	stp_u32 type;
	int more; /* ZONE only; else 0 */
	stp_long arg;
};

/* control channel, module to reader */
enum stp_msg_type {
	/*
	 * arg: 0; 1: it is ending already (exit() or an error in begin), STOPPED follows; or a
	 * negative errno: arming failed, everything is disarmed, text says why
	 */
	STP_MSG_STARTED = 1,
	/* arg: 1 when the session ended by error. All output is in the rings: drain, then quit */
	STP_MSG_STOPPED,
	/*
	 * exit() or too many errors: the reader should send STP_CMD_EXIT (module stops by itself if
	 * not)
	 */
	STP_MSG_REQUEST_EXIT,
	STP_MSG_WARNING, /* text */
	STP_MSG_ERROR,   /* text */
};

struct stp_msg {
	stp_u32 type;
	stp_u32 size; /* whole message, text included */
	stp_long arg;
	char text[]; /* size - 16 bytes, NUL-terminated when present */
};

/* A file that a table is wanted of. */
struct stp_table_wanted {
	stp_u32 slot;
	int fd; /* opened in the reader, close-on-exec, for reading */
};

/*
 * The answer. ESTALE: the slot does not wait for one; EINVAL: these are not so many bytes, or no
 * table (uapi/user_table.h); ENOSPC, ENOMEM: there is no room for it. A file whose answer was
 * looked at is not asked for again.
 */
struct stp_table_given {
	stp_u32 slot;
	/* bytes of the table, at most STP_USER_TABLE_MAX; 0: there is none, and will be none */
	stp_u32 size;
};

/*
 * How stapio tells staprun what it leaves behind; with any other exit status the module is to be
 * removed.
 */
#define STP_READER_DETACHED 64 /* the session goes on without a reader, as asked */
#define STP_READER_REFUSED 65  /* it did not attach: the module is as it was */
#define STP_READER_FAILED 66   /* it goes on, left because its output could not be written */

#endif
