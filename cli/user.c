/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <pwd.h>
#include <stdlib.h>

#include "memory.h"
#include "user.h"

const char *user_name(uint32_t uid)
{
	/* neighbours mostly belong to the same user, and asking may mean asking a server */
	static uint32_t last_uid;
	static char *last_name;
	static bool asked;
	const struct passwd *user;

	if (asked && last_uid == uid)
		return last_name;
	user = getpwuid(uid);
	free(last_name);
	last_name = user ? memory_copy(user->pw_name) : NULL;
	last_uid = uid;
	asked = true;
	return last_name;
}

int user_find(const char *name, uint32_t *ret)
{
	const struct passwd *user;

	errno = 0;
	user = getpwnam(name);
	if (!user)
		return errno && errno != ESRCH && errno != EPERM && errno != EBADF ? -errno
										   : -ENOENT;
	*ret = user->pw_uid;
	return 0;
}
