# SPDX-License-Identifier: GPL-2.0-or-later
# The macros of sys/sdt.h in C, C++ and assembly, by compilers and standards: what marks they make, sizes of arguments without places
include=$PWD/../../include
dir=$(mktemp -d) && dir=$(realpath "$dir") && trap 'rm -rf "$dir"' EXIT && cd "$dir" || exit 1
cat > marks.c <<'END'
/* words of the assembly, which a program may have as macros */
#define nop broken
#define weak broken
#define note broken
#define asciz broken
#include <sys/sdt.h>
static int marks(int n, const char *s, unsigned char u, long l, void *p)
{
	int list[3] = { 1, 2, 3 };

	STAP_PROBEV(counted, zero);
	STAP_PROBEV(counted, one, n);
	STAP_PROBEV(counted, two, s, list);
	STAP_PROBEV(counted, twelve, n, s, u, l, p, list, 1, -2, 'c', sizeof n, &list[1], (short)n);
	STAP_PROBE(plain, zero);
	STAP_PROBE2(plain, two, u, l);
	DTRACE_PROBE(plain, dzero);
	DTRACE_PROBE3(plain, dthree, l, u, 5UL);
	__asm__ volatile("mov %[from], %0\n" STAP_PROBE_ASM(within, operands, STAP_PROBE_ASM_TEMPLATE(2))
		: "=&r"(l) : [from] "r"(l), STAP_PROBE_ASM_OPERANDS(2, n, s));
	__asm__ volatile(STAP_PROBE_ASM(within, text, %rax -4@8(%rsp,%rbx,2) 1@%dl));
	__asm__ volatile(STAP_PROBE_ASM(within, zero,));
	__asm__ volatile("# %[none]\n" STAP_PROBE_ASM(within, ozero, STAP_PROBE_ASM_TEMPLATE(0)) : : STAP_PROBE_ASM_OPERANDS(0,));
	return list[0] + (int)l;
}
int main(int argc, char **argv)
{
	return marks(argc, argv[0], 1, 0, argv) != 1;
}
END
cp marks.c marks.cc
{ echo '#define STAP_SDT_ARG_CONSTRAINT "r"'; cat marks.c; } > registers.c
cat > marks.S <<'END'
#include <sys/sdt.h>
	.text
	.globl main
main:
	STAP_PROBE(plain, zero)
	STAP_PROBE2(plain, two, %rdi, 4@8(%rsp,%rbx,2))
	DTRACE_PROBE3(plain, dthree, $5, -4@%eax, 1@%dl)
	STAP_PROBEV(counted, zero)
	STAP_PROBEV(counted, two, %rdi, $0x10)
	STAP_PROBEV(counted, twelve, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)
	STAP_PROBE_ASM(within, text, %rsi -8(%rbp))
	xor %eax, %eax
	ret
	.section .note.GNU-stack,"",@progbits
END
made() { # COMPILER OPTION... SOURCE: what it makes, when that differs from the last
	"$@" -Wall -Wextra -Werror -isystem "$include" -o p && ./p || echo fails
	readelf -n p | sed -n 's/ *Provider: //p; s/ *Name: / /p; s/@[^ ]*/@/g; s/ *Arguments:/ /p' | paste - - - | sed 's,[[:blank:]]*$,,' > now
	case $* in *.S) ;; *) cmp -s now last && echo "$*: the same" && return ;; esac
	echo "$*:"
	cat now
	mv now last
}
for form in 'gcc -std=c99 -pedantic' 'gcc -std=gnu89 -O2' 'gcc -std=gnu17 -O2' clang 'clang -O2'; do
	command -v "${form%% *}" > /dev/null && made $form marks.c
done
made gcc -O2 registers.c
for form in 'g++ -std=c++98' 'g++ -std=gnu++11 -O2' 'g++ -std=c++20 -pedantic -O2' 'clang++ -std=c++17'; do
	command -v "${form%% *}" > /dev/null && made $form marks.cc
done
cat > null.cc <<'END'
#include <sys/sdt.h>
int main(int argc, char **)
{
	decltype(nullptr) none = nullptr;
	STAP_PROBE3(plain, null, argc, nullptr, none);
}
END
for form in 'g++ -std=c++11 -pedantic' 'g++ -std=c++20 -O2' 'clang++ -std=c++11 -O2'; do
	made $form null.cc
done
made gcc marks.S
"$STAP" -L 'process("./p").mark("*")' | sed "s,$dir/,,"
