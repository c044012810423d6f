// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Where the sections of modules are now, and whether the modules are the ones the script was
 * compiled for.
 *
 * Modules are found by walking the kernel's list from our own entry: find_module() is not exported
 * since 5.12 (commit 089049f6c995), and looking up "MODULE:SYMBOL" by a disabled kprobe searches
 * all symbols of the kernel first. The list is read under RCU as kernel/module does (list_add_rcu,
 * list_del_rcu and a grace period before the memory goes). Its head is no module; that is no harm,
 * as only the name of an entry is looked at before it is known, and the head is followed by other
 * data of kernel/module, never by the name of one of ours.
 *
 * A section's address comes from the module's own symbol table, struct mod_kallsyms: while a module
 * is coming it has all symbols, those of .init.text too; do_init_module() puts the core's in place
 * of it behind the notifier of MODULE_STATE_LIVE, so of a live module sections of init are not
 * looked for. sect_attrs would not do: mod_sysfs_setup() makes them behind the notifier of
 * MODULE_STATE_COMING, and their type is private.
 *
 * The build-id is looked for as the whole note in the module's read-only data, where the kernel
 * puts the notes of a file that occupy memory.
 */
#include <linux/elf.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/rculist.h>
#include <linux/rcupdate.h>
#include "compat/module.h"
#include "probes/probes.h"

/*
 * Writers of what the tables say is loaded now: one that looks for modules and the notifier of one
 * that goes.
 */
static DEFINE_MUTEX(locating);

/* NT_GNU_BUILD_ID (gABI, notes: size of the name, of what follows it, type, name) */
struct build_id_note {
	u32 name_len, id_len, type;
	char name[4];
	char id[STP_BUILD_ID_SIZE];
};

static int has_build_id(const struct module *mod, const char *id)
{
	struct build_id_note want = { 4, STP_BUILD_ID_SIZE, 3, "GNU" };
	size_t len, at;
	const char *data = stp_module_rodata(mod, &len);

	memcpy(want.id, id, sizeof(want.id));
	for (at = 0; data && at + sizeof(want) <= len; at += 4) {
		if (*(const u32 *)(data + at) == want.name_len &&
		    !memcmp(data + at, &want, sizeof(want)))
			return 1;
	}
	return 0;
}

/**
 * stp_module_is - is a module the one that the script was compiled for?
 * @o: of its name
 *
 * By build-id; one without is not told apart. Context: any; @mod does not go meanwhile.
 */
int stp_module_is(const struct module *mod, const struct stp_object *o)
{
	return !o->build_id || has_build_id(mod, o->build_id);
}

/* .init.text, .init.data and so on: gone when the module is live */
static int is_of_init(const struct stp_section *s)
{
	return !strncmp(s->name, ".init", 5);
}

/*
 * The section of a module that a point is in, from 1; 0: it is in none. Its family does not follow
 * modules itself, so one with a module has the kernel arm.
 */
static u32 section_of(const struct stp_point *point)
{
	return point->module ? point->kernel.section : 0;
}

/**
 * stp_point_of_init - is a point in code that is given back when its module is live?
 *
 * Context: any.
 */
int stp_point_of_init(const struct stp_point *point)
{
	u32 section = section_of(point);

	return section && is_of_init(&stp_script.sections[section - 1]);
}

static void symbol_seen(const struct module *mod, const struct stp_object *o, const char *name,
			unsigned long addr)
{
	u32 i;

	for (i = o->sections; i; i = stp_script.sections[i - 1].next) {
		struct stp_section *s = &stp_script.sections[i - 1];

		if (mod->state == MODULE_STATE_LIVE && is_of_init(s))
			continue;
		if (s->anchor && !strcmp(s->anchor, name))
			s->seen = addr - s->anchor_offset;
	}
}

static void locate_sections(const struct module *mod, const struct stp_object *o)
{
	const struct mod_kallsyms *k = rcu_dereference_raw(mod->kallsyms);
	unsigned int i;

	for (i = 0; k && i < k->num_symtab; i++) {
		const Elf_Sym *sym = &k->symtab[i];

		if (sym->st_shndx != SHN_UNDEF)
			symbol_seen(mod, o, k->strtab + sym->st_name, kallsyms_symbol_value(sym));
	}
}

static void locate(const struct module *mod)
{
	u32 i;

	for (i = 0; i < stp_script.n_objects; i++) {
		struct stp_object *o = &stp_script.objects[i];

		if (!o->name || strcmp(o->name, mod->name) || mod == o->leaving ||
		    (mod->state != MODULE_STATE_LIVE && mod->state != MODULE_STATE_COMING))
			continue;
		o->is_other = !stp_module_is(mod, o);
		if (!o->is_other)
			locate_sections(mod, o);
	}
}

/*
 * Nothing has been seen; each object knows its sections. Where they are for handlers stays until
 * publish().
 */
static void look_anew(void)
{
	u32 i;

	for (i = 0; i < stp_script.n_objects; i++) {
		stp_script.objects[i].sections = 0;
		stp_script.objects[i].is_other = 0;
	}
	for (i = 0; i < stp_script.n_sections; i++) {
		struct stp_section *s = &stp_script.sections[i];

		s->seen = 0;
		s->next = stp_script.objects[s->object].sections;
		stp_script.objects[s->object].sections = i + 1;
	}
}

/* Handlers may be reading meanwhile: the address of a section that is still there never changes. */
static void publish(void)
{
	u32 i;

	for (i = 0; i < stp_script.n_sections; i++) {
		struct stp_section *s = &stp_script.sections[i];

		WRITE_ONCE(s->base, s->seen);
	}
}

/**
 * stp_section_address - run-time address of an offset in a section of a module
 *
 * 0 while the module is not loaded. Context: any handler.
 */
stp_u64 stp_section_address(stp_u32 section, stp_u64 offset)
{
	unsigned long base = READ_ONCE(stp_script.sections[section - 1].base);

	return base ? base + offset : 0;
}

/**
 * stp_objects_locate - find the sections of the modules that are loaded now
 *
 * Sets the runtime's fields of every object and section of the script. A section that is there
 * before and after has its address all the time: handlers read variables in it.
 *
 * Context: process, with the notifier of modules registered, so that nobody keeps an address in a
 * module that has gone; at load, and under the lock of arming, so that no module that is found goes
 * before what is armed in it is disarmed.
 */
void stp_objects_locate(void)
{
	const struct list_head *pos;

	mutex_lock(&locating);
	look_anew();
	rcu_read_lock();
	for (pos = rcu_dereference_raw(THIS_MODULE->list.next);
	     stp_script.n_sections && pos != &THIS_MODULE->list;
	     pos = rcu_dereference_raw(pos->next))
		locate(list_entry(pos, struct module, list));
	rcu_read_unlock();
	publish();
	mutex_unlock(&locating);
}

/* Sections of a module, or only those of its init, have no address any more. */
static void forget(const char *module, int of_init, const struct module *leaving)
{
	u32 i;

	mutex_lock(&locating);
	for (i = 0; i < stp_script.n_sections; i++) {
		struct stp_section *s = &stp_script.sections[i];
		struct stp_object *o = &stp_script.objects[s->object];

		if (!o->name || strcmp(o->name, module) || (of_init && !is_of_init(s)))
			continue;
		o->leaving = leaving;
		WRITE_ONCE(s->base, 0);
	}
	mutex_unlock(&locating);
}

/**
 * stp_objects_gone - a module goes: at once nothing of it has an address any more
 * @leaving: which; NULL: it comes, maybe where one was that has gone
 *
 * Arming anew may have to wait (stp_probes_follow()), and meanwhile its memory gets another owner.
 * Nobody who looks for modules behind this finds it again: of one that another notifier refused the
 * state still says that it comes.
 *
 * Context: process, may sleep: the kernel's notifier of modules. No lock of ours is needed.
 */
void stp_objects_gone(const char *module, const struct module *leaving)
{
	forget(module, 0, leaving);
}

/**
 * stp_objects_init_done - a module is live: at once nothing of its init has an address any more
 *
 * As stp_objects_gone(): that memory is about to be given back, whether or not a point is in it.
 */
void stp_objects_init_done(const char *module)
{
	forget(module, 1, NULL);
}

/**
 * stp_point_gone - is a point in a module that is not loaded now?
 *
 * Context: any.
 */
int stp_point_gone(const struct stp_point *point)
{
	u32 section = section_of(point);

	return section && !READ_ONCE(stp_script.sections[section - 1].base);
}
