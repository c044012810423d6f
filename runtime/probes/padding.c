// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Addresses at which the kernel cannot place a kprobe and would fault when asked to; and kprobes
 * that it places in vain.
 *
 * Before it registers one that is not at ftrace's call it decodes the whole function, to see
 * whether a jump may take the place of the breakpoint (can_optimize(),
 * arch/x86/kernel/kprobes/opt.c). The end of the last function of a module's text is, as kallsyms
 * has it, that of the pages (find_kallsyms_symbol(), kernel/module/kallsyms.c), and behind the code
 * they are filled with zeros, of which two are an instruction. Is their number odd, the last one
 * has its second byte in the next page; and since 6.4 (commit ac3b43283923), where each kind of a
 * module's memory is by itself, there need be none.
 */
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/string.h>
#include "access/access.h"
#include "arch/arch.h"
#include "probes/probes.h"

static int byte_at(unsigned long addr, u8 *byte)
{
	return stp_copy_from(STP_KERNEL, byte, addr, sizeof(*byte));
}

/**
 * stp_is_traced_entry - is it ftrace's call, or the mark of an entry in front of it?
 * @offset: of @addr in its function
 *
 * Kprobes there are ftrace's: nothing is decoded, and none is optimised. Context: process.
 */
int stp_is_traced_entry(unsigned long addr, unsigned long offset)
{
	u8 code[STP_ARCH_FTRACE_CODE];
	unsigned long location;

	if (offset >= sizeof(code) || stp_copy_from(STP_KERNEL, code, addr, sizeof(code)))
		return 0;
	location = stp_arch_ftrace_location(addr, code);
	return !stp_copy_from(STP_KERNEL, code, location, sizeof(code)) &&
	       stp_arch_ftrace_location(location, code) == location;
}

/*
 * Where kallsyms says that the function to be decoded ends; 0: none is, or it is the kernel's own,
 * whose text ends among other data.
 */
static unsigned long decoded_end(unsigned long addr)
{
	char text[KSYM_SYMBOL_LEN];
	unsigned long offset, size;
	const char *at;

	if (!STP_ARCH_KPROBES_DECODE || addr < MODULES_VADDR || addr >= MODULES_END)
		return 0;
	sprint_symbol(text, addr); /* "name+0x1c5/0xff0 [module]" */
	at = strrchr(text, '+');
	if (!at || sscanf(at, "+%lx/%lx", &offset, &size) != 2 || stp_is_traced_entry(addr, offset))
		return 0;
	return addr - offset + size;
}

/* Of the section that a point is in; 0: it is in none that is known. */
static unsigned long section_end(const struct stp_point *point)
{
	const struct stp_section *s;
	unsigned long base;

	if (!point->kernel.section)
		return 0;
	s = &stp_script.sections[point->kernel.section - 1];
	base = READ_ONCE(s->base);
	return base ? base + s->size : 0;
}

/*
 * Does decoding stay within what is mapped, though nothing is at END? CODE: the end of the section,
 * 0: not known.
 */
static int stays_within(unsigned long code, unsigned long end)
{
	u8 byte;

	if (code == end)
		return 1;
	if (!code || code > end || end - code >= PAGE_SIZE || byte_at(code, &byte))
		return 0;
	return byte == STP_ARCH_TRAP || (!byte && (end - code) % 2 == 0);
}

/**
 * stp_kprobe_refused - why no kprobe may be registered at an address
 * @addr: of @point
 *
 * NULL when one may; where it cannot be told that the kernel reads only what is mapped, none may.
 * Context: process.
 */
const char *stp_kprobe_refused(const struct stp_point *point, unsigned long addr)
{
	unsigned long end = decoded_end(addr);
	u8 byte;

	if (!end || !byte_at(end, &byte) || stays_within(section_end(point), end))
		return NULL;
	return "to place a probe there the kernel would read past the end of the module, and fail";
}

/**
 * stp_kprobe_silent - why a kprobe that is registered sees no hit; NULL: it does
 *
 * At a call of ftrace's the kernel makes it ftrace's. Context: process, when arming.
 */
const char *stp_kprobe_silent(const struct kprobe *kp)
{
	return kp->flags & KPROBE_FLAG_FTRACE ? stp_ftrace_silent((unsigned long)kp->addr) : NULL;
}
