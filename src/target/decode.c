/* SPDX-License-Identifier: GPL-2.0-or-later */
/* decode.h by capstone (libcapstone.so, version 4 or later; capstone/capstone.h is its manual). */
#include <capstone/capstone.h>
#include <dlfcn.h>
#include <elf.h>
#include <stdlib.h>

#include "machine/machine.h"
#include "target/decode.h"

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)
#define LIBRARY "libcapstone.so." TEXT(CS_API_MAJOR)

/* What is used of the library, by its own names. */
struct decoder {
	void *library;
	csh handle;
	cs_insn *insn;
	cs_err (*open)(cs_arch arch, cs_mode mode, csh *handle);
	cs_err (*close)(csh *handle);
	cs_err (*option)(csh handle, cs_opt_type type, size_t value);
	cs_insn *(*malloc)(csh handle);
	void (*free)(cs_insn *insn, size_t count);
	bool (*disasm_iter)(csh handle, const uint8_t **code, size_t *size, uint64_t *address,
			    cs_insn *insn);
};

static bool find_functions(struct decoder *d)
{
	const struct {
		const char *name;
		void *at;
	} functions[] = {
		{ "cs_open", &d->open },     { "cs_close", &d->close },
		{ "cs_option", &d->option }, { "cs_malloc", &d->malloc },
		{ "cs_free", &d->free },     { "cs_disasm_iter", &d->disasm_iter },
	};

	for (size_t i = 0; i < sizeof(functions) / sizeof(*functions); i++) {
		void *found = dlsym(d->library, functions[i].name);

		if (!found)
			return false;
		*(void **)functions[i].at = found;
	}
	return true;
}

static struct error *open_library(struct decoder *d)
{
	d->library = dlopen(LIBRARY, RTLD_LAZY | RTLD_LOCAL);
	if (!d->library)
		return error_create("no %s, by which instructions are decoded", LIBRARY);
	if (!find_functions(d) || d->open(CS_ARCH_X86, CS_MODE_64, &d->handle))
		return error_create("%s cannot be used", LIBRARY);
	d->option(d->handle, CS_OPT_DETAIL, CS_OPT_ON);
	d->insn = d->malloc(d->handle);
	return d->insn ? NULL : error_create("%s: out of memory", LIBRARY);
}

struct error *decoder_create(struct decoder **ret)
{
	struct decoder *d = calloc(1, sizeof(*d));
	struct error *err = d ? open_library(d) : error_create("out of memory");
	if (err)
		decoder_destroy(d);
	else
		*ret = d;
	return err;
}

struct error *decoder_set_machine(struct decoder *d, const struct machine *machine)
{
	cs_mode mode = machine->word == 8 ? CS_MODE_64 : CS_MODE_32;

	if (machine->is_x86 && !d->option(d->handle, CS_OPT_MODE, mode))
		return NULL;
	return error_create("instructions of %s are not decoded", machine->name);
}

void decoder_destroy(struct decoder *d)
{
	if (d && d->insn)
		d->free(d->insn, 1);
	if (d && d->handle)
		d->close(&d->handle);
	if (d && d->library)
		dlclose(d->library);
	free(d);
}

static bool is_in(const cs_insn *insn, uint8_t group)
{
	for (uint8_t i = 0; i < insn->detail->groups_count; i++)
		if (insn->detail->groups[i] == group)
			return true;
	return false;
}

static uint64_t destination(const cs_insn *insn)
{
	const cs_x86 *x86 = &insn->detail->x86;

	return x86->op_count && x86->operands[0].type == X86_OP_IMM ? (uint64_t)x86->operands[0].imm
								    : 0;
}

bool decoder_next(struct decoder *d, const unsigned char *bytes, size_t len, uint64_t addr,
		  struct decoded *ret)
{
	const cs_insn *insn = d->insn;

	*ret = (struct decoded){ .addr = addr };
	if (!d->disasm_iter(d->handle, &bytes, &len, &addr, d->insn))
		return false;
	ret->size = insn->size;
	if (is_in(insn, CS_GRP_RET)) {
		ret->flow = DECODE_RETURN;
	} else if (is_in(insn, CS_GRP_CALL)) {
		ret->flow = DECODE_CALL;
		ret->to = destination(insn);
	} else if (is_in(insn, CS_GRP_JUMP)) {
		ret->flow = insn->id == X86_INS_JMP ? DECODE_JUMP : DECODE_BRANCH;
		ret->to = destination(insn);
	}
	return true;
}
