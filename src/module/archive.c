/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * "!<thin>", the member "//" with the names, each ended by "/" and a newline, and a header for each
 * file: "/N" is the name at offset N of those. <ar.h> has the header's struct.
 */
#include "module/archive.h"

#include <ar.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/strbuf.h"

bool archive_can_hold(const char *path)
{
	return path[0] == '/' && !strchr(path, '\n');
}

/* A header: name, time, owner and group, mode, size, each padded with blanks. */
static void put_header(struct strbuf *out, const char *name, size_t size)
{
	strbuf_addf(out, "%-16s%-12d%-6d%-6d%-8o%-10zu%s", name, 0, 0, 0, 0644u, size, ARFMAG);
}

struct error *archive_write(const char *archive, const char *const *paths, size_t n)
{
	struct strbuf out, names, headers;
	struct error *err = NULL;
	struct stat st;
	char name[32];

	strbuf_init(&out);
	strbuf_init(&names);
	strbuf_init(&headers);
	for (size_t i = 0; !err && i < n; i++) {
		if (stat(paths[i], &st))
			err = error_create_errno(errno, "cannot read %s", paths[i]);
		snprintf(name, sizeof(name), "/%zu", names.len);
		put_header(&headers, name, err ? 0 : (size_t)st.st_size);
		strbuf_addf(&names, "%s/\n", paths[i]);
	}
	if (names.len % 2)
		strbuf_addc(&names, '\n');
	strbuf_adds(&out, "!<thin>\n");
	put_header(&out, "//", names.len);
	strbuf_add(&out, strbuf_cstr(&names), names.len);
	strbuf_add(&out, strbuf_cstr(&headers), headers.len);
	if (!err)
		err = file_write_atomic(archive, out.s, out.len, 0644);
	strbuf_deinit(&out);
	strbuf_deinit(&names);
	strbuf_deinit(&headers);
	return err;
}
