/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "progress.h"

/* Milliseconds: nobody misses a line before, or reads it more often. */
#define PATIENCE 500
#define INTERVAL 100

static struct {
	bool active;
	bool visible;
	size_t done;
	size_t total;
	long long start;
	long long next; /* when to show it again */
	size_t (*count)(const void *userdata);
	const void *userdata;
} progress;

static long long now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000LL + time.tv_nsec / 1000000;
}

void progress_begin(bool quiet, size_t total, size_t (*count)(const void *userdata),
		    const void *userdata)
{
	progress.active = !quiet && isatty(STDERR_FILENO);
	if (!progress.active)
		return;
	progress.done = 0;
	progress.total = total;
	progress.start = now();
	progress.next = progress.start + PATIENCE;
	progress.count = count;
	progress.userdata = userdata;
}

static void show(long long time)
{
	if (!progress.total)
		progress.total = progress.count(progress.userdata);
	/* some have come since */
	if (progress.total < progress.done)
		progress.total = progress.done;
	fprintf(stderr, "\r%zu of %zu processes, %lld s", progress.done, progress.total,
		(time - progress.start) / 1000);
	progress.visible = true;
}

void progress_step(void)
{
	long long time;

	if (!progress.active)
		return;
	progress.done++;
	time = now();
	if (time < progress.next)
		return;
	show(time);
	progress.next = time + INTERVAL;
}

void progress_hide(void)
{
	if (!progress.visible)
		return;
	/* blanks: even a terminal without escape sequences knows them */
	fprintf(stderr, "\r%*s\r", 60, "");
	progress.visible = false;
}

void progress_end(void)
{
	progress_hide();
	progress.active = false;
}
