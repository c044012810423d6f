# SPDX-License-Identifier: GPL-2.0-or-later
# The session of task_backtrace.stp, which prints to a file what it is asked for through one of its own below /proc.
use strict;
use warnings;
use File::Temp qw(tempdir);
use POSIX qw(:signal_h);

my ($staprun, $module, $name) = @ARGV;
my $dir = tempdir(CLEANUP => 1);
my $file = "/proc/systemtap/$name/pid";

sub start {
	my ($command, $out) = @_;
	my $pid = fork();
	if (!$pid) {
		open(STDOUT, '>', $out) if $out;
		exec('/bin/sh', '-c', "exec $command");
	}
	return $pid;
}

sub text {
	my ($name) = @_;
	open(my $in, '<', $name) or return '';
	local $/;
	my $all = <$in>;
	return defined($all) ? $all : '';
}

sub until_so {
	my ($so) = @_;
	for (my $i = 0; !$so->(); $i++) {
		die "nothing after a minute\n" if $i == 3000;
		select(undef, undef, undef, 0.02);
	}
}

my $said = 0; # bytes of the output that were read

# (frames, "whole" or "cut"); a frame is "function+0xOFF/0xSIZE".
sub ask {
	my ($pid) = @_;
	my $answer;
	open(my $to, '>', $file) or die "$file: $!";
	syswrite($to, "$pid\n");
	close($to);
	until_so(sub {
		$answer = substr(text("$dir/out"), $said);
		return $answer =~ /^(whole|cut)$/m;
	});
	$said += length($answer);
	my ($end) = $answer =~ /^(whole|cut)$/m;
	return ([$answer =~ /^ 0x\w+ : (\S+)/mg], $end);
}

sub frames { return [text("/proc/$_[0]/stack") =~ /^\S+ (\S+)/mg] }

# Are theirs all of ours but those of the scheduler, which /proc leaves out? Both end after so many.
sub same {
	my ($ours, $theirs) = @_;
	my @left = @$theirs;
	for my $frame (@$ours) {
		if (@left && $frame eq $left[0]) {
			shift @left;
		} elsif ($frame !~ /sched|sleep|wait|lock|mutex|down|idle/) {
			return 0;
		}
	}
	return @$ours && (@$ours == 20 || !@left);
}

my $run = start("$staprun $module", "$dir/out");
until_so(sub { -e $file });
my $asleep = start('sleep 1000');
my $stopped = start('sleep 1000');
until_so(sub { "@{frames($_)}" =~ /nanosleep/ }) for $asleep, $stopped;
kill('STOP', $stopped);
until_so(sub { "@{frames($stopped)}" =~ /signal/ });

my $agreed = 0;
opendir(my $proc, '/proc');
for my $pid ($asleep, $stopped, grep { /^\d+$/ } readdir($proc)) {
	next if $pid == $$ || $pid == $run;
	my $before = frames($pid);
	my $running = text("/proc/$pid/schedstat");
	my ($ours, $end) = ask($pid);
	my $after = frames($pid);
	next if !@$before || "@$before" ne "@$after" || $running ne text("/proc/$pid/schedstat");
	if ($end eq 'whole' && same($ours, $before)) {
		$agreed++;
	} else {
		print "$pid ", text("/proc/$pid/comm"), "$end:\n", map({ "  $_\n" } @$ours), "/proc:\n", map({ "  $_\n" } @$before);
	}
}
print $agreed > 10 ? "all agree\n" : "only $agreed agree\n";

# on the other CPU than ours, where little else runs
system("taskset -p 1 $$ > $dir/taskset");
my $busy = start("taskset 2 sh -c 'while :; do :; done'");
my ($ours, $end);
until_so(sub {
	($ours, $end) = ask($busy);
	return $end eq 'cut' && !@$ours;
});
print "one that runs: $end, ", scalar(@$ours), " frames\n";
kill('CONT', $stopped);
kill('KILL', $asleep, $stopped, $busy);
kill('INT', $run);
waitpid($run, 0);
print "status ", $? >> 8, "\n";
print grep { /ours is|ours differs|parent has|^read fault|survived|is a task/ } map { "$_\n" } split(/\n/, text("$dir/out"));
