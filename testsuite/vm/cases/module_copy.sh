# SPDX-License-Identifier: GPL-2.0-or-later
# The module in a file of another name, as somebody has it who builds several versions of one.
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
case $KERNEL in
/*) ko=$(echo "$KERNEL"/lib/modules/*/kernel/drivers/net/dummy.ko*) ;;
*) ko=$(echo /lib/modules/"$KERNEL"/kernel/drivers/net/dummy.ko*) ;;
esac
copy=$dir/my-copy.${ko#*/dummy.}
cp "$ko" "$copy"
"$STAP" --remote=vm:"$KERNEL" module_copy.stp "$copy" -c "insmod $copy numdummies=1" 2> "$dir/err" || cat "$dir/err"
