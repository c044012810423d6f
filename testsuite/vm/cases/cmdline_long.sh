# SPDX-License-Identifier: GPL-2.0-or-later
cat > /tmp/cmdline_long <<'END'
/bin/true $(seq 20000)
env - $(seq -f X%g= 20000) LAST=1 /bin/true
END
$STAPRUN -c "sh /tmp/cmdline_long" "$MODULE"
