# SPDX-License-Identifier: GPL-2.0-or-later
# Which of the functions of tapset_functions.list scripts can call; sourced with $STAP set. Prints the names, with the number
# of their parameters, that are missing without a reason, and a last line when there are none. A reason is what stap says.
listed=$(sed '/^#/d; /^$/d' tapset_functions.list)
have=$("$STAP" --dump-functions | awk -F'[(]' '{
	name = $1
	sub(/[ :].*/, "", name)
	list = $2
	sub(/\).*/, "", list)
	print name "/" (list == "" ? 0 : split(list, part, ","))
}' | sort -u)
missing=$(printf '%s\n' "$listed" | sed '/:/d' | sort -u | comm -23 - /dev/fd/3 3<<END
$have
END
)
# and of those with a reason the ones that are there after all, or do not say it
excused=$(printf '%s\n' "$listed" | sed -n 's/: .*//p' | sort -u)
printf '%s\n' "$excused" | comm -12 - /dev/fd/3 3<<END
$have
END
for function in $excused; do
	"$STAP" -p2 -e "probe begin { ${function%/*}() }" 2>&1 | grep -q 'hint: not built: ' || echo "$function: no reason"
done
[ -z "$missing" ] && echo "all there" || printf 'missing: %s\n' $missing
