# SPDX-License-Identifier: GPL-2.0-or-later
# The guest's ftrace is switched off for good, as after an error of its own, while functions are attached: the kernel gives none of them
# back, so the module must stay.
"$STAP" --remote="vm:$KERNEL" -g -m spile_kept ./ftrace_disabled.stp
status=$?
rm -f spile_kept.ko
echo "status $status"
