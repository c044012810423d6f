# SPDX-License-Identifier: GPL-2.0-or-later
. ./session.sh
exec 2> "$dir/err"
# Stands for the reader: what may happen between the end of the reader and staprun's removing.
cat > "$dir/reader" << 'EOF'
#!/bin/sh
unset SYSTEMTAP_STAPIO
case $MEANWHILE in
insmod) $STAPRUN -d $NAME && insmod "$MODULE" ;;
load) $STAPRUN -d $NAME && $STAPRUN -L "$MODULE" ;;
go) $STAPRUN -d $NAME ;;
esac
EOF
chmod +x "$dir/reader"
export STAPRUN MODULE NAME
session() {
	MEANWHILE=$1 SYSTEMTAP_STAPIO=$dir/reader $STAPRUN $2
	echo "$1: status $? modules $(grep -c "^$NAME " /proc/modules)"
	! grep -q "^$NAME " /proc/modules || $STAPRUN -d $NAME
}
for meanwhile in insmod load go nothing; do
	session $meanwhile "$MODULE"
done
echo "attached:"
for meanwhile in insmod load go nothing; do
	$STAPRUN -L "$MODULE"
	session $meanwhile "-A $NAME"
done
# no cookie to tell it by: its name is
insmod "$MODULE"
session nothing "-A $NAME"
! grep ERROR "$dir/err"
