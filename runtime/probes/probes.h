/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Attaching handlers to events: one file per kind of event, each a struct stp_family. probes.c
 * walks the script's probes and calls through it; resolve.c turns points into addresses.
 *
 * Context: process, may sleep, unless said; one at a time, since loading, the session's worker and
 * unloading follow each other, and a lock keeps the notifier of modules out. What hits read is
 * written before they can come.
 */
#ifndef STP_PROBES_PROBES_H
#define STP_PROBES_PROBES_H

#include "core/internal.h"

/*
 * One for each row of src/ir/probe_kinds.def, under its name. All but type may be NULL. p->impl
 * belongs to the family; what prepare took, release frees.
 */
struct stp_family {
	const char *type;     /* probe_type() */
	enum stp_phase phase; /* not NONE: the session runs it, nothing is armed */
	/*
	 * Armed before those without it: what is attached later is called first
	 * (kernel/trace/ftrace.c, add_ftrace_ops()), so handlers of entries find the caller's
	 * address before a return's trampoline stands in its place.
	 */
	int first;
	/*
	 * It sees to points in modules that come and go itself. Without it, points with a module
	 * attach by the kernel arm (objects.c).
	 */
	int follows_modules;
	int (*prepare)(struct stp_probe *p);  /* load: take memory */
	void (*release)(struct stp_probe *p); /* unload; p->impl may be NULL */
	/* 0, or negative with stp_arm_text filled; may leave a part armed */
	int (*arm)(struct stp_probe *p);
	/* after a whole, partial or missing arm; no hit runs afterwards */
	void (*disarm)(struct stp_probe *p);
	/* points attached now; beside everything else */
	u32 (*attached)(const struct stp_probe *p);
	u32 (*left_out)(
		const struct stp_probe *p); /* points not attached for want of a patchable call */
	u64 (*overruns)(
		const struct stp_probe *p); /* ticks of a timer left out; beside everything else */
	/* NULL where every hit notes its point, or there is none. Context: any handler */
	const struct stp_point *(*point)(const struct stp_probe *p, unsigned long addr);
};

/* The family of a kind, declared and defined in one: STP_FAMILY(stp_family_timer) = { ... }; */
#define STP_FAMILY(name)                                                                           \
	extern const struct stp_family name;                                                       \
	const struct stp_family name

/* objects.c, resolve.c */
void stp_objects_locate(void);
void stp_objects_gone(const char *module, const struct module *leaving);
void stp_objects_init_done(const char *module);
struct module;
int stp_module_is(const struct module *mod, const struct stp_object *o);
int stp_point_gone(const struct stp_point *point);
int stp_point_of_init(const struct stp_point *point);
int stp_resolve(const struct stp_probe *p, unsigned long *addrs);
int stp_kernel_slide_find(void);

/* probes.c: what families tell of the points of a probe */
void stp_point_refused(const struct stp_probe *p, const char *why);
int stp_point_failed(const struct stp_probe *p, u32 point, int err, const char *why);
void stp_point_missed(const struct stp_probe *p, u32 point, u64 n);
void stp_probe_missed(const struct stp_probe *p, u64 n);

/* probes.c, and modules.c, which calls it */
void stp_probes_follow(const char *module);
void stp_probes_init_done(const char *module);
void stp_probes_rearm_modules(void);
void stp_modules_later(void);
int stp_modules_follow(void);
void stp_modules_leave(void);

/* ---- addresses.c ---- */
/* Points by address: which one a hit that only knows its address is at. */
struct stp_address {
	unsigned long addr; /* run-time, of the symbol: without the ENDBR that may be there */
	u32 point;          /* index into the probe's points */
	u32 traced;         /* 1: ftrace knows it, see stp_ftrace_known() */
};

/* Written at arming; read by hits. */
struct stp_addresses {
	struct stp_address *list; /* in order of addr, room for all points */
	u32 n;
};

int stp_addresses_init(struct stp_addresses *addresses, u32 n_points);
void stp_addresses_exit(struct stp_addresses *addresses);
void stp_addresses_fill(struct stp_addresses *addresses, const unsigned long *addrs, u32 n_points);
const struct stp_point *stp_addresses_point(const struct stp_addresses *addresses,
					    const struct stp_probe *p, unsigned long addr);
u32 stp_wild_leave_out(const struct stp_probe *p, unsigned long *addrs, u32 known, u32 attached);

/* ftrace.c */
unsigned long stp_ftrace_location(unsigned long addr);
u32 stp_ftrace_known(struct stp_addresses *addresses, unsigned long *locations);
const char *stp_ftrace_silent(unsigned long location);
int stp_ftrace_off(const struct stp_probe *p, int err);

/* files.c: files that points are in, held open while some are attached */
struct inode;
int stp_file_get(struct stp_object *o);
struct inode *stp_file_inode(const struct stp_object *o, const char **why);
void stp_file_put(struct stp_object *o);
/* cpus.c: who is told of CPUs that come and go, on that CPU, in process context */
struct stp_cpus_follower {
	struct hlist_node node;
	int following;
	void (*came)(struct stp_cpus_follower *f, u32 cpu);
	void (*goes)(struct stp_cpus_follower *f, u32 cpu); /* or NULL */
};

int stp_cpus_follow(struct stp_cpus_follower *f, int present);
void stp_cpus_leave(struct stp_cpus_follower *f, int present);
/* percpu_events.c: a perf event on every CPU */
struct perf_event_attr;
int stp_percpu_events_prepare(struct stp_probe *p);
void stp_percpu_events_release(struct stp_probe *p);
int stp_percpu_events_arm(struct stp_probe *p, const struct perf_event_attr *attr,
			  int (*admits)(const struct stp_point *point));
int stp_percpu_events_shared(struct stp_probe *p);
void stp_percpu_events_disarm(struct stp_probe *p);
u32 stp_percpu_events_attached(const struct stp_probe *p);
struct perf_event;
struct perf_event *stp_percpu_event(const struct stp_probe *p);
/* perf.c */
int stp_perf_arm(struct stp_probe *p, int (*admits)(const struct stp_point *point));
/* watch.c */
int stp_watch_arm(struct stp_probe *p, int (*admits)(const struct stp_point *point));

/* trace_hook.c: a function at one of the kernel's own tracepoints */
struct tracepoint;
struct tracepoint *stp_tracepoint_find(const char *name);
struct stp_trace_hook {
	const char *name; /* of the tracepoint, without system */
	void *callback;   /* called with data and what the tracepoint passes */
	void *data;
	struct tracepoint *tp; /* NULL: it is not followed */
};

int stp_trace_follow(struct stp_trace_hook *h);
void stp_trace_leave(struct stp_trace_hook *hooks, u32 n);

/* Strings saved at entry for the return (saved_strings.c). Zeroed: of a probe that saves none. */
struct stp_saved_instance {
	struct task_struct *owner; /* NULL: free. The taker's; compared only, never followed */
	u32 next;                  /* of a free one: the next free instance, from 1; 0: none */
};

/* Of one probe; handlers take from it on any CPU at once. */
struct stp_saved_strings {
	struct stp_saved_instance *instances; /* n of them */
	char *bytes;                          /* n times instance_size */
	u32 n;                                /* instances, 65536 at most */
	u32 instance_size;                    /* bytes of all strings of one call */
	atomic64_t head;                      /* changes << 32 | first free instance */
	atomic_t taken;                       /* instances that are not free */
	u32 highest;                          /* number of the last one ever taken in this arming */
	struct stp_trace_hook freed;          /* where we learn of dead tasks */
};

int stp_saved_strings_init(struct stp_saved_strings *t, const struct stp_probe *p, u32 max_active);
void stp_saved_strings_exit(struct stp_saved_strings *t);
void stp_saved_strings_reset(struct stp_saved_strings *t);
void stp_saved_strings_watch(struct stp_saved_strings *t);
void stp_saved_strings_unwatch(struct stp_saved_strings *t);
u32 stp_saved_strings_alloc(struct stp_saved_strings *t, struct stp_ctx *c);
void stp_saved_strings_use(const struct stp_saved_strings *t, struct stp_ctx *c, u32 instance);
void stp_saved_strings_free(struct stp_saved_strings *t, u32 instance);

/* batches.c */
void stp_in_batches(void *first, size_t size, u32 *n, void (*unregister)(void **list, u32 n));

/* kprobes on the points with a non-zero address; also the fallback of entry probes. */
struct stp_kprobe;
struct stp_kprobes {
	struct stp_kprobe *list; /* NULL: not armed; else room for all points */
	u32 n;                   /* registered */
};

/* kprobe.c */
int stp_kprobes_arm(struct stp_kprobes *set, const struct stp_probe *p, const unsigned long *addrs);
void stp_kprobes_disarm(struct stp_kprobes *set);

/* padding.c */
int stp_is_traced_entry(unsigned long addr, unsigned long offset);
const char *stp_kprobe_refused(const struct stp_point *point, unsigned long addr);
struct kprobe;
const char *stp_kprobe_silent(const struct kprobe *kp);

/* optimise.c */
void stp_optimise_pause(u32 n);

#endif
