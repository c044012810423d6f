# SPDX-License-Identifier: GPL-2.0-or-later
# oneliner.sh TITLE [COMMAND]: what the README has under the comment TITLE, in a guest while COMMAND runs (-c).
# oneliner.sh --titles: all of them; the command in the introduction has none.
readme=../../README.md
if [ "$1" = --titles ]; then
	awk '/^    # / { title = substr($0, 7) } /^    stap / { print title "." } /^$/ { title = "" }' $readme
	exit
fi
text=$(awk -v wanted="$1" '
	/^    # / { title = substr($0, 7) }
	/^    stap / { inside = title == wanted }
	/^$/ { inside = 0; title = "" }
	inside' $readme)
load=${2:-}
stap()
{
	if [ "$load" ]; then
		"$STAP" "--remote=vm:$KERNEL" "$@" -c "$load"
	else
		"$STAP" "--remote=vm:$KERNEL" "$@"
	fi
}
[ "$text" ] || echo "the README has no \"$1\""
eval "$text"
