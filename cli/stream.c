/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "message.h"
#include "stream.h"

/* Why the first writing that failed did so; 0 while all went well. */
static int first_error;

void stream_prepare(void)
{
	/* opened the wrong way round, so that using the stream still fails */
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 && errno == EBADF &&
		    open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0)
			return;
	/* a reader that went away is told as any other failure to write */
	signal(SIGPIPE, SIG_IGN);
}

bool stream_is_broken(void)
{
	return ferror(stdout);
}

bool stream_flush(void)
{
	int error;

	errno = 0;
	error = fflush(stdout) ? errno : 0;
	if (!first_error)
		first_error = error;
	return !error && !ferror(stdout);
}

int stream_finish(int status)
{
	bool whole = stream_flush();

	errno = 0;
	if (!fclose(stdout) && whole)
		return status;
	if (!first_error)
		first_error = errno ? errno : EIO;
	message("cannot write the output: %s", strerror(first_error));
	return STATUS_FAILED;
}
