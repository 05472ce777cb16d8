/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "parse/number.h"
#include "tree/tree.h"

#define ERRORS_LIMIT (16u << 20)
#define OPEN_TRIES 16

static long openat2_beneath(int at, const char *path, int flags)
{
	struct open_how how = {
		.flags = (uint64_t)flags,
		.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS,
	};

	return syscall(SYS_openat2, at, path, &how, sizeof(how));
}

/* /proc/self is the one link that kernels before openat2 must be followed at: to our own pid. */
static int is_self(int at, const char *component, char *buffer, size_t size)
{
	if (strcmp(component, "self"))
		return 0;

	ssize_t length = readlinkat(at, component, buffer, size - 1);

	if (length <= 0 || strspn(buffer, "0123456789") < (size_t)length)
		return 0;
	buffer[length] = '\0';
	return 1;
}

/* What RESOLVE_BENEATH does, for kernels before 5.6: one component at a time, no links at all. */
static int open_by_components(int at, const char *path, int flags)
{
	int directory = at;

	for (;;) {
		char component[NAME_MAX + 1], self[24] = { 0 };
		const char *slash = strchr(path, '/');
		size_t length = slash ? (size_t)(slash - path) : strlen(path);

		if (!length || length > NAME_MAX) {
			errno = length ? ENAMETOOLONG : ENOENT;
			break;
		}
		memcpy(component, path, length);
		component[length] = '\0';
		if (!strcmp(component, "..")) {
			errno = EXDEV;
			break;
		}

		const char *name =
			is_self(directory, component, self, sizeof(self)) ? self : component;
		int how = slash ? O_PATH | O_DIRECTORY | O_CLOEXEC : flags;
		int fd = openat(directory, name, how | O_NOFOLLOW);

		if (directory != at) {
			int error = errno;

			close(directory);
			errno = error;
		}
		if (fd < 0 || !slash)
			return fd;
		directory = fd;
		path = slash + 1;
	}
	if (directory != at) {
		int error = errno;

		close(directory);
		errno = error;
	}
	return -1;
}

/*
 * A negative errno, or an fd. A name that is neither a path nor a link leads nowhere else, so the
 * simplest call will do; it is also the fastest, which counts with three of them for each process.
 */
static int open_beneath(const struct tree *tree, int at, const char *path, int flags)
{
	int simple = tree->live && !strchr(path, '/') && strcmp(path, "..");

	flags |= O_CLOEXEC;
	for (int tries = 0;; tries++) {
		int fd = simple		     ? openat(at, path, flags | O_NOFOLLOW)
			 : tree->has_openat2 ? (int)openat2_beneath(at, path, flags)
					     : open_by_components(at, path, flags);

		if (fd >= 0)
			return fd;
		if (simple && (errno == ELOOP || errno == ENOTDIR)) {
			simple = 0; /* a link: that needs a closer look */
			continue;
		}
		/* EAGAIN: a rename raced with the look-up */
		if (tries == OPEN_TRIES || (errno != EINTR && errno != EAGAIN))
			return -errno;
	}
}

static void path_join(const struct directory *at, const char *name, char *buffer, size_t size)
{
	const char *parts[] = { at->path, "/", name };
	size_t length = 0;

	/* for each process there is a path to be made, and snprintf() takes its time */
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		size_t room = size - 1 - length;
		size_t n = strnlen(parts[i], room);

		memcpy(buffer + length, parts[i], n);
		length += n;
	}
	buffer[length] = '\0';
}

void tree_problem(const struct tree *tree, const struct directory *at, const char *name,
		  uint64_t line, int error, const char *text)
{
	char path[PATH_MAX];

	if (!tree->on_problem)
		return;
	path_join(at, name, path, sizeof(path));
	tree->on_problem(tree->userdata, &(struct thpstat_problem){ path, line, error, text });
}

void tree_tell(const struct tree *tree, const struct directory *at, const char *name,
	       const char *data, size_t size, uint64_t offset, int error)
{
	char path[PATH_MAX];

	if (!tree->on_file)
		return;
	path_join(at, name, path, sizeof(path));
	tree->on_file(tree->userdata,
		      &(struct thpstat_file_piece){ path, data, size, offset, error });
}

/* The error of a failed open: what the capture noted, when the file is not in it. */
static int noted_error(const struct tree *tree, const struct directory *at, const char *name,
		       int error)
{
	char path[PATH_MAX];

	if (error == -ENOENT && tree->errors.n) {
		path_join(at, name, path, sizeof(path));

		int noted = capture_errors_find(&tree->errors, path);

		/* what whoever took the tree was short of, we are not */
		if (noted == -ENOMEM)
			noted = -EIO;
		error = noted ? noted : error;
	}
	tree_tell(tree, at, name, NULL, 0, 0, error);
	return error;
}

static int open_top(const char *path, const char *name, int required, struct directory *ret)
{
	*ret = (struct directory){ 0 };
	snprintf(ret->path, sizeof(ret->path), "%s", name);
	do {
		ret->fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	} while (ret->fd < 0 && errno == EINTR);
	if (ret->fd >= 0)
		return 0;
	ret->fd = -1;
	return required || (errno != ENOENT && errno != ENOTDIR) ? -errno : 0;
}

/* Opens one of the three: the directory named for it, else the one below root. */
static int open_part(const char *root, const char *override, const char *name,
		     struct directory *ret)
{
	char path[PATH_MAX];

	if (override)
		return open_top(override, name, 1, ret);
	if ((size_t)snprintf(path, sizeof(path), "%s/%s", root, name) >= sizeof(path))
		return -ENAMETOOLONG;
	return open_top(path, name, 0, ret);
}

static int load_errors(struct tree *tree, const char *root)
{
	struct directory top;
	size_t length;
	char *text;
	int error = open_top(root, ".", 1, &top);

	if (error)
		return error;
	error = tree_read_file_alloc(tree, &top, "errors.tsv", ERRORS_LIMIT, &text, &length);
	directory_close(&top);
	if (error) /* a tree need not have one */
		return error == -ENOENT ? 0 : error;
	return capture_errors_load(&tree->errors, text);
}

int tree_open(struct tree *tree, const struct thpstat_open_options *options)
{
	const char *root = options->root ? options->root : "";
	struct statfs fs;
	int error;

	*tree = (struct tree){
		.proc = { .fd = -1 },
		.sys = { .fd = -1 },
		.cgroup = { .fd = -1 },
		.on_problem = options->on_problem,
		.on_file = options->on_file,
		.userdata = options->userdata,
	};
	error = open_part(root, options->proc, "proc", &tree->proc);
	if (!error)
		error = open_part(root, options->sys, "sys", &tree->sys);
	if (!error)
		error = open_part(root, options->cgroup, "sys/fs/cgroup", &tree->cgroup);
	if (!error && tree->proc.fd < 0 && tree->sys.fd < 0 && tree->cgroup.fd < 0)
		error = -ENOENT;
	if (error)
		goto fail;

	tree->live =
		tree->proc.fd >= 0 && !fstatfs(tree->proc.fd, &fs) && fs.f_type == PROC_SUPER_MAGIC;

	int probe = (int)openat2_beneath(tree->proc.fd >= 0 ? tree->proc.fd : tree->sys.fd, ".",
					 O_PATH | O_CLOEXEC);

	/* ENOSYS before Linux 5.6; EPERM under seccomp filters that do not know the call */
	tree->has_openat2 = probe >= 0 || (errno != ENOSYS && errno != EPERM);
	if (probe >= 0)
		close(probe);
	if (options->root)
		error = load_errors(tree, options->root);
	if (!error)
		return 0;
fail:
	tree_close(tree);
	return error;
}

void tree_close(struct tree *tree)
{
	directory_close(&tree->proc);
	directory_close(&tree->sys);
	directory_close(&tree->cgroup);
	capture_errors_unload(&tree->errors);
}

int tree_open_directory(const struct tree *tree, const struct directory *at, const char *name,
			int readable, struct directory *ret)
{
	if (at->fd < 0)
		return -ENOENT;

	int fd = open_beneath(tree, at->fd, name, O_DIRECTORY | (readable ? O_RDONLY : O_PATH));

	if (fd < 0)
		return noted_error(tree, at, name, fd);
	ret->fd = fd;
	path_join(at, name, ret->path, sizeof(ret->path));
	tree_tell(tree, ret, "", NULL, 0, 0, 0);
	return 0;
}

void directory_close(struct directory *directory)
{
	if (directory->fd >= 0)
		close(directory->fd);
	directory->fd = -1;
}

int tree_open_file(const struct tree *tree, const struct directory *at, const char *name)
{
	struct stat st;

	if (at->fd < 0)
		return -ENOENT;

	/* O_NONBLOCK: a FIFO planted in a tree must not hold us up */
	int fd = open_beneath(tree, at->fd, name, O_RDONLY | O_NONBLOCK | O_NOCTTY);

	if (fd < 0)
		return noted_error(tree, at, name, fd);
	/* procfs has nothing but regular files where the library looks */
	if (!tree->live && (fstat(fd, &st) || !S_ISREG(st.st_mode))) {
		close(fd);
		return -EBADMSG;
	}
	return fd;
}

long tree_read_some(const struct tree *tree, const struct directory *at, const char *name, int fd,
		    char *buffer, size_t size, uint64_t offset)
{
	ssize_t n;

	do {
		n = read(fd, buffer, size);
	} while (n < 0 && errno == EINTR);

	int error = n < 0 ? -errno : 0;

	tree_tell(tree, at, name, error ? NULL : buffer, error ? 0 : (size_t)n, offset, error);
	return error ? error : n;
}

/*
 * @one_record: procfs hands over all of such a file at once, given the room, so that there is no
 * need to ask for its end: on a small process that costs as much as a tenth of the record.
 */
static long read_all(const struct tree *tree, const struct directory *at, const char *name, int fd,
		     char *buffer, size_t size, int one_record)
{
	size_t length = 0;

	while (length < size) {
		long n = tree_read_some(tree, at, name, fd, buffer + length, size - length, length);

		if (n < 0)
			return n;
		if (!n)
			break;
		length += (size_t)n;
		if (one_record && tree->live && length < size && buffer[length - 1] == '\n') {
			tree_tell(tree, at, name, buffer, 0, length, 0);
			break;
		}
	}
	return (long)length;
}

long tree_read(const struct tree *tree, const struct directory *at, const char *name, int fd,
	       char *buffer, size_t size)
{
	return read_all(tree, at, name, fd, buffer, size, 0);
}

/* Without a word to the callback for problems. */
static int read_file(const struct tree *tree, const struct directory *at, const char *name,
		     char *buffer, size_t size, int one_record, size_t *ret_length)
{
	int fd = tree_open_file(tree, at, name);

	if (fd < 0)
		return fd;

	long length = read_all(tree, at, name, fd, buffer, size, one_record);

	close(fd);
	if (length < 0)
		return (int)length;
	if (length == (long)size)
		return -EFBIG;
	buffer[length] = '\0';
	*ret_length = (size_t)length;
	return 0;
}

/* What is not there, or just ended, is no problem. */
static int report(const struct tree *tree, const struct directory *at, const char *name, int error)
{
	if (error && error != -ENOENT && error != -ESRCH)
		tree_problem(tree, at, name, 0, error, "cannot be read");
	return error;
}

int tree_read_file(const struct tree *tree, const struct directory *at, const char *name,
		   char *buffer, size_t size, size_t *ret_length)
{
	return report(tree, at, name, read_file(tree, at, name, buffer, size, 0, ret_length));
}

int tree_read_record(const struct tree *tree, const struct directory *at, const char *name,
		     char *buffer, size_t size, size_t *ret_length)
{
	return report(tree, at, name, read_file(tree, at, name, buffer, size, 1, ret_length));
}

int tree_read_file_alloc(const struct tree *tree, const struct directory *at, const char *name,
			 size_t limit, char **ret, size_t *ret_length)
{
	for (size_t size = 16384;; size *= 4) {
		if (size > limit)
			size = limit + 1;

		char *buffer = malloc(size);

		if (!buffer)
			return -ENOMEM;

		int error = read_file(tree, at, name, buffer, size, 0, ret_length);

		if (!error) {
			*ret = buffer;
			return 0;
		}
		free(buffer);
		if (error != -EFBIG || size > limit)
			return report(tree, at, name, error);
	}
}

DIR *tree_list(const struct directory *directory)
{
	/* a description of its own: readers of a shared source must not move each other on */
	DIR *stream;
	int fd;

	do {
		fd = openat(directory->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	} while (fd < 0 && errno == EINTR);
	stream = fd < 0 ? NULL : fdopendir(fd);

	if (!stream && fd >= 0) {
		int error = errno;

		close(fd);
		errno = error;
	}
	return stream;
}

int tree_next_number(DIR *stream, int *ret)
{
	for (;;) {
		errno = 0;

		const struct dirent *entry = readdir(stream);

		if (!entry)
			return -errno;

		const char *name = entry->d_name;
		uint64_t number;

		if (name[0] == '0' || number_decimal(&name, name + strlen(name), &number) ||
		    *name || number > INT_MAX)
			continue;
		*ret = (int)number;
		return 1;
	}
}
