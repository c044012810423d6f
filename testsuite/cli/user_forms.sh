#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Usage: user_forms.sh STAP KERNEL SOURCE: the same program with its debug information in every form that compilers and tools
# here can give it. What -L and a script see of a function is printed for each form.
STAP=$1 KERNEL=$2 source=$3
dir=$(mktemp -d) && dir=$(realpath "$dir") && cd "$dir" || exit 1
trap 'rm -rf "$dir"' EXIT
unset SYSTEMTAP_DEBUGINFO_PATH # what is beside a program is found without it
cp "$source/../programs/calls.c" .
have() { command -v "$1" > /dev/null; }
build() { # NAME COMPILER OPTIONS...
	name=$1 cc=$2
	shift 2
	$cc -g -O1 "$@" -c calls.c -o "$name.o" && $cc "$@" "$name.o" -o "$name" -pthread
}
see() {
	"$STAP" -L "process(\"./$1\").function(\"data\")" 2>&1 | sed "/^indexing/d; s,$dir/$1,FORM,; s,$dir,DIR,; s/ *\\\$[de]:.*//"
	"$STAP" -r "$KERNEL" -p2 -e "probe process(\"./$1\").function(\"data\") {
		println(\$o->in->low, @var(\"table\")[2], \$o\$\$, @cast(\$o, \"struct outer\")->id)
	} probe process(\"./$1\").statement(\"data@calls.c:*\") { next }" 2>&1 | grep -a -e error -e Assert
}
form() { # NAME COMPILER OPTIONS...
	if ! have "$2" || ! build "$@" 2> /dev/null; then
		cp plain "$1" # nothing here makes it
	fi
	echo "$1:"
	see "$1"
}
build plain gcc -gdwarf-5
form dwarf4 gcc -gdwarf-4
form dwarf5 gcc -gdwarf-5
form split4 gcc -gdwarf-4 -gsplit-dwarf
form split5 gcc -gdwarf-5 -gsplit-dwarf
# a package of split units in place of the .dwo files: libdw reads it from 0.191 on, and else it is said that it does not
build package gcc -gdwarf-4 -gsplit-dwarf
if have dwp && dwp -e package -o package.dwp && rm package.dwo; then
	"$STAP" -r "$KERNEL" -p2 -e 'probe process("./package").function("data") { println($small) }' > shown 2>&1
	told='package\.dwo is not there; the package .*package\.dwp may have it, but libdw [0-9.]* reads no packages'
	grep -q "WARNING: .*$told" shown && grep -q "hint: .*$told" shown && cp plain package
fi
echo package:
see package
form compressed gcc -gz=zlib
form compressed_gnu gcc -gz=zlib-gnu
form types4 gcc -gdwarf-4 -fdebug-types-section
form types5 gcc -gdwarf-5 -fdebug-types-section
form lto gcc -flto
form clang clang -gdwarf-5
form clang_split clang -gdwarf-5 -gsplit-dwarf
# separate files: beside the program, in .debug, in a tree by build-id
cp plain link && objcopy --only-keep-debug link link.debug && objcopy -S --add-gnu-debuglink=link.debug link
echo debuglink:
see link
mkdir .debug && mv link.debug .debug/
echo "debuglink in .debug:"
see link
# not one that an index is kept of
hex=$(echo "$dir" | cksum | awk '{ printf "%032x%08x", $2, $1 }')
build id gcc -gdwarf-5 -Wl,--build-id="0x$hex"
mkdir -p tree/.build-id/00
objcopy --only-keep-debug id "tree/.build-id/00/${hex#00}.debug" && strip id
echo build-id:
SYSTEMTAP_DEBUGINFO_PATH="$dir/tree"
export SYSTEMTAP_DEBUGINFO_PATH
see id
unset SYSTEMTAP_DEBUGINFO_PATH
# what several programs share is in a file of its own
cp plain one && build two gcc -gdwarf-5 -DTWO
have dwz && dwz -m shared.dwz one two
echo alternate:
see one
# the same in a tree elsewhere: the link says where a package puts it
far=$(echo "far$dir" | cksum | awk '{ printf "01%030x%08x", $2, $1 }')
build far gcc -gdwarf-5 -Wl,--build-id="0x$far" && build two gcc -gdwarf-5 -DTWO
mkdir -p tree/.dwz tree/.build-id/01 && objcopy --only-keep-debug far far.debug
have dwz && dwz -m tree/.dwz/shared.debug -M /usr/lib/debug/.dwz/shared.debug far.debug two
mv far.debug "tree/.build-id/01/${far#01}.debug" && strip far
echo "alternate in a tree:"
SYSTEMTAP_DEBUGINFO_PATH="$dir/tree"
export SYSTEMTAP_DEBUGINFO_PATH
see far
unset SYSTEMTAP_DEBUGINFO_PATH
# symbols alone, packed
cp plain mini && nm -f posix mini | sed -n 's/ [Tt] .*//p' > keep && objcopy -S --keep-symbols=keep mini packed && xz packed && strip -s mini &&
	objcopy --add-section .gnu_debugdata=packed.xz mini
echo MiniDebugInfo:
"$STAP" -l 'process("./mini").function("data")' | sed "s,$dir/mini,FORM,"
