/* SPDX-License-Identifier: MIT */
#include "inject.h"

static struct {
	bool is_armed;
	bool fired;
	unsigned long calls;
	struct inject inject;
} now;

void inject_arm(struct inject inject)
{
	now = (typeof(now)){ .is_armed = true, .inject = inject };
}

unsigned long inject_disarm(void)
{
	now.is_armed = false;
	return now.calls;
}

bool inject_here(enum inject_kind kind, int *ret_error)
{
	if (!now.is_armed || kind != now.inject.kind || ++now.calls != now.inject.at)
		return false;
	now.fired = true;
	*ret_error = now.inject.error;
	return true;
}

bool inject_fired(void)
{
	return now.fired;
}
