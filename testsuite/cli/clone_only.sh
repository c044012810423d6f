# SPDX-License-Identifier: GPL-2.0-or-later
# A function of a module of which there is only what the compiler made of it, and no description.
for clone in $("$STAP" -r "$KERNEL" -l 'module("ext4").function("*.isra.0")' 2>/dev/null | sed 's/.*("//; s/")//'); do
	f=${clone%.isra.0}
	[ "$("$STAP" -r "$KERNEL" -l "module(\"ext4\").function(\"$f\")" 2>/dev/null)" = "module(\"ext4\").function(\"$clone\")" ] && break
done
see() {
	"$STAP" -r "$KERNEL" -p2 "$@" "$f" 2>&1 >"$out" | sed "s/$f/FUNCTION/g; s/the package .*/the package ***/; /^ *^$/d; /^\$/d"
	grep -c '^module("ext4").function("[a-z0-9_]*.isra.0")' "$out"
}
out=$(mktemp)
trap 'rm -f "$out"' EXIT
see -e 'probe module("ext4").function(@1).return { println($return) }'
see -e 'probe module("ext4").function(@1) { println($inode) }'
see --skip-badvars -e 'probe module("ext4").function(@1).return { println($return) }'
see -e 'probe module("ext4").function(@1).return { if (@defined($return)) println($return) else println(pp()) }'
see -e 'probe module("ext4").function(@1).return { println(returnval(), " ", probefunc()) }'
