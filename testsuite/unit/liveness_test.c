/* links: target machine base */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Registers that code reads, overwrites and forgets, as bytes: what the manual of the instructions says of them. Each text is code from
 * address 0x1000 on.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "machine/machine.h"
#include "target/decode.h"
#include "target/liveness.h"

#define BASE 0x1000
/* DWARF numbers of x86-64 */
#define RAX 0
#define RDX 1
#define RCX 2
#define RBX 3
#define RSI 4
#define RDI 5
#define R10 10
#define R12 12
/* of i386 */
#define EAX 0
#define ECX 1
#define EDX 2
#define EBX 3

struct text {
	const char *bytes;
	size_t len;
	uint64_t named; /* an address that has a name, or 0 */
	const char *name;
};

#define CODE(s)                                                                                    \
	{                                                                                          \
		s, sizeof(s) - 1, 0, NULL                                                          \
	}
#define lost(s, number) is_lost(&(struct text)CODE(s), number, false, false, BASE)
#define lost_in_kernel(s, number) is_lost(&(struct text)CODE(s), number, true, false, BASE)

static struct decoder *decoder;

static const unsigned char *bytes_at(const void *arg, uint64_t addr, size_t *len)
{
	const struct text *t = arg;

	if (addr < BASE || addr - BASE >= t->len)
		return NULL;
	if (*len > t->len - (addr - BASE))
		*len = t->len - (addr - BASE);
	return (const unsigned char *)t->bytes + (addr - BASE);
}

static const char *name_at(const void *arg, uint64_t addr)
{
	const struct text *t = arg;

	return t->named && addr == t->named ? t->name : NULL;
}

static bool is_lost(const struct text *t, unsigned number, bool is_kernel, bool unwinds,
		    uint64_t pc)
{
	struct liveness_code code = { .machine = &machine_x86_64,
				      .is_kernel = is_kernel,
				      .unwinds = unwinds,
				      .bytes = bytes_at,
				      .name = name_at,
				      .arg = t };

	assert_null(decoder_set_machine(decoder, code.machine));
	return liveness_is_lost(&code, decoder, BASE, pc, number);
}

static void test_plain(void **state)
{
	assert_true(lost("\xbf\x05\x00\x00\x00\xc3", RDI)); /* mov edi, 5; ret */
	assert_false(lost("\x89\xf8\xc3", RDI));            /* mov eax, edi; ret */
	assert_true(lost("\x31\xff\xc3", RDI));             /* xor edi, edi */
	assert_true(lost("\x48\x29\xff\xc3", RDI));         /* sub rdi, rdi */
	assert_false(lost("\x31\xf7\xc3", RDI));            /* xor edi, esi */
	assert_false(lost("\x83\xc7\x01\xc3", RDI));        /* add edi, 1 */
	assert_false(lost("\x48\x8d\x7f\x01\xc3", RDI));    /* lea rdi, [rdi + 1] */
	assert_true(lost("\x48\x8d\x7e\x01\xc3", RDI));     /* lea rdi, [rsi + 1] */
	assert_false(lost("\x8b\x3f\xc3", RDI));            /* mov edi, [rdi] */
	assert_true(lost("\x0f\xb6\x3e\xc3", RDI));         /* movzx edi, byte [rsi] */
	assert_false(lost("\x89\x3e\xc3", RDI));            /* mov [rsi], edi */
	assert_false(lost("\x57\xc3", RDI));                /* push rdi */
	assert_true(lost("\x5f\xc3", RDI));                 /* pop rdi */
}

/* Parts of a register: what leaves some of it does not overwrite it. */
static void test_parts(void **state)
{
	assert_false(lost("\x40\xb7\x05\xc3", RDI));     /* mov dil, 5 */
	assert_false(lost("\x66\xbf\x05\x00\xc3", RDI)); /* mov di, 5 */
	assert_false(lost("\x40\x88\x3e\xc3", RDI));     /* mov [rsi], dil */
	assert_false(lost("\x0f\x44\xfe\xc3", RDI));     /* cmove edi, esi */
	assert_false(lost("\x0f\xbc\xfe\xc3", RDI));     /* bsf edi, esi */
	assert_false(lost("\x40\x0f\x94\xc7\xc3", RDI)); /* sete dil */
	assert_false(lost("\x88\xe1\xc3", RAX));         /* mov cl, ah */
}

/* What instructions read and do not name. */
static void test_implied(void **state)
{
	assert_false(lost("\xf3\xa4\xc3", RDI)); /* rep movsb */
	assert_false(lost("\xf3\xa4\xc3", RCX));
	assert_false(lost("\xf3\x48\xab\xc3", RAX));         /* rep stosq */
	assert_false(lost("\xd3\xe6\x31\xc9\xc3", RCX));     /* shl esi, cl; xor ecx, ecx */
	assert_false(lost("\x48\x99\x31\xc0\xc3", RAX));     /* cqo; xor eax, eax */
	assert_false(lost("\x48\xf7\xf1\x31\xd2\xc3", RDX)); /* div rcx; xor edx, edx */
	assert_false(
		lost("\x48\x0f\xc7\x0e\x31\xdb\xc3", RBX)); /* cmpxchg16b [rsi]; xor ebx, ebx */
	assert_false(lost("\xd7\x31\xdb\xc3", RBX));        /* xlatb; xor ebx, ebx */
	assert_false(lost("\xe3\x00\x31\xc9\xc3", RCX));    /* jrcxz; xor ecx, ecx */
	assert_false(lost("\x0f\x05\x31\xff\xc3", RDI));    /* syscall; xor edi, edi */
	assert_false(lost("\x0f\xa2\x31\xc9\xc3", RCX));    /* cpuid; xor ecx, ecx */
	assert_false(lost("\x0f\x0b\x31\xff\xc3", RDI));    /* ud2: who handles it may look */
	assert_false(lost("\xcc\x31\xff\xc3", RDI));        /* int3 */
}

static void test_branches(void **state)
{
	/* test esi, esi; je 1; mov edi, esi; 1: xor edi, edi; ret */
	assert_true(lost("\x85\xf6\x74\x02\x89\xf7\x31\xff\xc3", RDI));
	/* test esi, esi; je 1; mov eax, edi; 1: xor edi, edi; ret: on one of two ways */
	assert_false(lost("\x85\xf6\x74\x02\x89\xf8\x31\xff\xc3", RDI));
	/* 1: dec esi; jne 1; ret */
	assert_true(lost("\xff\xce\x75\xfc\xc3", RDI));
	/* loop: the way back reads it: 1: xor esi, esi; loop 2; ret; 2: mov eax, edi; ret */
	assert_false(lost("\x31\xf6\xe2\x01\xc3\x89\xf8\xc3", RDI));
	/* jmp 1; mov eax, edi; 1: ret */
	assert_true(lost("\xeb\x02\x89\xf8\xc3", RDI));
	assert_false(lost("\xff\xe6", RDI));     /* jmp rsi */
	assert_false(lost("\xff\x66\x08", RDI)); /* jmp [rsi + 8] */
	assert_false(lost("\xeb\x00\xc3", RDI)); /* to the next: not relocated */
	assert_false(lost("\xeb\x10\xc3", RDI)); /* where nothing is known */
	assert_false(lost("\x31\xf6", RDI));     /* and past the end */
	assert_false(lost("\xff\xff\xff", RDI)); /* no instruction */
}

static void test_returns(void **state)
{
	assert_true(lost("\xc3", RDI));
	assert_true(lost("\xc3", R10));
	assert_false(lost("\xc3", RAX));
	assert_false(lost("\xc3", RDX));
	assert_false(lost("\xc3", RBX));
	assert_false(lost("\xc3", R12));
	assert_false(lost("\xcb", RDI));     /* far */
	assert_false(lost("\x48\xcf", RDI)); /* iretq */
}

/* call 1; xor ebx, ebx; xor edi, edi; ret; 1: ret */
#define CALL "\xe8\x05\x00\x00\x00\x31\xdb\x31\xff\xc3\xc3"

static void test_calls(void **state)
{
	struct text thunk = { CALL, sizeof(CALL) - 1, BASE + 10, "__x86_indirect_thunk_rbx" };

	assert_false(lost(CALL, RDI));
	assert_false(lost(CALL, R10));
	assert_true(lost(CALL, RBX));
	assert_false(is_lost(&thunk, RBX, false, false, BASE));
	assert_false(is_lost(&(struct text)CODE(CALL), RBX, false, true, BASE));
	assert_false(lost("\xff\xd3\x31\xdb\xc3", RBX)); /* call rbx */
	assert_true(lost("\xff\xd6\x31\xdb\xc3", RBX));  /* call rsi */
}

/* The kernel: what may be patched, and functions that are not the compiler's. */
static void test_kernel(void **state)
{
	/* call tracer; xor edi, edi; ret */
	static const char entry[] = "\xe8\x00\x10\x00\x00\x31\xff\xc3";
	/* endbr64; the nop in its place; xor edi, edi; ret */
	static const char landing[] = "\xf3\x0f\x1e\xfa\x0f\x1f\x44\x00\x00\x31\xff\xc3";
	/* xor ebx, ebx; call 1; xor edi, edi; 1: call tracer; ret */
	static const char traced[] =
		"\x31\xf6\xe8\x03\x00\x00\x00\x31\xdb\xc3\xe8\x00\x10\x00\x00\xc3";
	static const char thunk[] = "\xe9\x01\x00\x00\x00\xcc\xc3";
	struct text return_thunk = { thunk, sizeof(thunk) - 1, BASE + 6, "__x86_return_thunk" };

	assert_true(is_lost(&(struct text)CODE("\x90\x31\xff\xc3"), RDI, false, false, BASE));
	assert_false(lost_in_kernel("\x31\xf6\x90\x31\xff\xc3", RDI));
	assert_true(is_lost(&(struct text){ entry, 8, 0, NULL }, RDI, true, false, BASE));
	assert_true(is_lost(&(struct text){ landing, 12, 0, NULL }, RDI, true, false, BASE));
	assert_true(is_lost(&(struct text){ traced, 16, 0, NULL }, RBX, true, false, BASE));
	assert_false(lost_in_kernel("\x31\xf6" CALL, RBX));
	assert_true(is_lost(&return_thunk, RDI, true, false, BASE));
	assert_false(is_lost(&return_thunk, RAX, true, false, BASE));
	/* jmp 1; mov eax, edi; 1: ret: the jump may become a nop */
	assert_false(lost_in_kernel("\xeb\x02\x89\xf8\xc3", RDI));
}

static void test_i386(void **state)
{
	static const char cleared[] = "\x31\xd2\x31\xc0\xc3";
	struct text text = { cleared, sizeof(cleared) - 1, 0, NULL };
	struct liveness_code code = {
		.machine = &machine_i386, .bytes = bytes_at, .name = name_at, .arg = &text
	};

	assert_null(decoder_set_machine(decoder, code.machine));
	assert_true(liveness_is_lost(&code, decoder, BASE, BASE, EDX));
	assert_true(liveness_is_lost(&code, decoder, BASE, BASE, ECX));
	assert_true(liveness_is_lost(&code, decoder, BASE, BASE, EAX));
	assert_false(liveness_is_lost(&code, decoder, BASE, BASE, EBX));
	assert_false(liveness_is_lost(&code, decoder, BASE, BASE + 4, EAX));
}

/* None of its instructions is known. */
static void test_other_machines(void **state)
{
	struct text text = { "\xc3\xc3\xc3\xc3", 4, 0, NULL };
	struct liveness_code code = {
		.machine = &machine_aarch64, .bytes = bytes_at, .name = name_at, .arg = &text
	};

	assert_false(liveness_is_lost(&code, decoder, BASE, BASE, 9));
}

/* It ends, whatever the code is: longer than is looked at, and with more ways than are kept. */
static void test_bounds(void **state)
{
	static char many[4096];
	struct text text = { many, sizeof(many), 0, NULL };

	for (size_t i = 0; i < sizeof(many); i += 2)
		memcpy(many + i, "\x31\xf6", 2); /* xor esi, esi */
	assert_false(is_lost(&text, RDI, false, false, BASE));
	for (size_t i = 0; i < sizeof(many); i += 2)
		memcpy(many + i, "\x74\x20", 2); /* je */
	assert_false(is_lost(&text, RDI, false, false, BASE));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plain),          cmocka_unit_test(test_parts),
		cmocka_unit_test(test_implied),        cmocka_unit_test(test_branches),
		cmocka_unit_test(test_returns),        cmocka_unit_test(test_calls),
		cmocka_unit_test(test_kernel),         cmocka_unit_test(test_i386),
		cmocka_unit_test(test_other_machines), cmocka_unit_test(test_bounds),
	};
	struct error *err = decoder_create(&decoder);
	int failed;

	if (err)
		print_message("%s\n", err->text);
	assert_null(err);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	decoder_destroy(decoder);
	return failed;
}
