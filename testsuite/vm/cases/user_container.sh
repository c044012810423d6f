# SPDX-License-Identifier: GPL-2.0-or-later
# In a mount namespace: a root of its own, where the first program is /opt/app and the second is found at the first one's path.
root=/tmp/container
mkdir -p $root
cat > /tmp/container.sh <<EOF
mount -t tmpfs none $root
mkdir -p $root/usr $root/opt $root$BUILD/programs
for dir in bin lib lib64; do ln -s usr/\$dir $root/\$dir; done
mount --rbind /usr $root/usr
touch $root/opt/app $root$BUILD/programs/trace
mount --bind $BUILD/programs/trace $root/opt/app
mount --bind $BUILD/programs/stacks $root$BUILD/programs/trace
chroot $root /opt/app > /dev/null
chroot $root $BUILD/programs/trace > /dev/null
chroot $root /opt/app > /dev/null
EOF
$STAPRUN -c "unshare -m sh /tmp/container.sh" $MODULE
rm -rf $root /tmp/container.sh
