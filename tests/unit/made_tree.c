/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "made_tree.h"
#include "support/files.h"
#include "unit.h"

/* Makes the directories of a path, whose last component is a file unless it ends in '/'. */
static void make_directories(char *path)
{
	for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (mkdir(path, 0755) && errno != EEXIST)
			fail_msg("%s: %s", path, strerror(errno));
		*slash = '/';
	}
}

void made_tree_add(const char *root, const char *name, const char *text, size_t length)
{
	char *path = format_text("%s/%s", root, name);

	make_directories(path);
	if (path[strlen(path) - 1] != '/') {
		int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

		if (fd < 0)
			fail_msg("%s: %s", path, strerror(errno));
		for (size_t done = 0; done < length;) {
			ssize_t n = write(fd, text + done, length - done);

			assert_true(n > 0);
			done += (size_t)n;
		}
		close(fd);
	}
	free(path);
}

void made_tree_text(const char *root, const char *path, const char *text)
{
	made_tree_add(root, path, text, strlen(text));
}

char *made_tree(const struct made_file *files, size_t n)
{
	char *root = scratch_make();

	for (size_t i = 0; i < n; i++) {
		const char *text = files[i].text ? files[i].text : "";

		made_tree_add(root, files[i].path, text,
			      files[i].length ? files[i].length : strlen(text));
	}
	return root;
}

struct thpstat *made_tree_open(const char *root)
{
	struct thpstat_open_options options = { .size = sizeof(options), .root = root };
	struct thpstat *source;
	int error = thpstat_open(&options, &source);

	if (error)
		fail_msg("%s: %s", root, strerror(-error));
	return source;
}
