# SPDX-License-Identifier: GPL-2.0-or-later
# syscall_strace.pl OURS STRACE [-v] [garbage|more]: holds the lines of syscall_strace.stp against what strace said of the same calls. Prints what
# differs and has no reason in the table at the end of this file, the reasons that no call needed, and whether there was
# much to compare; with -v each difference with its reason too. With garbage the rows that begin with "?" hold before the others,
# with more those that begin with "+". The same without a row there are
#
#   numbers by their value (NULL, 0x0, 000; a number that strace adds a comment to), flags in any order, strings by their bytes as
#     far as both show them, errors by name (-1 ENOENT is -2 (ENOENT)), what strace adds to a result: (Timeout), (flags ...),
#   socket addresses in the short form that the language has: {AF_INET, 1.2.3.4, 80}.
use strict;
use Errno;

my (%reason, %used, $lines);
my $verbose = grep { $_ eq "-v" } @ARGV;
my $garbage = grep { $_ eq "garbage" } @ARGV;
my $mark = $garbage ? "?" : (grep { $_ eq "more" } @ARGV) ? "+" : "";
while (<DATA>) {
	next if /^#|^\s*$/;
	my ($what, $why) = /^(\S+(?: \S+)?)\t+(.*)/ or die "row: $_";
	$reason{$what} = $why;
}

sub excused
{
	my ($key) = @_;
	for my $row ($mark . $key, $key) {
		return $reason{$row} if exists $reason{$row} && ++$used{$row};
	}
	return undef;
}

# The parts of a text between commas that are in no bracket and no string.
sub parts
{
	my ($text) = @_;
	my ($depth, $part, @parts) = (0, "");
	while ($text =~ /\G("(?:[^"\\]|\\.)*"(?:\.\.\.)?|.)/gs) {
		my $c = $1;
		$depth++ if $c =~ /^[\[{(]/;
		$depth-- if $c =~ /^[\]})]/;
		if ($c eq "," && !$depth) {
			push @parts, $part;
			$part = "";
		} else {
			$part .= $c;
		}
	}
	push @parts, $part if $part ne "" || @parts;
	s/^ +// for @parts;
	return @parts;
}

my %escaped = (n => "\n", t => "\t", r => "\r", v => "\013", f => "\f", b => "\b", a => "\a");
sub bytes
{
	my ($quoted) = @_;
	$quoted =~ s/^"|"(\.\.\.)?$//g;
	$quoted =~ s/\\([0-7]{1,3}|.)/$1 =~ m{^[0-7]} ? chr(oct($1)) : $escaped{$1} \/\/ $1/ge;
	return $quoted;
}

sub same_string
{
	my ($ours, $theirs) = @_;
	my $cut = $ours =~ /\.\.\.$/ || $theirs =~ /\.\.\.$/;
	($ours, $theirs) = (bytes($ours), bytes($theirs));
	return $ours eq $theirs if !$cut;
	my $n = length($ours) < length($theirs) ? length($ours) : length($theirs);
	return $n >= 20 && substr($ours, 0, $n) eq substr($theirs, 0, $n);
}

sub number
{
	my ($text) = @_;
	return 0 if $text eq "NULL";
	return $text =~ /^0/ && $text ne "0" ? oct($text) : $text if $text =~ /^(-?[0-9]+|0x[0-9a-f]+)$/;
	return undef;
}

# What names stand for: those of runtime/uapi/names.def, and of strace.
my %value = (FASYNC => 020000, IN_ALL_EVENTS => 0xfff, O_SYNC => 04010000, O_TMPFILE => 020200000, __O_TMPFILE => 020000000, O_DIRECT => 040000, O_LARGEFILE => 0100000, O_DIRECTORY => 0200000, O_NOFOLLOW => 0400000, MAP_FILE => 0, IPC_64 => 0x100, S_IFMT => 0170000,
	     MSG_SENDPAGE_NOTLAST => 0x20000, MSG_NO_SHARED_FRAGS => 0x80000, MSG_SENDPAGE_DECRYPTED => 0x100000, LOCK_MAND => 32, LOCK_READ => 64,
	     LOCK_WRITE => 128, LOCK_RW => 192, FAN_CLASS_NOTIF => 0, AT_STATX_SYNC_AS_STAT => 0, MEMBARRIER_CMD_FLAG_CPU => 1,
	     MSG_PROBE => 0x10, MSG_CMSG_COMPAT => 1 << 31, MS_SUBMOUNT => 1 << 26, SOL_IPX => 256, MS_NOSYMFOLLOW => 0x100, MS_NOREMOTELOCK => 1 << 27, MS_NOSEC => 1 << 28, MS_BORN => 1 << 29,
	     MS_ACTIVE => 1 << 30, MS_NOUSER => 1 << 31, FAN_DIR_MODIFY => 0x80000, FAN_NOFD => -1, STATX_ALL => 0xfff, KEY_SPEC_THREAD_KEYRING => -1,
	     PKEY_DISABLE_EXECUTE => 4, ARPHRD_ETHER => 1, PACKET_MULTICAST => 2, VMADDR_CID_HOST => 2,
	     CLONE_NEWTIME => 0x80, LANDLOCK_CREATE_RULESET_VERSION => 1, SCHED_RESET_ON_FORK => 0x40000000);
if (open(my $names, "<", "../../../runtime/uapi/names.def")) {
	while (<$names>) {
		my ($number, $name) = /^NAME\((\w+), "(\w+)"\)/ or next;
		$value{$name} //= $number =~ /^0./ ? oct($number) : $number;
	}
}

sub flags
{
	my ($text) = @_;
	my $all = 0;
	for my $part (split /\|/, $text) {
		my $n = $part =~ /^(\d+)<<\w+_HUGE_SHIFT$/ ? $1 << 26 : $value{$part} // number($part);
		return undef if !defined $n;
		$all |= $n;
	}
	return $all;
}

# All of a number's bits are in both texts, whatever names each of them has for some. An int has 32, and its sign for others.
sub same_flags
{
	my ($a, $b) = (flags($_[0]), flags($_[1]));
	return 0 if !defined $a || !defined $b;
	return 1 if $a == $b;
	return ($a & 0xffffffff) == ($b & 0xffffffff) && ($a >> 32) + ($b >> 32) == 0xffffffff;
}

# The same bits, of 32 or of 64 with a sign and without.
sub same_number
{
	my ($a, $b) = @_;
	return 1 if $a == $b;
	($a, $b) = ($b, $a) if $a > $b;
	return 0 if $a >= 0 || $b < 0;
	return pack("q", $a) eq pack("Q", $b) || ($a >= -0x80000000 && $b <= 0xffffffff && pack("l", $a) eq pack("L", $b));
}

sub same
{
	my ($ours, $theirs) = @_;
	return 1 if $ours eq $theirs;
	return same_string($ours, $theirs) if $ours =~ /^"/ && $theirs =~ /^"/;
	my ($a, $b) = (number($ours), number($theirs));
	return same_number($a, $b) if defined $a && defined $b;
	return 1 if $ours =~ /^\w+(\|\w+)+$/ && join("|", sort split(/\|/, $ours)) eq join("|", sort split(/\|/, $theirs));
	return 1 if $mark && same_flags($ours, $theirs);
	return same("{$2}", "{$3}") if "$ours $theirs" =~ /^(\w+)\((.*)\) \1\((.*)\)$/;
	if ($ours =~ /^[\[{].*[\]}]$/ && $theirs =~ /^[\[{].*[\]}]$/ && substr($ours, 0, 1) eq substr($theirs, 0, 1)) {
		my @ours = parts(substr($ours, 1, -1));
		my @theirs = parts(substr($theirs, 1, -1));
		return 0 if @ours != @theirs;
		for my $i (0 .. $#ours) {
			my ($name, $value) = $ours[$i] =~ /^(\w+=)?(.*)/s;
			return 0 if $name ne "" && $theirs[$i] !~ s/^\Q$name\E//;
			return 0 if !same($value, $theirs[$i]);
		}
		return 1;
	}
	return 0;
}

# NAME(ARGUMENTS) = RESULT, in pieces
sub call
{
	my ($line) = @_;
	my ($name, $rest) = $line =~ /^(\w+)\((.*)$/s or return;
	my ($arguments, $result) = $rest =~ /^(.*)\)\s+= (.*)$/s or return;
	return ($name, $arguments, $result);
}

sub lines
{
	my ($file) = @_;
	my ($on, @lines);
	open(my $in, "<", $file) or die "$file: $!";
	while (<$in>) {
		chomp;
		last if /^chdir\("\/spile-end/;
		push @lines, $_ if $on && /^\w+\(/;
		$on = 1 if /spile-begin/;
	}
	return @lines;
}

sub theirs_as_ours
{
	my ($arguments, $result) = @_;
	$arguments =~ s{ /\* .*? \*/}{}g;
	$arguments =~ s/\{sa_family=AF_INET, sin_port=htons\((\d+)\), sin_addr=inet_addr\("([0-9.]+)"\)\}/{AF_INET, $2, $1}/g;
	$arguments =~ s/\{sa_family=AF_INET6, sin6_port=htons\((\d+)\), .*?inet_pton\(AF_INET6, "(.*?)".*?\}/{AF_INET6, $2, $1}/g;
	$arguments =~ s/\{sa_family=AF_UNIX, sun_path=(".*?"(?:\.\.\.)?)\}/{AF_UNIX, $1}/g;
	$arguments =~ s/\{sa_family=AF_/{AF_/g;
	$arguments =~ s/, svm_flags=0\}/}/;
	$arguments =~ s/htons\(ETH_P_ALL\)/3/;
	$arguments =~ s/RLIM64_INFINITY/RLIM_INFINITY/g;
	$arguments =~ s/(\d+)\*1024/$1 * 1024/ge;
	if ($result =~ /^-1 (E\w+) /) {
		no strict "refs";
		$result = -&{"Errno::$1"}() . " ($1)";
	}
	$result =~ s/ \(.*// if $result !~ /^-/;
	return ($arguments, $result);
}

sub differs
{
	my ($key, $ours, $theirs, $line) = @_;
	my $why = excused($key);
	if (defined $why) {
		print "  $key: $ours, strace: $theirs: $why\n" if $verbose;
	} else {
		print "$key: $ours, strace: $theirs   in $line\n";
	}
}

my @ours = lines($ARGV[0]);
my @theirs = lines($ARGV[1]);
my %calls;
while (@ours && @theirs) {
	my $line = $ours[0];
	my ($name, $arguments, $result) = call($line);
	my ($their_name, @rest) = call($theirs[0]);
	if (!defined $name || !defined $their_name) {
		print "$line\n     strace: $theirs[0]\n";
		last;
	}
	if ($name ne $their_name && !defined excused("$their_name name")) {
		print "$their_name: there is $name\n" if !defined excused("$their_name absent");
		shift @theirs;
		next;
	}
	shift @ours;
	shift @theirs;
	$lines++;
	my ($their_arguments, $their_result) = theirs_as_ours(@rest);
	$calls{$name}++;
	differs("$name result", $result, $their_result, $line) if !same($result, $their_result);
	if ($garbage && $result =~ /ENOSYS/) { # what the kernel is built without has no types of arguments
		excused("$name $_") for 1 .. 6;
		next;
	}
	my @a = parts($arguments);
	my @b = parts($their_arguments);
	if (@a != @b) {
		differs("$name arguments", "($arguments)", "($their_arguments)", $line);
		next;
	}
	for my $n (0 .. $#a) {
		differs("$name " . ($n + 1), $a[$n], $b[$n], $line) if !same($a[$n], $b[$n]);
	}
}
shift @theirs while !@ours && @theirs && defined excused((call($theirs[0]))[0] . " absent");
print "no call needed: $_\n" for sort grep { !$used{$_} && /^([?+]?)(\w+)/ && $1 eq $mark && !/ absent$/ && !$used{"$2 absent"} } keys %reason;
print "left: $ours[0]$theirs[0]\n" if @ours || @theirs;
my @least = $garbage ? (300, 1500) : $mark ? (240, 360) : (140, 230);
print keys %calls >= $least[0] && $lines >= $least[1] ? "compared\n" : "few: " . keys(%calls) . " calls, $lines lines\n";

__DATA__
# "CALL name", "CALL result", "CALL arguments" (how many), "CALL N" or "CALL absent" (it may be there on other kernels): why it may differ from what strace says
pwrite64 name			the alias is pwrite
pread64 name			the alias is pread
newfstatat name			the alias is fstatat
?getdents64 name			the alias is getdents
+getdents64 name			the alias is getdents
+msgsnd 2			the variable is the address of the message
+msgrcv 2			the call fills it: the variable is its address
+msgctl 3			the call fills it: the variable is its address
+semop 2			the variable is the address of the list
+semtimedop 2			the variable is the address of the list
+shmctl 3			the call fills it: the variable is its address
+mq_open 4			the variable is the address of the attributes
+mq_timedreceive 2			the call fills it: the variable is its address
+mq_getsetattr 3			the call fills it: the variable is its address
+pread 2			the call fills it: the variable is its address
+preadv2 2			the variable is the address of the vector
+pwritev 2			the variable is the address of the vector
+vmsplice 2			the variable is the address of the vector
+copy_file_range 2			an offset by address: the variable is the address
+sendfile 3			an offset by address: the variable is the address
+umask 1			an int, as the kernel takes it
+ustat 1			the variable is the number of the device
+readlinkat 3			the call fills it: the variable is its address
+fsetxattr 3			no byte is to be read at NULL
+ioctl arguments			the argument is shown whatever the request is
+mount 5			strace has the address where the flags say that data means nothing
+quotactl arguments			all four arguments are shown
+set_mempolicy 2			the variable is the address of the mask
+socket 3			a number beside what IP and netlink have
+bind 2			a name that is not in the file system is said with its first byte, no name as ""
+accept 3			a length by address: the variable is the address
+accept4 3			a length by address: the variable is the address
+recvfrom 6			a length by address: the variable is the address
+getsockname 2			the call fills it: the variable is its address
+getsockname 3			a length by address: the variable is the address
+setsockopt 3			strace knows options of packets, and has a name of its own for SO_RCVTIMEO
+sendmmsg 2			the variable is the address of the list
+adjtimex 1			at the entry; strace waits for what the call fills in
+clock_adjtime 2			at the entry; strace has the address when the call fails
+epoll_pwait2 4			at the entry; strace has the address when the call fails
+clone3 1			at the entry; strace has the address when the call fails
+clock_gettime 2			the call fills it: the variable is its address
+timer_gettime 2			the call fills it: the variable is its address
+select 2			the variable is the address of the set
+pselect6 3			the variable is the address of the set
+poll 1			the variable is the address of the list
+prlimit64 4			the call fills it: the variable is its address
+kcmp arguments			all five arguments are shown
+keyctl 2			numbers, whatever they mean to the command
+rt_sigqueueinfo 3			the variable is the address of the information
+rt_tgsigqueueinfo 4			the variable is the address of the information
+rt_sigprocmask 3			the call fills it: the variable is its address
+sigaltstack 2			the call fills it: the variable is its address
+sched_getparam 2			the call fills it: the variable is its address
+futex 6			the operation is a number
+futex arguments			the value is shown whatever the command is
+prctl 2			numbers, and the address of what the call fills
+syslog arguments			all three arguments are shown
+reboot arguments			the address is shown whatever the command is
+execveat 4			the environment is counted
+wait4 4			the call fills it: the variable is its address
+waitid 3			the call fills it: the variable is its address
openat2 3			strace leaves a mode of 0 out
ioctl 2				a request without a name is a number
socket 1			families are PF_, as the language names them
socketpair 1			families are PF_, as the language names them
read 2				the call fills it: the variable is its address
getrandom 1			the call fills it: the variable is its address
pipe2 1				the call fills it: pipe0 and pipe1 are known at the return
timer_create 3			the call fills it: the variable is its address
epoll_wait 2			the call fills it: the variable is its address
wait4 2				the call fills it: status_str of the return has it
getsockopt 5			a length by address: the variable is the address
getpeername 3			a length by address: the variable is the address
setsockopt 4			what it points to is the option's: the variable is the address
sendmsg 2			the variable is the address of the message
recvmsg 2			the variable is the address of the message
writev 2			the variable is the address of the vector
preadv 2			the variable is the address of the vector
pwritev2 2			the variable is the address of the vector
epoll_ctl 4			the variable is the address of the event
ppoll 1				the variable is the address of the list
sched_setaffinity 3		the variable is the address of the mask
execve 3			the environment is counted
clone arguments			flags alone, by their names; the others are variables
ptrace arguments		all four arguments are shown
?socket 3			an int, as the kernel takes it
?socketpair 3			an int, as the kernel takes it
?readlink 3			an int, as the kernel takes it
?readlinkat 4			an int, as the kernel takes it
?sysfs 1			an int, as the kernel takes it
?rseq 2				32 bits, as the kernel takes it
?rseq 3				32 bits, as the kernel takes it
?rseq 4				32 bits, as the kernel takes it
?ptrace 2			a long, as the kernel takes it
?mmap 4				a long, as the kernel takes it
?remap_file_pages 5		a long, as the kernel takes it
?getgroups 2			the variable is the address of the list
?ustat 1			the variable is the number of the device
?modify_ldt result		the number is not negative, so it is no error
?semget 3			strace leaves the bar before the mode out
?msgget 2			strace leaves the bar before the mode out
?fanotify_mark 5		argstr is cut at MAXSTRINGLEN
?mremap arguments		the new address is shown whatever the flags are
?membarrier arguments		two arguments are known
uselib absent			the kernel has none since 6.1 or earlier, or is configured without
_sysctl absent			the kernel has none since 6.1 or earlier, or is configured without
create_module absent			the kernel has none since 6.1 or earlier, or is configured without
query_module absent			the kernel has none since 6.1 or earlier, or is configured without
get_kernel_syms absent			the kernel has none since 6.1 or earlier, or is configured without
nfsservctl absent			the kernel has none since 6.1 or earlier, or is configured without
getpmsg absent			no kernel ever had it
putpmsg absent			no kernel ever had it
afs_syscall absent			no kernel ever had it
tuxcall absent			no kernel ever had it
security absent			no kernel ever had it
vserver absent			no kernel ever had it
set_thread_area absent			64-bit programs have none
get_thread_area absent			64-bit programs have none
epoll_ctl_old absent			64-bit programs have none
epoll_wait_old absent			64-bit programs have none
lookup_dcookie absent			gone since 6.7, and some are configured without
epoll_pwait2 absent			came with 5.11
mount_setattr absent			came with 5.12
quotactl_fd absent			came with 5.14
landlock_create_ruleset absent			came with 5.13
landlock_add_rule absent			came with 5.13
landlock_restrict_self absent			came with 5.13
memfd_secret absent			came with 5.14
process_mrelease absent			came with 5.15
futex_waitv absent			came with 5.16
set_mempolicy_home_node absent			came with 5.17
