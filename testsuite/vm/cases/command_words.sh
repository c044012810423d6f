# SPDX-License-Identifier: GPL-2.0-or-later
. ./session.sh
run() { echo "$1"; $STAPRUN -c "$1" "$MODULE" 2>&1; }
run "perl -e 'exit 0; print 1'"
run "sh -c 'true; exit 0'"
run "sh -c \"exit 0\" 'a b'"
run "env A=b true"
run "true; exit 0"
