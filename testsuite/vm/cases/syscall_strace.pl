# SPDX-License-Identifier: GPL-2.0-or-later
# syscall_strace.pl OURS STRACE [-v]: holds the lines of syscall_strace.stp against what strace said of the same calls. Prints what
# differs and has no reason in the table at the end of this file, the reasons that no call needed, and whether there was
# much to compare; with -v each difference with its reason too. The same without a row there are
#
#   numbers by their value (NULL, 0x0, 000; a number that strace adds a comment to), flags in any order, strings by their bytes as
#     far as both show them, errors by name (-1 ENOENT is -2 (ENOENT)), what strace adds to a result: (Timeout), (flags ...),
#   socket addresses in the short form that the language has: {AF_INET, 1.2.3.4, 80}.
use strict;
use Errno;

my (%reason, %used, $differences);
my $verbose = $ARGV[2] eq "-v";
while (<DATA>) {
	next if /^#|^\s*$/;
	my ($what, $why) = /^(\S+(?: \S+)?)\t+(.*)/ or die "row: $_";
	$reason{$what} = $why;
}

sub excused
{
	my ($key) = @_;
	return 0 if !exists $reason{$key};
	$used{$key}++;
	return 1;
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

sub same
{
	my ($ours, $theirs) = @_;
	return 1 if $ours eq $theirs;
	return same_string($ours, $theirs) if $ours =~ /^"/ && $theirs =~ /^"/;
	my ($a, $b) = (number($ours), number($theirs));
	return $a == $b if defined $a && defined $b;
	return join("|", sort split(/\|/, $ours)) eq join("|", sort split(/\|/, $theirs))
		if $ours =~ /^\w+(\|\w+)+$/;
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
		last if /spile-end/;
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
	$arguments =~ s/\{sa_family=AF_UNIX, sun_path=(".*?")\}/{AF_UNIX, $1}/g;
	$arguments =~ s/RLIM64_INFINITY/RLIM_INFINITY/g;
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
	if (excused($key)) {
		print "  $key: $ours, strace: $theirs: $reason{$key}\n" if $verbose;
	} else {
		print "$key: $ours, strace: $theirs   in $line\n";
	}
}

my @ours = lines($ARGV[0]);
my @theirs = lines($ARGV[1]);
my (%calls, %alike);
for my $i (0 .. (@ours > @theirs ? $#ours : $#theirs)) {
	my ($name, $arguments, $result) = call($ours[$i]);
	my ($their_name, @rest) = call($theirs[$i]);
	if (!defined $name || !defined $their_name) {
		print "line $i: $ours[$i]\n     strace: $theirs[$i]\n";
		last;
	}
	my ($their_arguments, $their_result) = theirs_as_ours(@rest);
	$calls{$name}++;
	differs("$their_name name", $name, $their_name, $ours[$i]) if $name ne $their_name;
	differs("$name result", $result, $their_result, $ours[$i]) if !same($result, $their_result);
	my @a = parts($arguments);
	my @b = parts($their_arguments);
	if (@a != @b) {
		differs("$name arguments", "($arguments)", "($their_arguments)", $ours[$i]);
		next;
	}
	for my $n (0 .. $#a) {
		differs("$name " . ($n + 1), $a[$n], $b[$n], $ours[$i]) if !same($a[$n], $b[$n]);
	}
}
print "no call needed: $_\n" for sort grep { !$used{$_} } keys %reason;
print scalar(keys %calls) >= 140 && @ours >= 230 ? "compared\n" : "few: " . scalar(keys %calls) . " calls, " . @ours . " lines\n";

__DATA__
# "CALL name", "CALL result", "CALL arguments" (how many) or "CALL N": why it may differ from what strace says
pwrite64 name			the alias is pwrite
pread64 name			the alias is pread
newfstatat name			the alias is fstatat
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
epoll_ctl 4			the variable is the address of the event
ppoll 1				the variable is the address of the list
sched_setaffinity 3		the variable is the address of the mask
tkill 2				the signals of real time are numbers
execve 2			no arguments read as an empty list
execve 3			the environment is counted
clone arguments			flags alone, by their names; the others are variables
ptrace arguments		all four arguments are shown
