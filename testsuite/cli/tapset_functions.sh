# SPDX-License-Identifier: GPL-2.0-or-later
# Which of the functions of tapset_functions.list scripts can call; sourced with $STAP set. Prints the names, with the number
# of their parameters, that are missing without a reason, and a last line when there are none.
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
[ -z "$missing" ] && echo "all there" || printf 'missing: %s\n' $missing
