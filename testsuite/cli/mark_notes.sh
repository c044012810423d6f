# SPDX-License-Identifier: GPL-2.0-or-later
# Notes of marks that are damaged: each is told once, and what can be known of the others is.
dir=$(mktemp -d) && dir=$(realpath "$dir") && trap 'rm -rf "$dir"' EXIT && cd "$dir" || exit
note() { # NAME ARGUMENTS [MORE-BYTES-THAN-THERE-ARE [WHERE [SEMAPHORE]]]
	cat <<END
990:	nop
	.pushsection .note.stapsdt,"","note"
	.balign 4
	.4byte 992f-991f, 994f-993f$3, 3
991:	.asciz "stapsdt"
992:	.balign 4
993:	.8byte ${4:-990b}, 0, ${5:-0}
	.asciz "p"
	.asciz "$1"
	.asciz "$2"
994:	.balign 4
	.popsection
END
}
short() { # DIRECTIVE...: a description of these alone
	echo '	.pushsection .note.stapsdt,"","note"
	.balign 4
	.4byte 8, 994f-993f, 3
	.asciz "stapsdt"
993:'
	printf '\t%s\n' "$@"
	echo '994:	.balign 4
	.popsection'
}
build() { # NAME, notes on the standard input
	{
		echo '	.globl main
	.type main, @function
main:'
		cat
		echo '	xorl %eax, %eax
	ret
	.size main, . - main
	.section .note.GNU-stack,"",@progbits'
	} > p.s
	cc -o "$1" p.s
}
see() { # NAME MARK
	echo "-- $1 $2"
	"$STAP" -L "process(\"./$1\").mark(\"$2\")" 2>&1 | sed "s,$dir/,,g"
}
read() { # NAME MARK
	echo "-- $1 $2"
	"$STAP" -r "$KERNEL" -p2 -e "probe process(\"./$1\").mark(\"$2\") { println(\$arg1) }" 2>&1 |
		sed "/^ *source:\|^ *^\|^\$\|^Pass/d; s,$dir/,,g; s,/\* arguments+0x[0-9a-f]* \*/,,"
}
{
	note good '8@%rax'
	short
	short '.8byte main, 0'
	short '.8byte main, 0, 0' '.ascii "p"'
	short '.8byte main, 0, 0' '.asciz "p"' '.ascii "name"'
	short '.8byte main, 0, 0' '.asciz "p"' '.asciz "name"' '.ascii "8@%rax"'
	note last '4@%ecx'
} | build cut
{ note good '8@%rax'; note long '8@%rax' +1000; note last '4@%ecx'; } | build long
{ note good '8@%rax'; note away '8@%rax' '' 0x7000000; note counted '8@%rax' '' 990b 0x7000000; } | build astray
{
	note none ''
	note size '3@%rax'
	note empty '8@'
	note sized '99999999999999999999@%rax'
	note register '8@%zax'
	note symbol '8@nothing(%rip)'
	note scale '8@(%rax,%rbx,3)'
	note words 'what is this'
	note float '8f@%xmm0'
	note blank '   '
	note word '%rax'
	note two '%rax 8(%rbx)'
	note many '1@%al 2@%ax 4@%eax 8@%rax 1@%al 2@%ax 4@%eax 8@%rax 1@%al 2@%ax 4@%eax 8@%rax 1@%al'
} | build arguments
see cut '*'
see long '*'
see astray '*'
read astray away
read astray counted
see arguments '*'
for mark in none size empty sized register symbol scale words float blank word two; do
	read arguments $mark
done
