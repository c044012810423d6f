/* links: module base */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pass 4 without a compiler: command lines, exports, ELF symbols, the name in place, and the cache. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/strbuf.h"
#include "module/base.h"
#include "module/check.h"
#include "module/features.h"
#include "module/flags.h"
#include "module/kernel.h"
#include "module/module.h"
#include "module/name.h"
#include "module/symvers.h"
#include "module/units.h"

struct world {
	struct arena *arena;
	char *dir; /* temporary */
};

static int setup(void **state)
{
	struct world *w = calloc(1, sizeof(*w));

	w->arena = arena_create();
	assert_null(dir_create_temp(w->arena, "module_test", &w->dir));
	*state = w;
	return 0;
}

static int teardown(void **state)
{
	struct world *w = *state;

	error_destroy(dir_remove_all(w->dir));
	arena_destroy(w->arena);
	free(w);
	return 0;
}

static const char *put(struct world *w, const char *name, const void *data, size_t len)
{
	const char *path = path_join(w->arena, w->dir, name);
	char *dir = arena_strdup(w->arena, path);

	*strrchr(dir, '/') = '\0';
	assert_null(dir_create_all(dir));
	assert_null(file_write_atomic(path, data, len, 0644));
	return path;
}

static const char *put_text(struct world *w, const char *name, const char *text)
{
	return put(w, name, text, strlen(text));
}

/* The error must be there and its text and hint together must hold the words. */
static void assert_fails(struct error *err, const char *words)
{
	assert_non_null(err);
	if (!strstr(err->text, words) && !(err->hint && strstr(err->hint, words)))
		fail_msg("\"%s\" / \"%s\" lacks \"%s\"", err->text, err->hint ? err->hint : "",
			 words);
	error_destroy(err);
}

/* ---- command lines ---- */

static bool has(struct argv *a, const char *word)
{
	vec_foreach(arg, &a->args)
		if (!strcmp(*arg, word))
			return true;
	return false;
}

static void splits_shell_words(void **state)
{
	struct world *w = *state;
	struct argv a;
	const char *rest;

	argv_init(&a, w->arena);
	rest = flags_split("set -e; gcc -DX='\"a b\"' \"-I x\" c\\ d ''; echo 'no ; end'\nnext",
			   &a);
	assert_int_equal(a.args.n, 2);
	argv_init(&a, w->arena);
	rest = flags_split(rest, &a);
	assert_int_equal(a.args.n, 5);
	assert_string_equal(a.args.data[1], "-DX=\"a b\"");
	assert_string_equal(a.args.data[2], "-I x");
	assert_string_equal(a.args.data[3], "c d");
	assert_string_equal(a.args.data[4], "");
	argv_init(&a, w->arena);
	rest = flags_split(rest, &a);
	assert_int_equal(a.args.n, 2);
	assert_string_equal(a.args.data[1], "no ; end");
	assert_string_equal(rest, "next");
}

static const char kbuild_output[] =
	"make: Entering directory '/k'\n"
	"set -e;  echo '  gcc -c -o /t/stpflags.o /t/stpflags.c'; ccache gcc-12 -Wp,-MMD,/t/.stpflags.o.d -nostdinc "
	"-I./arch/x86/include -I/abs/include -I include/generated -include ./include/linux/kconfig.h "
	"-include /abs/compiler_types.h -D__KERNEL__ -fmacro-prefix-map=./= -Wall -Werror "
	"-Werror=implicit-int -std=gnu89 -m64 -O2 -mindirect-branch=thunk-extern -fcf-protection=branch "
	"-fstack-protector-strong -fsanitize=bounds --param asan-globals=1 -pg -mrecord-mcount -mfentry "
	"-DCC_USING_FENTRY -g -gdwarf-5 -DMODULE -DKBUILD_BASENAME='\"stpflags\"' -c -o /t/stpflags.o "
	"/t/stpflags.c   ; ./tools/objtool/objtool --hacks=jump_label --ibt --orc --rethunk --link --module "
	"/t/stpflags.o; scripts/basic/fixdep a b 'gcc -c stpflags.c'\n";

static void derives_flags(void **state)
{
	struct world *w = *state;
	struct module_flags f;

	assert_null(flags_parse(kbuild_output, "/k", w->arena, &f));
	assert_string_equal(f.kernel.args.data[0], "gcc-12");
	assert_true(has(&f.kernel, "-I/k/arch/x86/include"));
	assert_true(has(&f.kernel, "-I/abs/include"));
	assert_true(has(&f.kernel, "/k/include/generated"));
	assert_true(has(&f.kernel, "-DCC_USING_FENTRY"));
	assert_true(has(&f.kernel, "-Werror=implicit-int"));
	assert_true(has(&f.kernel, "-std=gnu11"));
	assert_true(has(&f.kernel, "-fstack-protector-strong"));
	assert_true(has(&f.kernel, "-DKBUILD_MODNAME=\"stap\""));
	for (const char *const *gone =
		     (const char *const[]){ "-pg", "-mfentry", "-mrecord-mcount", "-g", "-gdwarf-5",
					    "-Werror", "-c", "-o", "-include", "/t/stpflags.c",
					    "-std=gnu89", "-DKBUILD_BASENAME=\"stpflags\"", NULL };
	     *gone; gone++)
		assert_false(has(&f.kernel, *gone));
	assert_int_equal(f.includes.args.n, 2);
	assert_string_equal(f.includes.args.data[0], "/k/include/linux/kconfig.h");
	assert_true(has(&f.script, "-mindirect-branch=thunk-extern"));
	assert_true(has(&f.script, "-fcf-protection=branch"));
	assert_true(has(&f.script, "-m64"));
	for (const char *const *gone =
		     (const char *const[]){ "-O2", "-D__KERNEL__", "-Wall",
					    "-fstack-protector-strong", "-fsanitize=bounds",
					    "--param", "asan-globals=1", "-I/abs/include",
					    "/k/include/generated", NULL };
	     *gone; gone++)
		assert_false(has(&f.script, *gone));
	assert_string_equal(f.objtool.args.data[0], "/k/tools/objtool/objtool");
	assert_true(has(&f.objtool, "--orc"));
	assert_true(has(&f.objtool, "--module"));
	assert_false(has(&f.objtool, "--ibt"));
	assert_false(has(&f.objtool, "--link"));
	assert_false(has(&f.objtool, "/t/stpflags.o"));
}

static void no_compile_command(void **state)
{
	struct world *w = *state;
	struct module_flags f;

	assert_fails(flags_parse("make: nothing to be done\n", "/k", w->arena, &f),
		     "did not say how");
}

/* ---- Module.symvers ---- */

static const char symvers_text[] =
	"0x4c9d28b0\tphys_base\tvmlinux\tEXPORT_SYMBOL\t\n"
	"0x039823de\tinit_uts_ns\tvmlinux\tEXPORT_SYMBOL_GPL\t\n"
	"0x00000001\tdma_buf_get\tvmlinux\tEXPORT_SYMBOL_GPL\tDMA_BUF\n"
	"0x00000002\tkvm_only\tvmlinux\tEXPORT_SYMBOL\tmodule:kvm,kvm-intel\n"
	"0xffffffff\told_form\tdrivers/x/x\tEXPORT_SYMBOL\n";

static void reads_symvers(void **state)
{
	struct world *w = *state;
	struct symvers *sv;
	struct symvers_entry e;

	assert_null(symvers_open(put_text(w, "Module.symvers", symvers_text), &sv));
	assert_int_equal(symvers_count(sv), 5);
	assert_true(symvers_find(sv, "phys_base", &e));
	assert_int_equal(e.crc, 0x4c9d28b0);
	assert_false(e.gpl_only);
	assert_int_equal(e.space_len, 0);
	assert_true(symvers_find(sv, "dma_buf_get", &e));
	assert_true(e.gpl_only);
	assert_memory_equal(e.space, "DMA_BUF", 7);
	assert_int_equal(e.space_len, 7);
	assert_true(symvers_find(sv, "old_form", &e));
	assert_int_equal(e.crc, 0xffffffff);
	assert_memory_equal(e.owner, "drivers/x/x", e.owner_len);
	assert_int_equal(e.space_len, 0);
	assert_false(symvers_find(sv, "phys_bas", &e));
	assert_false(symvers_find(sv, "phys_base2", &e));
	symvers_close(sv);
}

static void refuses_bad_symvers(void **state)
{
	struct world *w = *state;
	struct symvers *sv;

	assert_fails(symvers_open(path_join(w->arena, w->dir, "none"), &sv), "none");
	assert_fails(symvers_open(put_text(w, "empty", ""), &sv), "no exported symbols");
	assert_fails(symvers_open(put_text(w, "bad", "0x1\ta\tvmlinux\tEXPORT_SYMBOL\t\nrubbish\n"),
				  &sv),
		     "bad:2");
	assert_fails(symvers_open(put_text(w, "hex", "0xzz\ta\tvmlinux\tEXPORT_SYMBOL\t\n"), &sv),
		     "hex:1");
	/* cut off in the middle, as a full disk leaves it */
	assert_fails(symvers_open(put_text(w, "cut", "0x1\ta\tvmlinux\tEXP"), &sv), "cut:1");
}

/* ---- kernel trees ---- */

static const char *put_tree(struct world *w, const char *dir, const char *release)
{
	put_text(w, arena_printf(w->arena, "%s/Makefile", dir), "all:\n");
	put_text(w, arena_printf(w->arena, "%s/.config", dir),
		 "CONFIG_X86_64=y\nCONFIG_MODVERSIONS=y\n# CONFIG_KASAN is not set\nCONFIG_HZ=250\n"
		 "CONFIG_CC_VERSION_TEXT=\"gcc-12 (Debian) 12.2.0\"\n");
	put_text(w, arena_printf(w->arena, "%s/Module.symvers", dir), symvers_text);
	put_text(w, arena_printf(w->arena, "%s/include/generated/utsrelease.h", dir),
		 arena_printf(w->arena, "#define UTS_RELEASE \"%s\"\n", release));
	return path_join(w->arena, w->dir, dir);
}

static void opens_build_tree(void **state)
{
	struct world *w = *state;
	struct module_kernel *k;

	assert_null(module_kernel_open(put_tree(w, "tree", "6.1.0-9-amd64"), &k));
	assert_string_equal(module_kernel_release(k), "6.1.0-9-amd64");
	assert_string_equal(module_kernel_arch(k), "x86_64");
	assert_string_equal(module_kernel_root(k), "");
	assert_string_equal(module_kernel_config(k, "CONFIG_HZ"), "250");
	assert_string_equal(module_kernel_config(k, "HZ"), "250");
	assert_string_equal(module_kernel_config(k, "CC_VERSION_TEXT"), "gcc-12 (Debian) 12.2.0");
	assert_null(module_kernel_config(k, "CONFIG_KASAN"));
	assert_null(module_kernel_config(k, "CONFIG_H"));
	module_kernel_close(k);
}

/* Its checks of indirect calls would stop the kernel at the first callback of a module without hashes. */
static void refuses_cfi(void **state)
{
	static const char *const options[] = { "CFI", "CFI_CLANG" };
	struct world *w = *state;
	struct module_kernel *k;
	struct module_base *base;

	for (unsigned i = 0; i < 2; i++) {
		const char *tree = put_tree(w, "tree", "6.1.0-9-amd64");

		put_text(w, "tree/.config",
			 arena_printf(w->arena, "CONFIG_X86_64=y\nCONFIG_%s=y\n", options[i]));
		assert_null(module_kernel_open(tree, &k));
		assert_fails(
			module_base_prepare(k, SPILE_SOURCE_DIR "/runtime", w->dir, NULL, &base),
			arena_printf(w->arena, "checks indirect calls (CONFIG_%s)", options[i]));
		module_kernel_close(k);
	}
}

/* What the compiler writes runs in the kernel: one that somebody else may change is not used. */
static void refuses_foreign_compiler(void **state)
{
	struct world *w = *state;
	const char *bin = path_join(w->arena, w->dir, "bin"),
		   *path = arena_strdup(w->arena, getenv("PATH")), *cc;
	struct module_kernel *k;

	assert_null(module_kernel_open(put_tree(w, "tree", "6.1.0-9-amd64"), &k));
	put_text(w, "bin/gcc-12", "#!/bin/sh\n");
	assert_int_equal(chmod(path_join(w->arena, bin, "gcc-12"), 0755), 0);
	setenv("PATH", bin, 1);
	assert_null(flags_find_compiler(k, w->arena, &cc));
	assert_string_equal(cc, "gcc-12");
	assert_int_equal(chmod(path_join(w->arena, bin, "gcc-12"), 0757), 0);
	assert_fails(flags_find_compiler(k, w->arena, &cc), "is not to be trusted");
	setenv("PATH", path, 1);
	module_kernel_close(k);
}

/* An executable file in bin, which others may write. */
static void put_foreign(struct world *w, const char *name)
{
	const char *file = arena_printf(w->arena, "bin/%s", name);

	put_text(w, file, "#!/bin/sh\nexit 1\n");
	assert_int_equal(chmod(path_join(w->arena, w->dir, file), 0757), 0);
}

/* Nor are the other programs, by name or path, and a build tree, whose makefiles are run. */
static void refuses_foreign_tools(void **state)
{
	struct world *w = *state;
	const char *bin = path_join(w->arena, w->dir, "bin"), *tree,
		   *path = arena_strdup(w->arena, getenv("PATH"));
	const char *objtool[] = { "/bin/true", "--library-path", "/lib:/usr/lib", NULL, NULL };
	struct module_flags flags;
	struct module_kernel *k;

	assert_null(base_check_tools(w->arena, "/bin/true", "as", "ld"));
	put_foreign(w, "as");
	setenv("PATH", arena_printf(w->arena, "%s:%s", bin, path), 1);
	assert_fails(base_check_tools(w->arena, NULL, "as", "ld"), "the assembler ");
	unlink(path_join(w->arena, bin, "as"));
	put_foreign(w, "ld");
	assert_fails(base_check_tools(w->arena, NULL, "as", "ld"), "the linker ");
	assert_fails(base_check_tools(w->arena, path_join(w->arena, bin, "ld"), "as", "ld"),
		     "the compiler ");
	assert_null(base_check_tools(w->arena, NULL, "/bin/true", "no-such-program"));
	assert_null(flags_check_objtool(objtool));
	objtool[3] = path_join(w->arena, bin, "ld");
	assert_int_equal(chmod(objtool[3], 0757), 0);
	assert_fails(flags_check_objtool(objtool), "the objtool ");
	tree = put_tree(w, "tree", "6.1.0-9-amd64");
	assert_null(module_kernel_open(tree, &k));
	put_foreign(w, "make");
	assert_fails(flags_ask(k, "gcc", w->arena, &flags), "make is not to be trusted");
	setenv("PATH", path, 1);
	assert_null(flags_check_build(k));
	if (!geteuid()) {
		assert_int_equal(chown(tree, 1000, 1000), 0);
		assert_null(flags_check_build(k));
	}
	assert_int_equal(chmod(tree, 0777), 0);
	assert_fails(flags_ask(k, "gcc", w->arena, &flags), "the kernel's build tree ");
	assert_int_equal(chmod(tree, 0755), 0);
	module_kernel_close(k);
}

/* Packages unpacked elsewhere: "build" says /usr/src, which must mean below the directory. */
static void opens_unpacked_tree(void **state)
{
	struct world *w = *state;
	const char *root = path_join(w->arena, w->dir, "root");
	struct module_kernel *k;

	put_tree(w, "root/usr/src/linux-headers-1", "6.1.0-1");
	put_text(w, "root/lib/modules/6.1.0-1/modules.dep", "");
	assert_int_equal(symlink("/usr/src/linux-headers-1",
				 path_join(w->arena, root, "lib/modules/6.1.0-1/build")),
			 0);
	assert_null(module_kernel_open(root, &k));
	assert_string_equal(module_kernel_release(k), "6.1.0-1");
	assert_string_equal(module_kernel_root(k), root);
	assert_string_equal(module_kernel_build_dir(k),
			    path_join(w->arena, root, "usr/src/linux-headers-1"));
	module_kernel_close(k);
	assert_null(module_kernel_open(path_join(w->arena, root, "lib/modules/6.1.0-1"), &k));
	assert_string_equal(module_kernel_root(k), root);
	module_kernel_close(k);
	put_tree(w, "root/lib/modules/6.1.0-2/build", "6.1.0-2");
	assert_fails(module_kernel_open(root, &k), "2 kernels");
	assert_null(module_kernel_open(path_join(w->arena, root, "lib/modules/6.1.0-2"), &k));
	assert_string_equal(module_kernel_release(k), "6.1.0-2");
	module_kernel_close(k);
}

static void refuses_bad_trees(void **state)
{
	struct world *w = *state;
	const char *tree = put_tree(w, "tree", "6.1.0-9");
	struct module_kernel *k;

	assert_fails(module_kernel_open("0.0.0-none", &k),
		     "install the package linux-headers-0.0.0-none");
	assert_fails(module_kernel_open(w->dir, &k), "no kernel build tree");
	assert_fails(module_kernel_open(path_join(w->arena, w->dir, "none"), &k), "No such file");
	put_text(w, "tree/.config", "CONFIG_ARM64=y\n");
	assert_fails(module_kernel_open(tree, &k), "x86_64");
	assert_int_equal(unlink(path_join(w->arena, tree, ".config")), 0);
	assert_fails(module_kernel_open(tree, &k), "no .config");
	tree = put_tree(w, "tree2", "6.1.0-9");
	assert_int_equal(unlink(path_join(w->arena, tree, "Module.symvers")), 0);
	assert_fails(module_kernel_open(tree, &k), "Module.symvers is missing");
}

/* ---- ELF objects, made here ---- */

struct elf_symbol {
	const char *name;
	bool defined, weak;
};

struct elf_file {
	unsigned char bytes[8192];
	size_t len;
	Elf64_Shdr sections[8];
	unsigned n;
	char names[256];
	size_t names_len;
};

static void elf_section(struct elf_file *f, const char *name, unsigned type, const void *data,
			size_t len, unsigned link)
{
	Elf64_Shdr *s = &f->sections[f->n++];

	f->len = (f->len + 7) & ~(size_t)7;
	*s = (Elf64_Shdr){ .sh_name = (unsigned)f->names_len,
			   .sh_type = type,
			   .sh_offset = f->len,
			   .sh_size = len,
			   .sh_link = link,
			   .sh_entsize = type == SHT_SYMTAB ? sizeof(Elf64_Sym) : 0 };
	strcpy(f->names + f->names_len, name);
	f->names_len += strlen(name) + 1;
	memcpy(f->bytes + f->len, data, len);
	f->len += len;
}

static const char *put_object(struct world *w, const char *file, const struct elf_symbol *symbols,
			      const char *modinfo, size_t modinfo_len, const void *this_module,
			      size_t module_len)
{
	struct elf_file *f = calloc(1, sizeof(*f));
	Elf64_Sym syms[16] = { 0 };
	char strings[512] = "";
	size_t strings_len = 1, n = 1;
	const char *path;
	Elf64_Ehdr *h = (Elf64_Ehdr *)f->bytes;

	f->len = sizeof(*h);
	for (; symbols && symbols->name; symbols++, n++) {
		syms[n].st_name = (unsigned)strings_len;
		syms[n].st_info = ELF64_ST_INFO(symbols->weak ? STB_WEAK : STB_GLOBAL, STT_NOTYPE);
		syms[n].st_shndx = symbols->defined ? 1 : SHN_UNDEF;
		strcpy(strings + strings_len, symbols->name);
		strings_len += strlen(symbols->name) + 1;
	}
	elf_section(f, "", SHT_NULL, "", 0, 0);
	elf_section(f, ".modinfo", SHT_PROGBITS, modinfo, modinfo_len, 0);
	elf_section(f, ".gnu.linkonce.this_module", SHT_PROGBITS, this_module, module_len, 0);
	elf_section(f, ".strtab", SHT_STRTAB, strings, strings_len, 0);
	elf_section(f, ".symtab", SHT_SYMTAB, syms, n * sizeof(syms[0]), 3);
	f->names_len += sizeof(".shstrtab"); /* its own name, too */
	memcpy(f->names + f->names_len - sizeof(".shstrtab"), ".shstrtab", sizeof(".shstrtab"));
	elf_section(f, "", SHT_STRTAB, f->names, f->names_len, 0);
	f->sections[f->n - 1].sh_name = 0;
	f->len = (f->len + 7) & ~(size_t)7;
	*h = (Elf64_Ehdr){ .e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
			   .e_type = ET_REL,
			   .e_shoff = f->len,
			   .e_shentsize = sizeof(Elf64_Shdr),
			   .e_shnum = (Elf64_Half)f->n,
			   .e_shstrndx = (Elf64_Half)(f->n - 1) };
	memcpy(f->bytes + f->len, f->sections, f->n * sizeof(f->sections[0]));
	f->len += f->n * sizeof(f->sections[0]);
	path = put(w, file, f->bytes, f->len);
	free(f);
	return path;
}

static struct error *check_one(struct world *w, const struct elf_symbol *symbols,
			       const char *modinfo, size_t modinfo_len, struct strbuf *extra)
{
	static const struct elf_symbol base_symbols[] = { { "stp_print_0", true, false },
							  { "unrelated", false, false },
							  { NULL, false, false } };
	struct module_kernel *k;
	struct object base, object;
	struct error *err;

	assert_null(module_kernel_open(put_tree(w, "tree", "6.1.0-9"), &k));
	assert_null(object_open(put_object(w, "base.o", base_symbols, "license=GPL", 12, "", 0),
				&base));
	assert_null(object_open(put_object(w, "script.o", symbols, modinfo, modinfo_len, "", 0),
				&object));
	err = check_symbols(k, &base, (const struct object *const[]){ &object }, 1, "\nmemcpy\n",
			    extra, NULL);
	object_close(&object);
	object_close(&base);
	module_kernel_close(k);
	return err;
}

static void names_undefined_symbols(void **state)
{
	static const struct elf_symbol good[] = {
		{ "stp_script", true, false },   { "stp_print_0", false, false },
		{ "memcpy", false, false },      { "maybe", false, true },
		{ "init_uts_ns", false, false }, { NULL, false, false }
	};
	static const struct elf_symbol missing[] = { { "do_nothing_known", false, false },
						     { NULL, false, false } };
	static const struct elf_symbol space[] = { { "dma_buf_get", false, false },
						   { NULL, false, false } };
	static const struct elf_symbol only[] = { { "kvm_only", false, false },
						  { NULL, false, false } };
	static const struct elf_symbol gpl[] = { { "init_uts_ns", false, false },
						 { NULL, false, false } };
	struct world *w = *state;
	struct strbuf extra;

	strbuf_init(&extra);
	assert_null(check_one(w, good, "", 1, &extra));
	/* memcpy is in base.o's table already, the weak one may stay undefined */
	assert_string_equal(strbuf_cstr(&extra),
			    "\t.quad 0x039823de\n\t.ascii \"init_uts_ns\"\n\t.skip 45\n");
	strbuf_reset(&extra);
	assert_fails(check_one(w, missing, "", 1, &extra), "do_nothing_known");
	assert_fails(check_one(w, space, "", 1, &extra), "MODULE_IMPORT_NS(DMA_BUF)");
	assert_null(check_one(w, space, "import_ns=DMA_BUF", 18, &extra));
	assert_fails(check_one(w, only, "", 1, &extra), "only to the modules kvm,kvm-intel");
	assert_fails(check_one(w, gpl, "license=Proprietary", 20, &extra), "GPL");
	assert_null(check_one(w, gpl, "license=Dual BSD/GPL", 21, &extra));
	strbuf_deinit(&extra);
}

static void refuses_damaged_objects(void **state)
{
	struct world *w = *state;
	static const struct elf_symbol one[] = { { "x", true, false }, { NULL, false, false } };
	const char *path = put_object(w, "x.o", one, "", 1, "", 0);
	struct object o;
	char *bytes;
	size_t len;

	assert_fails(object_open(put_text(w, "text", "not an object"), &o), "relocatable");
	assert_null(file_read(path, &bytes, &len));
	for (size_t cut = 0; cut < len; cut += 13) {
		struct error *err = object_open(put(w, "cut.o", bytes, cut), &o);

		assert_non_null(err);
		error_destroy(err);
	}
	/* any single damaged byte is either refused or read without leaving the file (the sanitizers watch) */
	for (size_t i = 0; i < len; i++) {
		char old = bytes[i];
		struct error *err;

		bytes[i] = (char)~old;
		err = object_open(put(w, "flip.o", bytes, len), &o);
		if (!err) {
			struct strbuf extra;
			struct module_kernel *k;

			strbuf_init(&extra);
			assert_null(module_kernel_open(put_tree(w, "tree", "6.1.0-9"), &k));
			error_destroy(check_symbols(k, NULL, (const struct object *const[]){ &o },
						    1, "", &extra, NULL));
			module_kernel_close(k);
			strbuf_deinit(&extra);
			object_close(&o);
		}
		error_destroy(err);
		bytes[i] = old;
	}
	free(bytes);
}

/* ---- the name ---- */

#define PLACEHOLDER "spile_module_name_placeholder_of_55_characters_________"

static void changes_names(void **state)
{
	static const char info[] = "license=GPL\0fullname=x\0name=" PLACEHOLDER "\0depends=";
	static const char longest[] = "abcdefghijklmnopqrstuvwxyz_ABCDEFGHIJKLMNOPQRSTUVWXYZ_1";
	struct world *w = *state;
	char mod[128] = { 0 };
	const char *path;
	const char *const names[] = { "stap_1", longest, "x", "stap_1_longer" };
	struct object o;
	size_t n;

	strcpy(mod + 24, PLACEHOLDER);
	mod[90] = 'k';
	path = put_object(w, "m.ko", NULL, info, sizeof(info), mod, sizeof(mod));
	for (unsigned i = 0; i < 4; i++) {
		const unsigned char *p;

		assert_null(module_rename(path, names[i]));
		assert_null(object_open(path, &o));
		p = object_section(&o, ".gnu.linkonce.this_module", &n);
		assert_string_equal((const char *)p + 24, names[i]);
		assert_int_equal(p[90], 'k');
		assert_int_equal(p[23], 0);
		p = object_section(&o, ".modinfo", &n);
		assert_string_equal((const char *)p + 28, names[i]);
		assert_string_equal((const char *)p + 28 + 56, "depends=");
		object_close(&o);
	}
	assert_fails(module_rename(path, ""), "not a module name");
	assert_fails(module_rename(path, "a-b"), "not a module name");
	assert_fails(module_rename(path, "1a"), "not a module name");
	assert_fails(
		module_rename(path, "abcdefghijklmnopqrstuvwxyz_ABCDEFGHIJKLMNOPQRSTUVWXYZ_12"),
		"not a module name");
	assert_fails(
		module_rename(put_object(w, "other.ko", NULL, "name=short", 11, "short", 6), "x"),
		"not a module made");
}

/* ---- features ---- */

static void reads_features(void **state)
{
	struct world *w = *state;
	const char *dir;
	struct module_kernel *k;
	struct features f;
	char *text;
	size_t len;

	put_text(w, "f/features.def", "# comment\n\nUTS symbol:init_uts_ns\nNONE\tsymbol:none\n");
	dir = path_join(w->arena, w->dir, "f");
	assert_null(module_kernel_open(put_tree(w, "tree", "6.1.0-9"), &k));
	assert_null(features_read(dir, w->arena, &f));
	assert_null(features_test(&f, k, (const char *const[]){ "false", NULL }));
	assert_null(features_write(&f, path_join(w->arena, dir, "out.h")));
	assert_null(file_read(path_join(w->arena, dir, "out.h"), &text, &len));
	assert_non_null(strstr(text, "#define STP_HAVE_UTS 1\n"));
	assert_null(strstr(text, "NONE"));
	free(text);
	module_kernel_close(k);
	put_text(w, "f/features.def", "\nX missing.c\n");
	assert_fails(features_read(dir, w->arena, &f), "features.def:2");
	put_text(w, "f/features.def", "X\n");
	assert_fails(features_read(dir, w->arena, &f), "features.def:1");
}

/* ---- the cache ---- */

static void keys_tell_parts_apart(void **state)
{
	struct module_key a, b, c;

	module_key_make(&a, (const char *const[]){ "ab", "c", NULL });
	module_key_make(&b, (const char *const[]){ "a", "bc", NULL });
	module_key_make(&c, (const char *const[]){ "ab", "c", NULL });
	assert_string_not_equal(a.text, b.text);
	assert_string_equal(a.text, c.text);
	assert_string_equal(a.text + 32, "_3");
}

static struct module_key key_of(const char *text)
{
	struct module_key key;

	module_key_make(&key, (const char *const[]){ text, NULL });
	return key;
}

static void set_age(const char *path, long seconds)
{
	struct timespec t[2] = { { .tv_sec = time(NULL) - seconds },
				 { .tv_sec = time(NULL) - seconds } };

	assert_int_equal(utimensat(AT_FDCWD, path, t, 0), 0);
}

static void stores_and_finds(void **state)
{
	struct world *w = *state;
	const char *dir = path_join(w->arena, w->dir, "a/cache"),
		   *from = put_text(w, "x.ko", "module");
	struct module_key key = key_of("k");
	struct module_cache *cache;
	char *hit, *text;
	size_t len;

	assert_null(module_cache_open(dir, &cache));
	assert_null(file_read(path_join(w->arena, dir, "cache_mb_limit"), &text, &len));
	assert_string_equal(text, "256\n");
	free(text);
	assert_true(file_exists(path_join(w->arena, dir, "cache_clean_interval_s")));
	assert_null(module_cache_lookup(cache, &key, ".ko"));
	assert_null(module_cache_store(cache, &key, ".ko", from));
	hit = module_cache_lookup(cache, &key, ".ko");
	assert_string_equal(hit,
			    arena_printf(w->arena, "%s/%.2s/stap_%s.ko", dir, key.text, key.text));
	assert_null(file_read(hit, &text, &len));
	assert_string_equal(text, "module");
	free(text);
	free(hit);
	assert_null(module_cache_lookup(cache, &key, ".c"));
	module_cache_close(cache);
}

static void cleans_oldest_first(void **state)
{
	struct world *w = *state;
	const char *dir = path_join(w->arena, w->dir, "cache");
	const size_t size = 700 * 1024;
	char *data = calloc(1, size), *hits[3];
	const char *from = put(w, "big.ko", data, size), *other;
	struct module_cache *cache;

	free(data);
	assert_null(module_cache_open(dir, &cache));
	put_text(w, "cache/cache_mb_limit", "1\n");
	other = put_text(w, "cache/ab/other_file", "x");
	set_age(other, 9000);
	for (int i = 0; i < 3; i++) {
		struct module_key key = key_of(arena_printf(w->arena, "%d", i));

		assert_null(module_cache_store(cache, &key, ".ko", from));
		hits[i] = module_cache_lookup(cache, &key, ".ko");
		assert_non_null(hits[i]);
	}
	set_age(hits[0], 1000);
	set_age(hits[1], 2000);
	set_age(hits[2], 1500);
	/* created just now: the interval has not passed */
	assert_int_equal(module_cache_clean(cache, false), 0);
	set_age(path_join(w->arena, dir, "cache_clean_interval_s"), 301);
	assert_int_equal(module_cache_clean(cache, false), 2);
	assert_true(file_exists(hits[0]));
	assert_false(file_exists(hits[1]));
	assert_false(file_exists(hits[2]));
	assert_true(file_exists(other));
	assert_int_equal(module_cache_clean(cache, false), 0);
	for (int i = 0; i < 3; i++)
		free(hits[i]);
	module_cache_close(cache);
}

/* Indexes, but neither settings nor the runtime of kernels. */
static void drops_what_is_stale(void **state)
{
	enum { STALE = 61 * 86400 };
	struct world *w = *state;
	const char *dir = path_join(w->arena, w->dir, "cache"), *settings, *gone, *kept,
		   *of_program, *base;
	struct module_cache *cache;

	assert_null(module_cache_open(dir, &cache));
	settings = path_join(w->arena, dir, "cache_mb_limit");
	gone = put_text(w, "cache/symbols-ab.5", "x");
	kept = put_text(w, "cache/symbols-cd.6", "x");
	of_program = put_text(w, "cache/files/cache_check-ef.5", "x");
	base = put_text(w, "cache/kernels/5.10/base.o", "x");
	set_age(settings, STALE);
	set_age(gone, STALE);
	set_age(of_program, STALE);
	set_age(base, STALE);
	assert_int_equal(module_cache_clean(cache, true), 2);
	assert_true(file_exists(settings));
	assert_true(file_exists(kept));
	assert_true(file_exists(base));
	assert_false(file_exists(gone));
	assert_false(file_exists(of_program));
	module_cache_close(cache);
}

/* Nothing may stay behind and only the first failure is told. */
static void assert_store_fails_once(struct world *w, const char *dir, const char *from)
{
	struct module_key key = key_of("full");
	struct module_cache *cache;
	const char *sub;

	assert_null(module_cache_open(dir, &cache));
	assert_fails(module_cache_store(cache, &key, ".ko", from), "cannot store into the cache");
	assert_null(module_cache_store(cache, &key, ".ko", from));
	assert_null(module_cache_lookup(cache, &key, ".ko"));
	sub = arena_printf(w->arena, "%s/%.2s", dir, key.text);
	assert_true(rmdir(sub) == 0 || errno == ENOENT); /* empty: no part of the file is left */
	module_cache_close(cache);
}

static void survives_full_disk(void **state)
{
	struct world *w = *state;
	const size_t size = 256 * 1024;
	const char *dir = path_join(w->arena, w->dir, "full"), *from;
	char *data = calloc(1, size);
	struct rlimit old, small = { .rlim_cur = 64 * 1024 };

	from = put(w, "big.ko", data, size);
	free(data);
	assert_null(dir_create_all(dir));
	if (!mount("tmpfs", dir, "tmpfs", 0, "size=64k")) {
		assert_store_fails_once(w, dir, from);
		assert_int_equal(umount2(dir, MNT_DETACH), 0);
		return;
	}
	/* without the right to mount, a limit on the file's size does much the same */
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
	small.rlim_max = old.rlim_max;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	assert_store_fails_once(w, dir, from);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
}

static void default_directory(void **state)
{
	char *dir;

	setenv("SYSTEMTAP_DIR", "/s", 1);
	dir = module_cache_default_dir();
	assert_string_equal(dir, "/s/cache");
	free(dir);
	unsetenv("SYSTEMTAP_DIR");
	setenv("HOME", "/h", 1);
	dir = module_cache_default_dir();
	assert_string_equal(dir, "/h/.systemtap/cache");
	free(dir);
}

/* ---- units of the runtime ---- */

static void add_found(void *arg, const char *name, size_t len)
{
	strbuf_addf(arg, "%.*s ", (int)len, name);
}

static void finds_definitions(void **state)
{
	static const struct {
		const char *text, *names;
	} cases[] = {
		{ "int stp_a(void)\n{\n\tint stp_no = stp_b(1);\n}\nint stp_c(int x) { return x; }\n",
		  "stp_a stp_c " },
		{ "int stp_a(void);\nextern int stp_b;\nstatic int stp_c(void) {}\nvoid stp_d(void) {}\n",
		  "stp_d " },
		{ "static int local(int a)\n{\n\tif (a) { b(); }\n}\n\nlong\nstp_a(void)\n{ }\n",
		  "stp_a " },
		{ "struct stp_s { int stp_x; };\nconst struct stp_s stp_v = { .stp_x = 1 };\nchar stp_w[4];\n",
		  "stp_v stp_w " },
		{ "struct stp_s stp_f(struct stp_s stp_p) { }\nstruct stp_s;\ntypedef int stp_t;\n",
		  "stp_f " },
		{ "/* int stp_a; */ // int stp_b;\n#define X int \\\n stp_c;\nchar *x = \"int stp_d;\";\n",
		  "" },
		{ "MAKE(stp_a, stp_b, 1)\nMAKE(stp_c)\n__printf(1, 2)\nvoid stp_d(char *f, ...) { }\n",
		  "stp_a stp_b stp_c stp_d " },
		{ "static void (*stp_hook)(void);\nstatic const int t[] = { stp_a, '{' };\nint stp_b = 1;\n",
		  "stp_b " },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct strbuf found;

		strbuf_init(&found);
		units_scan(cases[i].text, add_found, &found);
		assert_string_equal(strbuf_cstr(&found), cases[i].names);
		strbuf_deinit(&found);
	}
}

static void indexes_members(void **state)
{
	struct world *w = *state;
	const char *dir = path_join(w->arena, w->dir, "runtime");
	const struct unit *unit;
	struct units units;
	struct strbuf index;

	assert_null(dir_create_all(path_join(w->arena, dir, "sub")));
	put_text(w, "runtime/runtime.list",
		 "# units\ncore a.c\n\nmember b.c  arrays and more # no\n"
		 "member sub/c.c  clocks [CONFIG_CLOCKS]\n");
	put_text(w, "runtime/b.c", "int stp_map;\n");
	put_text(w, "runtime/sub/c.c", "int stp_fn_time(void) {}\nint stp_map2;\n");
	assert_null(units_read(dir, w->arena, &units));
	assert_int_equal(units.list.n, 3);
	assert_null(units.list.data[0].what);
	strbuf_init(&index);
	assert_null(units_index(&units, dir, &index));
	unit = units_find(&units, index.s, index.len, "stp_map");
	assert_string_equal(unit->what, "arrays and more");
	unit = units_find(&units, index.s, index.len, "stp_fn_time");
	assert_string_equal(unit->stem, "sub_c");
	assert_string_equal(unit->what, "clocks");
	assert_string_equal(unit->config, "CLOCKS");
	assert_null(units_find(&units, index.s, index.len, "stp_ma"));
	strbuf_reset(&index);
	put_text(w, "runtime/b.c", "int stp_map2;\n");
	assert_fails(units_index(&units, dir, &index), "stp_map2 is defined by sub/c.c");
	strbuf_deinit(&index);
	put_text(w, "runtime/runtime.list", "core a.c\nmember b.c\n");
	assert_fails(units_read(dir, w->arena, &units), "runtime.list:2: expected");
}

/* ---- tools ---- */

static void digests_messages(void **state)
{
	char *d = tool_digest(
		"a.c: In function 'f':\na.c:1:2: error: one\n  1 | x\na.c:3:1: error: two\n");

	assert_string_equal(d, "a.c:1:2: error: one\na.c:3:1: error: two");
	free(d);
	d = tool_digest("plain\n\ntext\n");
	assert_string_equal(d, "plain\ntext");
	free(d);
	d = tool_digest("");
	assert_string_equal(d, "it printed nothing");
	free(d);
}

static void note_done(void *arg, int status, char *text)
{
	char *log = arg;

	sprintf(log + strlen(log), "%d:%s ", status, text);
	free(text);
}

static void pool_keeps_order(void **state)
{
	struct tool_pool pool = { 0 };
	char log[128] = "";

	assert_null(tool_pool_add(&pool,
				  (const char *const[]){ "sh", "-c", "sleep 0.1; echo -n a", NULL },
				  note_done, log));
	assert_null(tool_pool_add(
		&pool, (const char *const[]){ "sh", "-c", "echo -n b >&2; exit 3", NULL },
		note_done, log));
	assert_null(tool_pool_add(&pool, (const char *const[]){ "sh", "-c", "kill -9 $$", NULL },
				  note_done, log));
	assert_null(tool_pool_wait(&pool));
	assert_string_equal(log, "0:a 3:b 137: ");
	assert_fails(
		tool_pool_add(&pool, (const char *const[]){ "/nonexistent", NULL }, note_done, log),
		"/nonexistent");
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		T(splits_shell_words),      T(derives_flags),       T(no_compile_command),
		T(reads_symvers),           T(refuses_bad_symvers), T(opens_build_tree),
		T(opens_unpacked_tree),     T(refuses_cfi),         T(refuses_foreign_compiler),
		T(refuses_foreign_tools),   T(refuses_bad_trees),   T(names_undefined_symbols),
		T(refuses_damaged_objects), T(changes_names),       T(reads_features),
		T(keys_tell_parts_apart),   T(stores_and_finds),    T(cleans_oldest_first),
		T(drops_what_is_stale),     T(survives_full_disk),  T(default_directory),
		T(digests_messages),        T(pool_keeps_order),    T(finds_definitions),
		T(indexes_members),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
