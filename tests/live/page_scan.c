/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdarg.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "page_scan.h"

static bool forbidden;
static void (*before)(void);

void page_scan_allow(bool allowed)
{
	forbidden = !allowed;
}

void page_scan_before(void (*event)(void))
{
	before = event;
}

/* Stands for that of libc in the whole program. */
int ioctl(int fd, unsigned long request, ...)
{
	va_list arguments;
	void *argument;

	va_start(arguments, request);
	argument = va_arg(arguments, void *);
	va_end(arguments);
	if (_IOC_TYPE(request) == 'f' && _IOC_NR(request) == 16) {
		void (*event)(void) = before;

		before = NULL;
		if (event)
			event();
		if (forbidden) {
			errno = ENOTTY;
			return -1;
		}
	}
	return (int)syscall(SYS_ioctl, fd, request, argument);
}
