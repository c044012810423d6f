# SPDX-License-Identifier: GPL-2.0-or-later
cd /proc/sys/kernel
old=$(cat panic)
echo 17 >panic
echo $old >panic
oops=$(cat panic_on_oops)
echo $oops >panic_on_oops
