# SPDX-License-Identifier: GPL-2.0-or-later
# System calls with known arguments, by number (x86-64), for syscall_decode.stp. Run in an empty directory of its own.
use strict;
my $file = "/tmp/spile-calls.$$";
mkdir $file; chdir $file;
my $a = "a";
my $ts = pack("qq", 0, 1000);
my $in = pack("Sna4x8", 2, 80, "\1\2\3\4");
my $set = pack("Q", 1 << 1 | 1 << 14);

sub call { return syscall($_[0], map { $_ } @_[1 .. $#_]) }

call(2, "a", 0102, 0644);                    # open
call(257, -100, "none", 0);                  # openat
call(1, 99, "hello\n", 6);                   # write
call(0, 99, 0, 16);                          # read
call(3, 99);                                 # close
call(4, "none", 0);                          # stat
call(262, -100, "none", 0, 0x100);           # newfstatat
call(21, "a", 4);                            # access
call(269, -100, "a", 6);                     # faccessat
call(8, 99, -5, 2);                          # lseek
call(9, 0, 4096, 3, 0x22, -1, 0);            # mmap
call(11, 0, 0);                              # munmap
call(10, 0, 4096, 1);                        # mprotect
call(28, 0, 4096, 4);                        # madvise
call(28, 1, 4096, 102);                      # of names that newer kernels have
call(28, 1, 4096, 103);
call(9, 0, 0, 3, 0x28, -1, 0);
call(308, 99, 0x80);                         # setns
call(32, 99);                                # dup
call(33, 99, 98);                            # dup2
call(292, 99, 98, 02000000);                 # dup3
call(22, 0);                                 # pipe
call(293, 0, 02004000);                      # pipe2
call(35, $ts, 0);                            # nanosleep
call(230, 1, 0, $ts, 0);                     # clock_nanosleep
call(228, 1, 0);                             # clock_gettime
call(39);                                    # getpid
call(41, 2, 02000001, 6);                    # socket
call(42, 99, $in, 16);                       # connect
call(49, 99, $in, 16);                       # bind
call(50, 99, 5);                             # listen
call(44, 99, "hi", 2, 0x4040, $in, 16);      # sendto
call(45, 99, 0, 8, 0x40, 0, 0);              # recvfrom
call(48, 99, 1);                             # shutdown
call(54, 99, 1, 2, 0, 4);                    # setsockopt
call(53, 1, 5, 0, 0);                        # socketpair
call(62, 999999, 15);                        # kill
call(234, 999999, 999999, 10);               # tgkill
call(13, 10, 0, 0, 8);                       # rt_sigaction
call(14, 0, $set, 0, 8);                     # rt_sigprocmask
call(72, 99, 3);                             # fcntl
call(72, 99, 4, 04000);                      # fcntl
call(72, 99, 2, 1);                          # fcntl
call(73, 99, 6);                             # flock
call(74, 99);                                # fsync
call(76, "none", 10);                        # truncate
call(77, 99, 10);                            # ftruncate
call(79, 0, 0);                              # getcwd
call(80, "/nonexistent");                    # chdir
call(82, "none", "new");                     # rename
call(83, "d", 0755);                         # mkdir
call(84, "d");                               # rmdir
call(86, "none", "new");                     # link
call(87, "none");                            # unlink
call(263, -100, "none", 0x200);              # unlinkat
call(88, "none", "l");                       # symlink
call(89, "l", 0, 10);                        # readlink
call(90, "none", 0600);                      # chmod
call(92, "none", -1, 5);                     # chown
call(95, 022);                               # umask
call(97, 7, 0);                              # getrlimit
call(302, 0, 7, 0, 0);                       # prlimit64
call(109, 0, 999999);                        # setpgid
call(133, "fifo", 0010644, 0);               # mknod
call(157, 15, $a);                           # prctl
call(165, "none", "/none", "tmpfs", 1, 0);   # mount
call(166, "/none", 2);                       # umount2
call(202, 0, 129, 1);                        # futex
call(233, 99, 1, 98, 0);                     # epoll_ctl
call(291, 02000000);                         # epoll_create1
call(284, 3);                                # eventfd
call(290, 3, 04000);                         # eventfd2
call(61, 999999, 0, 1, 0);                   # wait4
call(255, 99, 1);                            # inotify_rm_watch
call(285, 99, 1, 0, 10);                     # fallocate
call(318, 0, 0, 1);                          # getrandom
call(332, -100, "none", 0x100, 0x7ff, 0);    # statx
call(16, 99, 0x5413, 0);                     # ioctl
call(18, 99, "abc", 3, 4294967296);          # pwrite64
call(316, -100, "none", -100, "new", 1);     # renameat2
call(231, 0);                                # exit_group
