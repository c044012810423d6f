/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A kernel module file: its name and version strings, and giving it another name. Nothing in the
 * file is trusted: it is read as root for a caller who may not be, so every offset is checked
 * before use.
 */
#ifndef SPILE_LOADER_IMAGE_H
#define SPILE_LOADER_IMAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "runtime/uapi/wire.h"

/* A module in memory. path, fd and data are owned, data is writable. */
struct image {
	char *path; /* of the file that was opened */
	int fd;     /* that file, for reading: what data was read from */
	char *data;
	size_t len;
	char name[STP_MODULE_NAME_MAX + 1];
	const char *vermagic; /* in data; "" when it has none */
	const char *wire;     /* in data; the wire version of a module of ours, else "" */
	const char
		*kernel; /* in data; build-id of the kernel whose addresses it has, "" for none */
	bool renamed;
};

/*
 * Opens the file, once, reads and checks it. path without a slash and .ko is sought in
 * /lib/modules/RELEASE/systemtap/. On failure nothing is left to release.
 */
struct error *image_load(struct image *img, const char *path) ERROR_MUST_CHECK;
/* Closes the file and frees path and data; name stays readable. */
void image_release(struct image *img);
/*
 * Only in memory: the image then has to be inserted from there. A name longer than
 * STP_MODULE_NAME_MAX, or a module that is not laid out like ours, is an error.
 */
struct error *image_rename(struct image *img, const char *name) ERROR_MUST_CHECK;

#endif
