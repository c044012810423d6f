# SPDX-License-Identifier: GPL-2.0-or-later
# Children that end by themselves, by signals without and with a core, and that stop and go on.
use POSIX ":sys_wait_h";

sub child
{
	my ($what) = @_;
	my $pid = fork;

	return $pid if $pid;
	$what->();
	exit 3;
}
for my $signal (9, 15, 1) {
	waitpid(child(sub { kill $signal, $$; sleep 100 }), 0);
}
waitpid(child(sub { }), 0);
my $pid = child(sub { kill 19, $$ });
waitpid($pid, WUNTRACED);
kill 18, $pid;
waitpid($pid, 8); # WCONTINUED
waitpid($pid, 0);
