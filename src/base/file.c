/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files and directories for everything in user space. Replacement is by rename of a temporary in
 * the same directory; interrupted reads and writes are continued.
 */
#include "base/file.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/intern.h"

#define MAX_ROTATION_MB (1ul << 30)
#define MAX_ROTATION_FILES 1000000

int file_replace_begin(const char *path, unsigned mode, char **ret)
{
	char *temp;
	int fd;

	if (asprintf(&temp, "%s.XXXXXX", path) < 0)
		return -ENOMEM;
	cleanup_hold();
	fd = mkostemp(temp, O_CLOEXEC);
	if (fd >= 0)
		cleanup_add_path(temp);
	else
		fd = -errno;
	cleanup_release();
	if (fd < 0) {
		free(temp);
		return fd;
	}
	if (fchmod(fd, mode)) {
		int errnum = errno;

		close(fd);
		unlink(temp);
		cleanup_drop_path(temp);
		free(temp);
		return -errnum;
	}
	*ret = temp;
	return fd;
}

int file_write_all(int fd, const void *data, size_t len)
{
	for (const char *p = data; len;) {
		ssize_t n = write(fd, p, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n ? errno : EIO;
		p += n;
		len -= (size_t)n;
	}
	return 0;
}

/*
 * One read more than the size says finds the end; files that grow or have no size are read in
 * doubling steps.
 */
struct error *file_read_fd(int fd, const char *path, char **ret, size_t *len)
{
	size_t cap = 4096, n = 0;
	struct stat st;
	char *data;

	if (fstat(fd, &st))
		return error_create_errno(errno, "cannot read %s", path);
	if (S_ISREG(st.st_mode) && st.st_size > 0)
		cap = (size_t)st.st_size + 2; /* one byte to see the end, one for the NUL */
	data = malloc(cap);
	if (!data)
		return &error_no_memory;
	for (;;) {
		ssize_t got = read(fd, data + n, cap - n - 1);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0) {
			int errnum = errno;

			free(data);
			return error_create_errno(errnum, "cannot read %s", path);
		}
		if (!got)
			break;
		n += (size_t)got;
		if (n + 1 == cap) {
			char *more = realloc(data, cap * 2);

			if (!more) {
				free(data);
				return &error_no_memory;
			}
			data = more;
			cap *= 2;
		}
	}
	data[n] = '\0';
	*ret = data;
	*len = n;
	return NULL;
}

struct error *file_read(const char *path, char **ret, size_t *len)
{
	struct error *err;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return error_create_errno(errno, "cannot open %s", path);
	err = file_read_fd(fd, path, ret, len);
	close(fd);
	return err;
}

struct error *file_replace_end(int fd, char *temp, const char *path, int errnum)
{
	if (close(fd) && !errnum)
		errnum = errno;
	if (!errnum && rename(temp, path))
		errnum = errno;
	if (errnum)
		unlink(temp);
	cleanup_drop_path(temp);
	free(temp);
	return errnum ? error_create_errno(errnum, "cannot write %s", path) : NULL;
}

struct error *file_write_atomic(const char *path, const void *data, size_t len, unsigned mode)
{
	char *temp;
	int fd = file_replace_begin(path, mode, &temp);

	if (fd < 0)
		return error_create_errno(-fd, "cannot write %s", path);
	return file_replace_end(fd, temp, path, file_write_all(fd, data, len));
}

struct error *file_copy(const char *from, const char *to)
{
	int in, out, errnum = 0;
	struct stat st;
	char *temp, buf[65536];
	ssize_t n;

	in = open(from, O_RDONLY | O_CLOEXEC);
	if (in < 0 || fstat(in, &st)) {
		errnum = errno;
		if (in >= 0)
			close(in);
		return error_create_errno(errnum, "cannot open %s", from);
	}
	out = file_replace_begin(to, st.st_mode & 07777, &temp);
	if (out < 0) {
		close(in);
		return error_create_errno(-out, "cannot write %s", to);
	}
	while (!errnum && (n = read(in, buf, sizeof(buf))) != 0) {
		if (n > 0)
			errnum = file_write_all(out, buf, (size_t)n);
		else if (errno != EINTR)
			errnum = errno;
	}
	close(in);
	return file_replace_end(out, temp, to, errnum);
}

struct error *dir_create_all(const char *path)
{
	struct stat st;
	char *copy;

	if (!stat(path, &st) && S_ISDIR(st.st_mode))
		return NULL;
	copy = strdup(path);
	if (!copy)
		return &error_no_memory;
	for (char *slash = copy + 1; *copy && (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		/* a parent that exists, or cannot be made, shows at the next step */
		if (mkdir(copy, 0755) && errno != EEXIST && errno != EROFS && errno != EACCES) {
			struct error *err = error_create_errno(errno, "cannot create %s", copy);

			free(copy);
			return err;
		}
		*slash = '/';
	}
	free(copy);
	if (mkdir(path, 0755)) {
		int errnum = errno;

		if (!stat(path, &st) && S_ISDIR(st.st_mode))
			return NULL;
		return error_create_errno(errnum, "cannot create directory %s", path);
	}
	return NULL;
}

/*
 * NAME in the open directory PARENT, with all below it. Works from descriptors and does not
 * follow links, so nothing outside is reached when somebody moves directories meanwhile.
 * Unlinking a directory gives EISDIR on Linux, EPERM by POSIX.
 */
static struct error *remove_at(int parent, const char *name, const char *shown)
{
	struct error *err = NULL;
	struct dirent *entry;
	DIR *dir;
	int fd;

	if (!unlinkat(parent, name, 0) || errno == ENOENT)
		return NULL;
	if (errno != EISDIR && errno != EPERM)
		return error_create_errno(errno, "cannot remove %s", shown);
	fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return error_create_errno(errno, "cannot remove %s", shown);
	dir = fdopendir(fd);
	if (!dir) {
		close(fd);
		return error_create_errno(errno, "cannot remove %s", shown);
	}
	while (!err && (entry = readdir(dir))) {
		if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, ".."))
			err = remove_at(fd, entry->d_name, entry->d_name);
	}
	closedir(dir);
	if (!err && unlinkat(parent, name, AT_REMOVEDIR) && errno != ENOENT)
		err = error_create_errno(errno, "cannot remove %s", shown);
	return err;
}

struct error *dir_remove_all(const char *path)
{
	struct error *err = remove_at(AT_FDCWD, path, path);

	cleanup_drop_path(path);
	return err;
}

struct error *dir_create_temp(struct arena *arena, const char *prefix, char **ret)
{
	const char *tmp = getenv("TMPDIR");

	return dir_create_temp_in(arena, tmp && *tmp ? tmp : "/tmp", prefix, ret);
}

struct error *dir_create_temp_in(struct arena *arena, const char *dir, const char *prefix,
				 char **ret)
{
	char *path = arena_printf(arena, "%s/%sXXXXXX", dir, prefix);
	struct error *err = NULL;

	cleanup_hold();
	if (mkdtemp(path))
		cleanup_add_path(path);
	else
		err = error_create_errno(errno, "cannot create temporary directory %s", path);
	cleanup_release();
	if (!err)
		*ret = path;
	return err;
}

bool file_exists(const char *path)
{
	return access(path, F_OK) == 0;
}

int file_open_regular(const char *path)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	struct stat st;

	if (fd < 0 || (!fstat(fd, &st) && S_ISREG(st.st_mode)))
		return fd;
	close(fd);
	errno = EINVAL;
	return -1;
}

struct error *file_map_open(const char *path, struct file_map *ret)
{
	struct error *err = NULL;
	struct stat st;
	void *data;
	int fd = file_open_regular(path);

	if (fd < 0)
		return errno == EINVAL ? error_create("cannot map %s: not a regular file", path)
				       : error_create_errno(errno, "cannot open %s", path);
	if (fstat(fd, &st)) {
		err = error_create_errno(errno, "cannot read %s", path);
	} else if (!st.st_size) {
		*ret = (struct file_map){ 0 };
	} else {
		data = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
		if (data == MAP_FAILED)
			err = error_create_errno(errno, "cannot map %s", path);
		else
			*ret = (struct file_map){ .data = data, .len = (size_t)st.st_size };
	}
	close(fd);
	return err;
}

void file_map_close(struct file_map *map)
{
	if (map->data)
		munmap((void *)map->data, map->len);
	*map = (struct file_map){ 0 };
}

bool entry_is_directory(const struct dirent *entry, const char *path)
{
	struct stat st;

	if (entry->d_type != DT_UNKNOWN)
		return entry->d_type == DT_DIR;
	return lstat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

const char *path_join(struct arena *arena, const char *dir, const char *name)
{
	size_t n = strlen(dir), m = strlen(name);
	char *path = arena_alloc(arena, n + m + 2), *at = path;

	memcpy(at, dir, n);
	at += n;
	if (!n || at[-1] != '/')
		*at++ = '/';
	memcpy(at, name, m + 1);
	return path;
}

const char *path_base(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

bool path_has_suffix(const char *path, const char *suffix)
{
	size_t n = strlen(path), m = strlen(suffix);

	return n >= m && !strcmp(path + n - m, suffix);
}

uint64_t file_identity(const char *path)
{
	struct stat st;
	int64_t key[4];

	if (stat(path, &st))
		return 0;
	key[0] = (int64_t)st.st_ino;
	key[1] = st.st_size;
	key[2] = st.st_ctim.tv_sec;
	key[3] = st.st_ctim.tv_nsec;
	return hash_bytes64(key, sizeof(key), hash_bytes64(path, strlen(path), 0));
}

bool file_rotation_parse(const char *text, uint64_t *bytes, unsigned *files)
{
	unsigned long mb, n = 0;
	char *end;

	mb = strtoul(text, &end, 10);
	if (!isdigit((unsigned char)*text) || mb < 1 || mb > MAX_ROTATION_MB)
		return false;
	if (*end == ',') {
		text = end + 1;
		n = strtoul(text, &end, 10);
		if (!isdigit((unsigned char)*text) || n < 1 || n > MAX_ROTATION_FILES)
			return false;
	}
	if (*end)
		return false;
	*bytes = (uint64_t)mb << 20;
	*files = n;
	return true;
}

char *path_expand_time(const char *path)
{
	time_t now = time(NULL);
	char *full = NULL;
	struct tm tm;

	if (!strchr(path, '%'))
		return strdup(path);
	full = malloc(PATH_MAX);
	if (!full)
		return NULL;
	localtime_r(&now, &tm);
	if (strftime(full, PATH_MAX, path, &tm))
		return full;
	free(full); /* too long, or nothing: take it as it is */
	return strdup(path);
}

void file_guard_standard(void)
{
	int fd;

	do {
		fd = open("/dev/null", O_RDONLY);
	} while (fd >= 0 && fd <= 2);
	if (fd >= 0)
		close(fd);
}
