/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the library of things.c and the program share. */
struct opaque;
enum mood { CALM = 3, WILD = -4 };
struct opaque *opaque_make(int size);
int opaque_use(struct opaque *o, enum mood mood);
