// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Where points are in the running kernel. Those in modules are an offset in a section (objects.c).
 * Link-time addresses of vmlinux get the KASLR slide, found from one exported function, and are
 * checked against kallsyms. Names are looked up by registering disabled
 * kprobes: the one exported way since kallsyms_lookup_name() is not. They are given back in one
 * batch, because each batch waits for a grace period.
 */
#include <linux/kallsyms.h>
#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/slab.h>
#include "arch/arch.h"
#include "probes/probes.h"

static u64 slide;
static int slide_known;

/*
 * Resolve names[i] to addrs[i], or a negative errno in errs[i]. Where the kernel searches all its
 * names for each, thousands take a minute: -EINTR when the session ends meanwhile.
 */
static int lookup_names(char **names, u32 n, unsigned long *addrs, int *errs)
{
	struct kprobe *list = kvcalloc(n, sizeof(*list), GFP_KERNEL);
	struct kprobe **done = kvcalloc(n, sizeof(*done), GFP_KERNEL);
	u32 i, n_done = 0;
	int err = -ENOMEM;

	if (!list || !done)
		goto out;
	for (i = 0; i < n && !stp_session_ending(); i++) {
		list[i].symbol_name = names[i];
		list[i].flags = KPROBE_FLAG_DISABLED;
		errs[i] = register_kprobe(&list[i]);
		addrs[i] = errs[i] ? 0 : (unsigned long)list[i].addr;
		if (!errs[i])
			done[n_done++] = &list[i];
	}
	if (n_done)
		unregister_kprobes(done, n_done);
	err = i < n ? -EINTR : 0;
out:
	kvfree(done);
	kvfree(list);
	return err;
}

/*
 * The usual anchor we are linked with ourselves. __symbol_get() would refuse it, and say so in the
 * log: since 6.6, and in stable kernels, it is for GPL-only symbols.
 */
static unsigned long exported_address(const char *name)
{
	void *exported;

#ifdef printk
	if (!strcmp(name, "_printk"))
		return (unsigned long)_printk;
#else
	if (!strcmp(name, "printk"))
		return (unsigned long)printk;
#endif
	exported = __symbol_get(name);
	if (exported)
		__symbol_put(name);
	return (unsigned long)exported;
}

/**
 * stp_kernel_slide_find - how far the kernel was moved at boot
 *
 * Returns 0, or a negative errno when it cannot be told. Context: process, may sleep.
 */
int stp_kernel_slide_find(void)
{
	char *name = (char *)stp_script.anchor_symbol;
	unsigned long addr;
	int err;

	if (slide_known)
		return 0;
	if (!name || !stp_script.anchor_addr)
		return -EINVAL;
	addr = exported_address(name);
	if (!addr && (lookup_names(&name, 1, &addr, &err) || err))
		return -ENOENT;
	if ((addr & (PAGE_SIZE - 1)) ==
	    ((stp_script.anchor_addr + STP_ARCH_ENTRY_MARK) & (PAGE_SIZE - 1)))
		addr -= STP_ARCH_ENTRY_MARK;
	slide = addr - stp_script.anchor_addr;
	if (slide & (PAGE_SIZE - 1))
		return -ENOEXEC;
	slide_known = 1;
	return 0;
}

/*
 * begin handlers may read before any point is resolved. Who needs the slide says so when it is not
 * known.
 */
static int slide_init(void)
{
	stp_kernel_slide_find();
	return 0;
}

static void slide_exit(void)
{
}

const struct stp_member stp_member_slide = { .init = slide_init, .exit = slide_exit };

/**
 * stp_kernel_address - run-time address of a link-time one; 0, which no read survives, when it is
 * not known
 *
 * Context: any handler; the slide was looked for when the session was prepared.
 */
stp_u64 stp_kernel_address(stp_u64 link_addr)
{
	return likely(slide_known) ? link_addr + slide : 0;
}

/* Does kallsyms call this address by that name? */
static int symbol_is(unsigned long addr, const char *name)
{
	char text[KSYM_SYMBOL_LEN];
	size_t len = strlen(name);

	sprint_symbol(text, addr);
	return !strncmp(text, name, len) && !strncmp(text + len, "+0x0/", 5);
}

/* Names still to look up for one probe, and the points they are of. */
struct pending {
	char **names;
	unsigned long *addrs;
	int *errs;
	u32 *points;
	u32 n;
};

static void pending_free(struct pending *w)
{
	while (w->names && w->n)
		kfree(w->names[--w->n]);
	kvfree(w->names);
	kvfree(w->addrs);
	kvfree(w->errs);
	kvfree(w->points);
}

static int pending_alloc(struct pending *w, u32 n)
{
	w->n = 0;
	w->names = kvcalloc(n, sizeof(*w->names), GFP_KERNEL);
	w->addrs = kvcalloc(n, sizeof(*w->addrs), GFP_KERNEL);
	w->errs = kvcalloc(n, sizeof(*w->errs), GFP_KERNEL);
	w->points = kvcalloc(n, sizeof(*w->points), GFP_KERNEL);
	return w->names && w->addrs && w->errs && w->points ? 0 : -ENOMEM;
}

static int pending_add(struct pending *w, const struct stp_point *point, u32 index)
{
	w->names[w->n] = kstrdup(point->kernel.symbol, GFP_KERNEL);
	if (!w->names[w->n])
		return -ENOMEM;
	w->points[w->n++] = index;
	return 0;
}

/* In a module. One that is not here may come: see probes/modules.c. */
static int resolve_in_section(const struct stp_probe *p, u32 i, unsigned long *addr)
{
	const struct stp_kernel_attach *at = &p->points[i].kernel;
	const struct stp_section *s = &stp_script.sections[at->section - 1];
	const struct stp_object *o = &stp_script.objects[s->object];
	unsigned long base = READ_ONCE(s->base);
	int is_other = o->is_other;

	*addr = 0;
	if (!base && !is_other)
		return 0;
	if (!is_other && !o->build_id && !symbol_is(base + at->addr, at->symbol)) {
		if (stp_point_gone(&p->points[i]))
			return 0; /* just now */
		is_other = 1;
	}
	if (is_other)
		return stp_point_failed(
			p, i, -ENOEXEC,
			"the module loaded is not the one this script was compiled for");
	*addr = base + at->addr;
	return 0;
}

/* First round: addresses that check out; the rest is left pending. */
static int resolve_linked(const struct stp_probe *p, unsigned long *addrs, struct pending *w)
{
	u32 i;
	int err = 0;

	for (i = 0; i < p->n_points && !err; i++) {
		const struct stp_point *point = &p->points[i];

		if (point->kernel.section) {
			err = resolve_in_section(p, i, &addrs[i]);
			continue;
		}
		if (point->kernel.absolute) {
			addrs[i] = point->kernel.addr;
			continue;
		}
		addrs[i] = point->kernel.addr ? point->kernel.addr + slide : 0;
		if (!addrs[i] && !point->kernel.symbol)
			err = stp_point_failed(p, i, -EINVAL, "it has neither address nor symbol");
		else if (point->kernel.symbol &&
			 (!addrs[i] || !symbol_is(addrs[i], point->kernel.symbol)))
			err = pending_add(w, point, i);
	}
	return err;
}

/* Second round: what the names of the rest resolve to. */
static int resolve_named(const struct stp_probe *p, unsigned long *addrs, struct pending *w)
{
	u32 k;
	int err = w->n ? lookup_names(w->names, w->n, w->addrs, w->errs) : 0;

	for (k = 0; k < w->n && !err; k++) {
		u32 i = w->points[k];

		if (w->errs[k]) {
			const char *why = w->errs[k] == -ENOENT ? "symbol not found"
								: "the kernel refuses probes there";
			addrs[i] = 0;
			err = stp_point_failed(p, i, w->errs[k], why);
		} else if (!addrs[i]) {
			addrs[i] = w->addrs[k];
		} else if (w->addrs[k] != addrs[i] &&
			   w->addrs[k] != addrs[i] + STP_ARCH_ENTRY_MARK) {
			/* another name of the same place is fine, another place is not */
			addrs[i] = 0;
			err = stp_point_failed(
				p, i, -ENOEXEC,
				"kernel is not the one this module was compiled for");
		}
	}
	return err;
}

/**
 * stp_resolve - run-time addresses of all points of a probe
 * @addrs: n_points of them; 0 for an optional point that is not there
 *
 * Checks against the running kernel's symbols. Returns 0, or negative with stp_arm_text filled;
 * then @addrs means nothing. At most two batches of disabled kprobes, each given back before the
 * return.
 *
 * Context: process, may sleep.
 */
int stp_resolve(const struct stp_probe *p, unsigned long *addrs)
{
	struct pending w = {};
	u32 i;
	int err = 0;

	for (i = 0; i < p->n_points && !err; i++) {
		const struct stp_kernel_attach *at = &p->points[i].kernel;

		if (at->addr && !at->section && !at->absolute && stp_kernel_slide_find())
			err = stp_point_failed(
				      p, i, -ENOEXEC,
				      "kernel is not the one this module was compiled for (its anchor symbol is elsewhere)")
				      ?: -ENOEXEC;
	}
	if (!err)
		err = pending_alloc(&w, max(p->n_points, 1u));
	if (!err)
		err = resolve_linked(p, addrs, &w);
	if (!err)
		err = resolve_named(p, addrs, &w);
	for (i = 0; i < p->n_points && !err; i++) {
		if (addrs[i])
			addrs[i] += p->points[i].kernel.offset;
	}
	pending_free(&w);
	if (err && !stp_arm_text[0])
		scnprintf(stp_arm_text, sizeof(stp_arm_text), "probe %s: cannot resolve (rc %d)",
			  stp_probe_name(p), err);
	return err;
}
