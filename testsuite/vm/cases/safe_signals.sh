# SPDX-License-Identifier: GPL-2.0-or-later
. ./session.sh
begin; sleep 0.3; kill -INT -$run; end "Ctrl-C"
begin; sleep 0.3; kill -INT $run; end "INT to staprun"
begin; sleep 0.3; kill -INT $(reader); end "INT to stapio"
begin; sleep 0.3; kill -TERM $run; end "TERM"
begin; sleep 0.3; kill -HUP $run; end "HUP"
begin --timeout=0.5; end "--timeout"
begin -c "sleep 0.5"; end "-c"
begin -c "sleep 0.5; exit 3"; end "-c that fails"
begin -c "no-such-program"; end "-c of nothing"
begin -c "sleep 30"; until pgrep -x sleep > "$dir/pid"; do :; done; sleep 0.2; kill -INT -$run; end "Ctrl-C with -c"
pgrep -x sleep && echo "a command was left running"
begin -c 'kill -9 $$'; end "-c that is killed"
