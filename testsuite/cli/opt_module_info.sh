# SPDX-License-Identifier: GPL-2.0-or-later
# What is in the module: items of --modinfo beside its own, debug information with --debug, and -a ends with the module
dir=$(mktemp -d)
cd "$dir" || exit 1
probe='probe begin { exit() }'
"$STAP" -r "$KERNEL" -a x86_64 -m info_case --modinfo vendor='a "b"' --modinfo rhelversion=9.1 -e "$probe"
readelf -p .modinfo info_case.ko | sed -n 's/.*\(vendor=.*\|rhelversion=.*\|name=info_case\)$/\1/p'
readelf -S info_case.ko | grep -c debug_info
TMPDIR=$dir "$STAP" -r "$KERNEL" --debug -p4 -m info_case -e "$probe" 2>&1 | sed 's/"[^"]*stap[^"]*"/"DIR"/'
readelf -S info_case.ko | grep -c ' \.debug_info'
ls stap*/*_src.c | sed 's/.*_src/src/'
"$STAP" -r "$KERNEL" -a x86 -p1 -e "$probe" > /dev/null && echo 'ARCH of make, too'
"$STAP" -r "$KERNEL" -a arm64 -e "$probe" 2>&1 | sed 's/kernel [^ ]*/kernel RELEASE/'
for item in novalue 9=1 name=x vermagic=x; do "$STAP" --modinfo "$item" -p1 -e "$probe" 2>&1 | grep -v ^Try; done
rm -rf "$dir"
