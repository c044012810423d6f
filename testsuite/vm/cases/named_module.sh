# SPDX-License-Identifier: GPL-2.0-or-later
installed=/lib/modules/$(uname -r)/systemtap
here=$(mktemp -d)
mkdir -p "$installed"
cp "$MODULE" "$installed/$NAME.ko"
cd "$here" || exit
echo "not a module" > "$NAME"
$STAPRUN "$NAME"
status=$?
rm -r "$installed/$NAME.ko" "$here"
exit $status
