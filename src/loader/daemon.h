/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * -D: the session in a process of its own, which outlives the terminal. Both processes keep
 * staprun's privileges; the parent does nothing with them but wait.
 */
#ifndef SPILE_LOADER_DAEMON_H
#define SPILE_LOADER_DAEMON_H

/*
 * Fork. In the child: returns -1, and *ready is where a byte is to be written once the session has
 * started. In the parent: waits for that, prints the child's pid and returns 0, or 1 when it cannot
 * be printed; when the child ends before, returns its status. INT, TERM and HUP end the child while
 * it is waited for, but for a HUP that stays ignored (base/signals.h). 1, after a complaint, when
 * there is no child.
 */
int daemon_fork(int *ready);
/* In the child, when what may still fail does not concern the terminal any more. */
void daemon_leave_terminal(void);

#endif
