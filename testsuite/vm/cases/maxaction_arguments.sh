# SPDX-License-Identifier: GPL-2.0-or-later
"$1" short
"$1" "$(head -c 100000 /dev/zero | tr '\0' a)"
