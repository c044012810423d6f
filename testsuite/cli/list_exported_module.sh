# SPDX-License-Identifier: GPL-2.0-or-later
list=$(mktemp)
trap 'rm -f "$list"' EXIT
$STAP -r $KERNEL -l 'module("nf_conntrack").function("nf_ct_*").exported' > "$list"
for name in nf_ct_delete nf_ct_helper_init nf_ct_acct_add nf_ct_get_tuple; do
	grep "\"$name[\"@]" "$list" | sed 's/@.*"/"/'
done
