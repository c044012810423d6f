// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * User stacks and symbols of the current process. Names are those of the tables that the module
 * carries; what is in another file is told by that and the offset in it. Code of a JIT compiler is
 * named by the reader, where it is printed. Where there is no process (begin, kernel threads) or
 * its map cannot be looked at, addresses are numbers.
 *
 * Context: any handler.
 */
#include <linux/cred.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/uidgid.h>
#include "access/access.h"
#include "compat/file.h"
#include "tapset/addresses.h"
#include "tapset/functions.h"
#include "tapset/ustack.h"
#include "uapi/user_table.h"
#include "uapi/wire.h"

/* How an address is shown. */
enum form {
	FORM_LINE,  /* " 0xADDR : SYM+0xOFF/0xSIZE [PATH]\n" */
	FORM_BRIEF, /* "SYM+0xOFF [PATH]\n" */
	FORM_DATA,  /* "SYM+0xOFF/0xSIZE [PATH]" */
};

static int is_vdso(const struct vm_area_struct *vma)
{
	return vma->vm_start == (unsigned long)vma->vm_mm->context.vdso;
}

/*
 * The path of what is mapped at a place: within its file system, when it is not one of the module's
 * own. In scratch; "": it has no name.
 */
static struct stp_str path_of(struct stp_ctx *c, const struct stp_user_place *p)
{
	if (p->carried)
		return stp_cstr(stp_script.objects[p->carried->object].path);
	if (p->vma && p->vma->vm_file)
		return stp_fn_dentry_path(
			c, (stp_long)(unsigned long)stp_user_path(p->vma->vm_file)->dentry, 0, 0, 0,
			0, 0, 0);
	return stp_cstr(p->vma && is_vdso(p->vma) ? "[vdso]" : "");
}

/* Code of no file: a JIT compiler has made it. */
static int is_jit(const struct stp_user_place *p)
{
	return p->vma && !p->vma->vm_file && p->vma->vm_flags & VM_EXEC && !is_vdso(p->vma);
}

/* The symbol of such an address, in a text that is printed. */
static void jit_put(struct stp_text *t, u64 addr, u32 back, enum form form)
{
	const struct stp_rec_jit rec = {
		.addr = addr,
		.started = current->group_leader->start_boottime,
		.pid = task_tgid_nr(current),
		.own_pid = task_tgid_vnr(current),
		.uid = from_kuid(&init_user_ns, current_euid()),
		.brief = form == FORM_BRIEF,
		.back = back,
	};
	char *to;

	stp_text_flush(t);
	to = stp_rec_begin(t->out, STP_REC_JIT, 0, sizeof(rec));
	if (!to)
		return;
	memcpy(to, &rec, sizeof(rec));
	stp_rec_end(t->out);
}

/* back: the symbol is that of so many bytes before */
static void address_put(struct stp_ctx *c, struct stp_text *t, struct mm_struct *mm, u64 addr,
			u32 back, enum form form)
{
	struct stp_user_symbol symbol;
	struct stp_user_place place;
	char *mark = c->top;
	struct stp_str path;
	int known;

	stp_user_place(mm, addr - back, &place);
	known = stp_user_symbol(&place, &symbol);
	path = path_of(c, &place);
	if (form == FORM_LINE)
		stp_text_printf(t, " 0x%llx : ", addr);
	if (known) {
		stp_text_add(t, symbol.name, strlen(symbol.name));
		stp_text_printf(t, "+0x%x", symbol.offset + back);
		if (form != FORM_BRIEF)
			stp_text_printf(t, "/0x%x", symbol.size);
	} else if (t->out && is_jit(&place)) {
		jit_put(t, addr, back, form);
	} else {
		stp_text_printf(t, "0x%llx", addr);
	}
	if (known || path.len) {
		stp_text_add(t, " [", 2);
		stp_text_add(t, path.s, path.len);
		if (!known)
			stp_text_printf(t, "+0x%llx",
					(place.table ? place.addr : place.offset) + back);
		stp_text_char(t, ']');
	}
	if (form != FORM_DATA)
		stp_text_char(t, '\n');
	c->top = mark;
}

/**
 * stp_usymdata_put - name an address of the process
 * @back: by the symbol of so many bytes before it
 *
 * Context: any handler; the map is held.
 */
void stp_usymdata_put(struct stp_ctx *c, struct stp_text *t, struct mm_struct *mm, u64 addr,
		      u32 back)
{
	address_put(c, t, mm, addr, back, FORM_DATA);
}

/**
 * stp_ustack_take - the stack from where the process runs, or from *from; empty: it has none
 *
 * Returns the process's map, held, or NULL. Context: any handler.
 */
struct mm_struct *stp_ustack_take(struct stp_ctx *c, const struct stp_user_frame *from,
				  struct stp_user_stack *s)
{
	struct stp_user_frame frame;
	struct mm_struct *mm = NULL;

	s->n = 0;
	s->end = STP_STACK_WHOLE;
	if (!stp_user_frame(c, &frame))
		return NULL;
	mm = stp_user_map_hold(c);
	stp_user_stack(mm, from ? *from : frame, s);
	stp_user_stack_cut(s->end);
	return mm;
}

/**
 * stp_ustack_print - print the stack from where the process runs, or from *from, a line a frame
 * @put: adds the line of frame I; the map is held, or mm NULL
 *
 * Context: any handler.
 */
void stp_ustack_print(struct stp_ctx *c, const struct stp_user_frame *from, stp_frame_put put)
{
	struct stp_user_stack s;
	struct mm_struct *mm = stp_ustack_take(c, from, &s);
	struct stp_text t;
	u32 i;

	for (i = 0; i < s.n && !c->error; i++) {
		if (!stp_text_print(c, &t))
			return;
		put(c, &t, mm, &s, i);
		stp_text_printed(&t);
	}
	if (s.end == STP_STACK_NO_TABLE)
		stp_rec_text(c, STP_REC_TEXT, " ... : may be incomplete\n", 25);
	else if (s.end != STP_STACK_WHOLE)
		stp_rec_text(c, STP_REC_TEXT, " ... : cut short\n", 17);
}

static void frame_put(struct stp_ctx *c, struct stp_text *t, struct mm_struct *mm,
		      const struct stp_user_stack *s, u32 i)
{
	address_put(c, t, mm, s->pcs[i], stp_user_back(s, i), FORM_LINE);
}

static void frame_put_brief(struct stp_ctx *c, struct stp_text *t, struct mm_struct *mm,
			    const struct stp_user_stack *s, u32 i)
{
	address_put(c, t, mm, s->pcs[i], stp_user_back(s, i), FORM_BRIEF);
}

struct stp_str stp_fn_ucallers(struct stp_ctx *c, stp_long n)
{
	struct stp_user_stack s;
	struct stp_text t;
	u32 i;

	if (!stp_text_begin(c, &t))
		return stp_empty();
	stp_ustack_take(c, NULL, &s);
	for (i = 0; i < s.n && (n < 0 || i < n); i++)
		stp_text_printf(&t, "%s0x%llx", i ? " " : "", s.pcs[i]);
	return stp_text_end(c, &t);
}

struct stp_str stp_fn_ubacktrace(struct stp_ctx *c)
{
	return stp_fn_ucallers(c, -1);
}

stp_long stp_fn_ustack(struct stp_ctx *c, stp_long n)
{
	struct stp_user_stack s;

	stp_ustack_take(c, NULL, &s);
	return n >= 0 && n < s.n ? s.pcs[n] : 0;
}

void stp_fn_print_ubacktrace(struct stp_ctx *c)
{
	stp_ustack_print(c, NULL, frame_put);
}

void stp_fn_print_ubacktrace_from(struct stp_ctx *c, stp_long pc, stp_long sp, stp_long fp)
{
	const struct stp_user_frame from = { pc, sp, fp };

	stp_ustack_print(c, &from, frame_put);
}

void stp_fn_print_ubacktrace_brief(struct stp_ctx *c)
{
	stp_ustack_print(c, NULL, frame_put_brief);
}

struct stp_str stp_fn_sprint_ubacktrace(struct stp_ctx *c)
{
	struct stp_user_stack s;
	struct mm_struct *mm;
	struct stp_text t;
	u32 i;

	if (!stp_text_begin(c, &t))
		return stp_empty();
	mm = stp_ustack_take(c, NULL, &s);
	for (i = 0; i < s.n && !c->error; i++)
		address_put(c, &t, mm, s.pcs[i], stp_user_back(&s, i), FORM_BRIEF);
	return stp_text_end(c, &t);
}

void stp_fn_print_usyms(struct stp_ctx *c, struct stp_str callers)
{
	struct mm_struct *mm = stp_user_map_hold(c);
	struct stp_text t;
	u64 pc;

	while (!c->error && (pc = stp_next_address(&callers)) != 0) {
		if (!stp_text_print(c, &t))
			return;
		address_put(c, &t, mm, pc, 0, FORM_LINE);
		stp_text_printed(&t);
	}
}

static struct stp_str sprint_addresses(struct stp_ctx *c, struct stp_str callers, enum form form)
{
	struct mm_struct *mm = stp_user_map_hold(c);
	struct stp_text t;
	u64 pc;

	if (!stp_text_begin(c, &t))
		return stp_empty();
	while (!c->error && (pc = stp_next_address(&callers)) != 0)
		address_put(c, &t, mm, pc, 0, form);
	return stp_text_end(c, &t);
}

struct stp_str stp_fn_sprint_usyms(struct stp_ctx *c, struct stp_str callers)
{
	return sprint_addresses(c, callers, FORM_LINE);
}

struct stp_str stp_fn_sprint_ustack(struct stp_ctx *c, struct stp_str callers)
{
	return sprint_addresses(c, callers, FORM_BRIEF);
}

struct stp_str stp_fn_usymdata(struct stp_ctx *c, stp_long addr)
{
	struct stp_text t;

	if (!stp_text_begin(c, &t))
		return stp_empty();
	address_put(c, &t, stp_user_map_hold(c), addr, 0, FORM_DATA);
	return stp_text_end(c, &t);
}

struct stp_str stp_fn_usymname(struct stp_ctx *c, stp_long addr)
{
	struct stp_user_symbol symbol;
	struct stp_user_place place;
	struct stp_text t;

	if (!stp_text_begin(c, &t))
		return stp_empty();
	stp_user_place(stp_user_map_hold(c), addr, &place);
	if (stp_user_symbol(&place, &symbol))
		stp_text_printf(&t, "%s", symbol.name);
	else
		stp_text_printf(&t, "0x%llx", addr);
	return stp_text_end(c, &t);
}

struct stp_str stp_fn_umodname(struct stp_ctx *c, stp_long addr)
{
	struct stp_user_place place;
	struct stp_text t;
	struct stp_str path;

	if (!stp_text_begin(c, &t))
		return stp_empty();
	stp_user_place(stp_user_map_hold(c), addr, &place);
	path = path_of(c, &place);
	stp_text_add(&t, path.s, path.len);
	c->top = t.s + t.size;
	if (!path.len)
		stp_errorf(c, "no file is known to be mapped at 0x%llx", addr);
	return stp_text_end(c, &t);
}

stp_long stp_fn_umodaddr(struct stp_ctx *c, stp_long addr)
{
	struct stp_user_place place;

	stp_user_place(stp_user_map_hold(c), addr, &place);
	if (!place.vma || !place.vma->vm_file)
		stp_errorf(c, "no file is known to be mapped at 0x%llx", addr);
	return place.carried ? place.addr : place.offset;
}

struct stp_str stp_fn_umodbuildid(struct stp_ctx *c, stp_long addr)
{
	const struct stp_object *object;
	struct stp_user_place place;
	struct stp_text t;
	u32 i;

	if (!stp_text_begin(c, &t))
		return stp_empty();
	stp_user_place(stp_user_map_hold(c), addr, &place);
	object = place.carried ? &stp_script.objects[place.carried->object] : NULL;
	if (!object || !object->build_id)
		stp_errorf(c, "no build-id is known of what is mapped at 0x%llx", addr);
	for (i = 0; !c->error && i < STP_BUILD_ID_SIZE; i++)
		stp_text_printf(&t, "%02x", (u8)object->build_id[i]);
	return stp_text_end(c, &t);
}
