/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A kernel module file: its name and version strings, and giving it another name. Nothing in the file is trusted. */
#ifndef SPILE_LOADER_IMAGE_H
#define SPILE_LOADER_IMAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

#define MODULE_NAME_MAX 55

struct image {
	const char *path;
	char *data;
	size_t len;
	char name[MODULE_NAME_MAX + 1];
	const char *vermagic; /* in data; "" when it has none */
	const char *wire;     /* in data; the wire version of a module of ours, else "" */
	bool renamed;
};

/* path without a slash and .ko is sought in /lib/modules/RELEASE/systemtap/. path must outlive the image. */
struct error *image_load(struct image *img, const char *path) ERROR_MUST_CHECK;
void image_release(struct image *img);
/* Only in memory: the image then has to be inserted from there. */
struct error *image_rename(struct image *img, const char *name) ERROR_MUST_CHECK;

#endif
