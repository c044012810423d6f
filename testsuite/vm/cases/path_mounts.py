# SPDX-License-Identifier: GPL-2.0-or-later
# For path_mounts.stp: has files open below mounts of parts of a file system, and asks where they and the working directory are.
import ctypes, os

libc = ctypes.CDLL(None, use_errno=True)
BIND, DETACH = 0x1000, 2
top = "/tmp/path_mounts"
proc = os.open("/proc/self", os.O_RDONLY)

def bind(what, to):
	if libc.mount(what.encode(), to.encode(), None, BIND, None):
		raise OSError(ctypes.get_errno(), "mount " + to)

def show(path, before_asking=lambda: None):
	f = os.open(path, os.O_RDONLY)
	before_asking()
	os.read(f, 3)
	os.readlink("fd/%d" % f, dir_fd=proc)
	os.close(f)

def show_in(directory):
	os.chdir(directory)
	os.readlink("cwd", dir_fd=proc)

def make(path):
	with open(path, "w") as f:
		f.write("text")

os.makedirs(top)
os.chdir(top)
for d in "a/deep/er", "dir", "nested", "a/gone", "fs", "other":
	os.makedirs(d)
for f in "a/f", "a/deep/f", "a/deep/er/f", "a/deep/er/g", "file", "a/old", "dir/under":
	make(f)
bind("a/deep", "dir") # a directory
show("a/deep/f")
show("dir/f")
show("dir/er/f")
bind("a/f", "file") # a file
show("file")
bind("dir/er", "nested") # a directory of what is a bind mount itself
show("nested/f")
bind("a", "nested") # over that
show("nested/deep/er/f")
bind("dir", "nested/deep") # within that
show("nested/deep/er/f")
libc.mount(b"none", b"fs", b"tmpfs", 0, None) # another file system, and a directory of it
os.makedirs("fs/a/b")
make("fs/a/b/f")
bind("fs/a", "other")
show("fs/a/b/f")
show("other/b/f")
show_in(top + "/other/b")
show_in(top + "/dir")
show_in(top + "/nested/deep/er")
os.chdir(top)
show("dir/er/g", lambda: os.unlink("dir/er/g")) # deleted files and directories
make("dir/h")
show("dir/h", lambda: os.unlink("a/deep/h"))
bind("a/old", "file")
show("file", lambda: os.unlink("a/old"))
os.makedirs("dir/er/gone")
os.chdir("dir/er/gone")
os.rmdir("../gone")
os.readlink("cwd", dir_fd=proc)
os.chdir(top)
show("other/b/f", lambda: libc.umount2(b"other", DETACH)) # a mount that is in no place any more
bind("fs/a", "other")
outside = os.open(".", os.O_RDONLY)
os.chroot("nested/deep") # the root of a bind mount
show("/er/f")
show_in("/")
show_in("/er")
os.fchdir(outside) # of what is not below the root of the task there is the whole path
os.readlink("cwd", dir_fd=proc)
show("file")
os.chroot("nested/deep/er") # a directory below the root of a bind mount
show_in("/")
show("f")
os.fchdir(outside)
os.chroot("../..")
os.chdir("/tmp/path_mounts")
for m in "other", "fs", "nested/deep", "nested", "nested", "file", "file", "dir":
	libc.umount2(m.encode(), DETACH)
os.system("rm -rf /tmp/path_mounts")
