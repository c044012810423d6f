# SPDX-License-Identifier: GPL-2.0-or-later
. ./session.sh
begin; sleep 0.3; kill -9 $run; gone; end "staprun killed"
begin; sleep 0.3; kill -9 $(reader); end "stapio killed"
begin; sleep 0.3; kill -9 $(reader) $run; gone; end "both killed"
begin; sleep 0.3; kill -STOP $(reader); kill -9 $run; sleep 0.3; kill -9 $(pgrep -x stapio); gone; end "one stopped, both killed"
