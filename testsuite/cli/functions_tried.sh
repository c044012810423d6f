# SPDX-License-Identifier: GPL-2.0-or-later
# Which functions that scripts can call no case calls; sourced with $STAP set. Each name with the
# number of its parameters must be called in vm/tapset/hostile.stp when it has some, and in a
# case that looks at what it does. Prints those that are not, and a last line when there are none.
# Rows of "only" say why a function is not tried so.
cases=../vm/cases
calls=$(mktemp) || exit 1
trap 'rm -f "$calls"' EXIT
# what is called, as NAME/ARGUMENTS, where parentheses and commas within an argument and texts do
# not count
called() {
	perl -ne '
		s/"(?:[^"\\]|\\.)*"/0/g;
		s/^\s*#.*//;
		while (/\b([A-Za-z_]\w*)\s*\(/g) {
			my ($name, $depth, $count, $seen) = ($1, 1, 0, 0);
			for my $c (split //, substr($_, pos)) {
				$depth++ if $c =~ /[(\[{]/;
				$depth-- if $c =~ /[)\]}]/;
				last if !$depth;
				$count++ if $c eq "," && $depth == 1;
				$seen = 1 if $c =~ /\S/;
			}
			print "$name/", $seen ? $count + 1 : 0, "\n";
		}' "$@" | sort -u
}
have=$("$STAP" -v --dump-functions 2>/dev/null | grep -v '^_' | awk -F'[(]' '{
	name = $1
	sub(/[ :].*/, "", name)
	list = $2
	sub(/\).*/, "", list)
	print name "/" (list == "" ? 0 : split(list, part, ","))
}' | sort -u)
only() {
	sed 's/ *:.*//' <<-'END' | sort
		mdelay/1: it waits
		udelay/1: it waits
		panic/1: the guest would end
		printk/2: the kernel log is read for complaints
		raise/1: a signal to staprun
		system/1: a program for each
	END
}
[ "$(printf '%s\n' "$have" | wc -l)" -gt 500 ] || echo "few functions: $have"
called ../vm/tapset/hostile.stp $cases/functions_hostile.stp >"$calls"
hostile=$(printf '%s\n' "$have" | grep -v '/0$' | comm -23 - "$calls" | comm -3 - /dev/fd/3 3<<END
$(only)
END
)
called $(ls $cases/*.stp | grep -v -e functions_hostile -e builtins_all) >"$calls"
plain=$(printf '%s\n' "$have" | comm -23 - "$calls" | grep -v '^panic/1$') # as above
[ -z "$hostile" ] || printf 'not in hostile.stp, or in the list of those that are not and there: %s\n' $hostile
[ -z "$plain" ] || printf 'in no case: %s\n' $plain
[ -n "$hostile$plain" ] || echo "all tried"
