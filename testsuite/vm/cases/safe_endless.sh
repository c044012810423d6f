# SPDX-License-Identifier: GPL-2.0-or-later
. ./session.sh
begin; sleep 0.3; kill -INT $(reader); sleep 1; kill -INT $(reader)
since=$(date +%s); end "Ctrl-C twice"; late=$(($(date +%s) - since))
[ $late -le $((5 * SLOW)) ] || echo "it took $late s"
begin; sleep 0.3; kill -KILL $(reader)
since=$(date +%s); end "the reader is killed"; late=$(($(date +%s) - since))
[ $late -le $((5 * SLOW)) ] || echo "it took $late s"
