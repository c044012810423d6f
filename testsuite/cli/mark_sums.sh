# SPDX-License-Identifier: GPL-2.0-or-later
dir=$(mktemp -d) && trap 'rm -rf "$dir"' EXIT && cd "$dir" || exit
note() { # NAME OPERAND
	cat <<END
990:	nop
	.pushsection .note.stapsdt,"","note"
	.balign 4
	.4byte 992f-991f, 994f-993f, 3
991:	.asciz "stapsdt"
992:	.balign 4
993:	.8byte 990b, _.stapsdt.base, 0
	.asciz "p"
	.asciz "$1"
	.asciz "$2"
994:	.balign 4
	.popsection
END
}
{
	echo '	.globl main
	.type main, @function
main:'
	note two '8@4+4(%rbp)'
	note three '8@-4-4+8(%rbp)'
	note symbol '8@4+gsym(%rip)'
	note broken '8@4+(%rbp'
	echo '	xorl %eax, %eax
	ret
	.size main, . - main
	.data
	.globl gsym
	.type gsym, @object
gsym:	.quad 7, 8
	.section .stapsdt.base,"aG",@progbits,.stapsdt.base,comdat
_.stapsdt.base: .space 1
	.section .note.GNU-stack,"",@progbits'
} > p.s
cc -o p p.s || exit
for mark in two three symbol broken; do
	echo "$mark: $("$STAP" -r "$KERNEL" -p3 -e "probe process(\"./p\").mark(\"$mark\") { println(\$arg1) }" 2>&1 |
		grep -o -e 'stp_read_user(.*' -e 'its address is not understood' | sed 's/0x[0-9a-f]*ULL/ADDRESS/')"
done
