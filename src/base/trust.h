/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whose files may decide what goes into the kernel: the caller's own and root's. What others own or
 * can write - a home that sudo kept, a directory open to a group, a compiler in somebody's bin -
 * could be changed by them between check and use.
 */
#ifndef SPILE_BASE_TRUST_H
#define SPILE_BASE_TRUST_H

/*
 * NULL when only the caller (effective user) and root can change what is at PATH, else why not:
 * "DIR belongs to user 1000"; heap. Links are followed, and every directory on the way counts,
 * those of the links too; one with the sticky bit may be writable, and so may one to root's group,
 * or to the caller's if nobody else is in it. Of a path that is not there yet, the part that is.
 * Reads the databases of users and groups.
 */
char *path_distrust(const char *path);
/*
 * The same, with the owner of what PATH leads to trusted as well: of what root, or the caller, has
 * pointed to on purpose.
 */
char *path_distrust_but_owner(const char *path);

#endif
