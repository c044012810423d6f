/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Inserting and removing modules. The kernel answers with an errno and, in its log, with the
 * reason; both are turned into something to act upon.
 */
#include "loader/insert.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "base/build_id.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "loader/image.h"
#include "loader/proc.h"
#include "runtime/uapi/wire.h"

#define REMOVE_PAUSE_MS 20

/* Lines about this module that the kernel logged since fd was put at the end of its log. */
static void collect_log(int fd, const char *name, struct strbuf *to)
{
	char line[8192], *text, *end;
	ssize_t n;

	while ((n = read(fd, line, sizeof(line) - 1)) > 0 || (n < 0 && errno == EPIPE)) {
		if (n < 0)
			continue; /* some were overwritten; read on */
		line[n] = '\0';
		text = strchr(line, ';');
		if (!text || !strstr(text, name) || strstr(text, "taint"))
			continue;
		end = strchr(++text, '\n');
		strbuf_addf(to, "%skernel: %.*s", to->len ? "\n" : "",
			    (int)(end ? end - text : (long)strlen(text)), text);
	}
}

/* The first line of a file, cut to size. 0 when it cannot be read. */
static int read_first(const char *path, char *buf, size_t size)
{
	char *data;
	size_t len;
	struct error *err = file_read(path, &data, &len);

	if (err) {
		error_destroy(err);
		return 0;
	}
	snprintf(buf, size, "%s", data);
	buf[strcspn(buf, "\n")] = '\0';
	free(data);
	return 1;
}

/* EPERM has several causes; they are told apart by what the kernel shows of its settings. */
static void explain_permission(struct strbuf *to)
{
	char text[128];

	if (read_first("/proc/sys/kernel/modules_disabled", text, sizeof(text)) &&
	    !strcmp(text, "1"))
		strbuf_adds(
			to,
			"Module loading was switched off until the next boot (kernel.modules_disabled).");
	else if (read_first("/sys/kernel/security/lockdown", text, sizeof(text)) &&
		 !strstr(text, "[none]"))
		strbuf_addf(
			to,
			"The kernel is locked down (%s): only signed modules load. Disable Secure Boot, "
			"or sign the file of stap -p4 with a key the kernel knows.",
			text);
	else
		strbuf_adds(
			to,
			"The process lacks CAP_SYS_MODULE (a container?), or a security policy refused.");
}

/* What to do about errnum. */
static void explain(const struct image *img, int errnum, struct strbuf *to)
{
	struct utsname u;

	switch (errnum) {
	case EEXIST:
		strbuf_adds(to, "Rerun with staprun option '-R' to rename this module.");
		break;
	case ENOEXEC:
		uname(&u);
		strbuf_addf(to, "The module was built for '%s'; this kernel is '%s'.",
			    img->vermagic, u.release);
		break;
	case EPERM:
	case EACCES:
		explain_permission(to);
		break;
	case EKEYREJECTED:
	case ENOKEY:
		strbuf_adds(
			to,
			"This kernel wants modules signed with a key it knows: sign the file of stap -p4.");
		break;
	case ENOSYS:
		strbuf_adds(
			to,
			"This kernel cannot load modules. Use stap --remote=vm to run the script in a guest.");
		break;
	case ENOENT:
		strbuf_adds(to, "The module needs a symbol that this kernel does not have.");
		break;
	case EBUSY:
		strbuf_adds(to,
			    "A module of this name is just being loaded or removed. Try again.");
		break;
	default:
		break;
	}
}

/*
 * An errno value, 0 for success. Root's modules come from the file that was checked, for policies
 * look at where a module is from; others than root could have changed its contents since.
 */
static int insert(const struct image *img, const char *params)
{
	long rc = img->renamed || getuid() != 0
			  ? syscall(SYS_init_module, img->data, img->len, params)
			  : syscall(SYS_finit_module, img->fd, params, 0);

	return rc ? errno : 0;
}

/* Where the kernel shows no notes, its release has to do. */
static struct error *check_kernel_build(const struct image *img)
{
	unsigned char id[BUILD_ID_SIZE];
	char hex[BUILD_ID_HEX], *notes;
	struct error *err;
	bool found;
	size_t len;

	if (!*img->kernel)
		return NULL;
	err = file_read("/sys/kernel/notes", &notes, &len);
	if (err) {
		error_destroy(err);
		return NULL;
	}
	found = build_id_find(notes, len, id);
	free(notes);
	if (!found)
		return NULL;
	build_id_hex(id, hex);
	if (!strcmp(hex, img->kernel))
		return NULL;
	return error_hint(
		error_create(
			"'%s' has the addresses of the kernel with build-id %s, this one is %s",
			img->path, img->kernel, hex),
		"compile the script again, with the image and the debug files of the running kernel");
}

/*
 * The kernel itself would load any module; and with MODVERSIONS it looks at the symbols used, not
 * at the release, while ours hold offsets of structures too.
 */
static struct error *check_made_for_us(const struct image *img)
{
	size_t release = strcspn(img->vermagic, " ");
	struct utsname u;

	if (!*img->wire)
		return error_create("'%s' is not a module that stap made", img->path);
	if (strtoul(img->wire, NULL, 10) != STP_WIRE_VERSION)
		return error_hint(
			error_create("'%s' was made by another version of stap", img->path),
			"compile the script again");
	uname(&u);
	if (strlen(u.release) != release || strncmp(u.release, img->vermagic, release))
		return error_hint(error_create("'%s' was made for kernel '%.*s', this is '%s'",
					       img->path, (int)release, img->vermagic, u.release),
				  "compile the script again with stap -r %s", u.release);
	return check_kernel_build(img);
}

struct error *module_insert(const struct image *img, const char *params)
{
	struct error *err = check_made_for_us(img);
	struct strbuf hint;
	int errnum, log;

	if (!err)
		err = proc_check();
	if (err)
		return err;
	log = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (log >= 0)
		lseek(log, 0, SEEK_END);
	errnum = file_exists("/proc/modules") ? insert(img, params) : ENOSYS;
	if (!errnum) {
		if (log >= 0)
			close(log);
		return NULL;
	}
	strbuf_init(&hint);
	explain(img, errnum, &hint);
	if (log >= 0) {
		if (errnum != EEXIST)
			collect_log(log, img->name, &hint);
		close(log);
	}
	err = error_create_errno(errnum, "Couldn't insert module '%s'", img->path);
	if (hint.len)
		err = error_hint(err, "%s", strbuf_cstr(&hint));
	strbuf_deinit(&hint);
	return err;
}

struct error *module_remove(const char *name, int patience_ms, bool missing_ok)
{
	struct timespec pause = { 0, REMOVE_PAUSE_MS * 1000000 };
	int waited;

	for (waited = 0;; waited += REMOVE_PAUSE_MS) {
		if (!syscall(SYS_delete_module, name, O_NONBLOCK))
			return NULL;
		if (errno == EBUSY)
			errno = EAGAIN;
		if (errno != EAGAIN || waited >= patience_ms)
			break;
		nanosleep(&pause, NULL);
	}
	if (errno == ENOENT && missing_ok)
		return NULL;
	return error_create_errno(errno, "Couldn't remove module '%s'", name);
}
