/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The texts of --help and --version. */
#ifndef SPILE_DRIVER_HELP_H
#define SPILE_DRIVER_HELP_H

#include <stdio.h>

#define SPILE_COMPATIBLE "5.6" /* language level of the reference, the default of --compatible */

/* Write to TO; errors of writing are for the caller's fflush() to find. */
void help_print(FILE *to);
/* What -V prints: version, licence, tested kernels, features. */
void version_print(FILE *to);

#endif
