/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The scripts that come with stap (--example): tapset/examples, one file each, whose second line
 * says what it shows.
 */
#ifndef SPILE_DRIVER_EXAMPLE_H
#define SPILE_DRIVER_EXAMPLE_H

struct session;

/*
 * The path of the example of that name, with or without .stp, in the session's arena. NULL when
 * there is none, or NAME is: then standard error has a line for each that there is.
 */
const char *example_path(const struct session *s, const char *name);

#endif
