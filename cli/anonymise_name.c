/* SPDX-License-Identifier: MIT */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "anonymise_name.h"
#include "memory.h"
#include "text_match.h"

static bool is_one_of(const char *text, size_t length, const char *const *words)
{
	for (; *words; words++)
		if (text_is(text, length, *words))
			return true;
	return false;
}

static void keep(const char *text, size_t length, FILE *out)
{
	fwrite(text, 1, length, out);
}

/* Paths */

static bool is_octal(const char *text)
{
	return text[0] >= '0' && text[0] <= '3' && text_span(text + 1, 2, "01234567") == 2;
}

/* What the kernel escaped becomes bytes again: another file may show the same name as it is. */
static size_t unescape(const char *text, size_t length, char *ret)
{
	size_t n = 0;

	for (size_t i = 0; i < length; i++) {
		if (text[i] == '\\' && length - i > 3 && is_octal(text + i + 1)) {
			ret[n++] = (char)((text[i + 1] - '0') << 6 | (text[i + 2] - '0') << 3 |
					  (text[i + 3] - '0'));
			i += 3;
		} else {
			ret[n++] = text[i];
		}
	}
	return n;
}

typedef void (*component_fn)(struct aliases *aliases, const char *name, size_t length, FILE *out);

static void each_component(struct aliases *aliases, const char *path, size_t length, int escaped,
			   component_fn component, FILE *out)
{
	char *plain = memory_zeroed(length + 1, 1);

	for (size_t at = 0; at <= length; at++) {
		const char *slash = memchr(path + at, '/', length - at);
		size_t n = slash ? (size_t)(slash - path) - at : length - at;

		if (escaped) {
			component(aliases, plain, unescape(path + at, n, plain), out);
		} else {
			component(aliases, path + at, n, out);
		}
		if (slash)
			fputc('/', out);
		at += n;
	}
	free(plain);
}

static void path_component(struct aliases *aliases, const char *name, size_t length, FILE *out)
{
	if (text_is(name, length, ".") || text_is(name, length, ".."))
		keep(name, length, out);
	else
		alias_write(aliases, name, length, out);
}

void anonymise_path(struct aliases *aliases, const char *path, size_t length, int escaped,
		    FILE *out)
{
	each_component(aliases, path, length, escaped, path_component, out);
}

/* Mappings */

static const char deleted[] = " (deleted)";

/* "/SYSV" and eight hexadecimal digits, with the blank that must separate a name behind it. */
static size_t sysv_length(const char *name, size_t length)
{
	size_t n = sizeof("/SYSV") - 1;

	if (!text_begins(name, length, "/SYSV") ||
	    text_span(name + n, length - n, "0123456789abcdef") < 8)
		return 0;
	n += 8;
	if (length == n || text_is(name + n, length - n, deleted))
		return n;
	return name[n] == ' ' ? n + 1 : 0;
}

/* "[heap]", "[stack:12]", "anon_inode:[io_uring]", "socket:[4711]": no process chose these. */
static bool is_kernel_name(const char *name, size_t length)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789_-:";
	size_t n = name[0] == '[' ? 0 : text_span(name, length, letters);

	if (text_begins(name, length, "anon_inode:"))
		return true;
	return n < length && name[n] == '[' && length - n > 2 && length < 40 &&
	       n + 1 + text_span(name + n + 1, length - n - 1, letters) == length - 1 &&
	       name[length - 1] == ']';
}

/* The beginnings by which the library tells objects apart, and those that are all the kernel's. */
static size_t special_length(const char *name, size_t length)
{
	static const char *const beginnings[] = {
		"/memfd:", "/dev/zero (deleted)", "/drm mm object", "(unreachable)", NULL,
	};
	static const char *const wholes[] = { "/dev/zero", "/anon_hugepage", "/[aio]", NULL };
	size_t sysv = sysv_length(name, length);

	for (size_t i = 0; beginnings[i]; i++)
		if (text_begins(name, length, beginnings[i]))
			return strlen(beginnings[i]);
	return is_one_of(name, length, wholes) || is_kernel_name(name, length) ? length : sysv;
}

/* A newline is the one character that is escaped there. Returns the length. */
static size_t unescape_newlines(const char *name, size_t length, char *ret)
{
	size_t n = 0;

	for (size_t i = 0; i < length; i++) {
		bool newline = text_begins(name + i, length - i, "\\012");

		ret[n++] = newline ? '\n' : name[i];
		i += newline ? 3 : 0;
	}
	return n;
}

/* "[anon:" and "[anon_shmem:" lead names that processes give. */
static bool given_name(struct aliases *aliases, const char *name, size_t length, FILE *out)
{
	static const char *const beginnings[] = { "[anon:", "[anon_shmem:", NULL };

	for (size_t i = 0; beginnings[i]; i++) {
		size_t n = strlen(beginnings[i]);
		bool closed = length > n && name[length - 1] == ']';

		if (!text_begins(name, length, beginnings[i]))
			continue;
		keep(name, n, out);
		alias_write(aliases, name + n, length - n - closed, out);
		keep("]", closed, out);
		return true;
	}
	return false;
}

void anonymise_mapping_name(struct aliases *aliases, const char *name, size_t length, FILE *out)
{
	size_t special, tail = 0;
	char *plain;

	if (!length || given_name(aliases, name, length, out))
		return;
	special = special_length(name, length);
	if (text_ends(name + special, length - special, deleted))
		tail = strlen(deleted);
	if (!special)
		special = special_length(name, length - tail);
	keep(name, special, out);
	plain = memory_zeroed(length + 1, 1);
	anonymise_path(aliases, plain,
		       unescape_newlines(name + special, length - special - tail, plain), 0, out);
	free(plain);
	keep(deleted, tail, out);
}

/* Cgroups */

/* Names that every host of a kind has. */
static const char *const usual_cgroups[] = {
	"",
	".",
	"..",
	"system.slice",
	"user.slice",
	"init.scope",
	"machine.slice",
	"app.slice",
	"session.slice",
	"background.slice",
	"kubepods",
	"kubepods.slice",
	"burstable",
	"besteffort",
	"kubepods-burstable.slice",
	"kubepods-besteffort.slice",
	"docker",
	"podman",
	"lxc",
	"libpod_parent",
	"kubelet",
	"systemd",
	"unified",
	/* where the hierarchies of version 1 are mounted */
	"blkio",
	"cpu",
	"cpuacct",
	"cpu,cpuacct",
	"cpuacct,cpu",
	"cpuset",
	"devices",
	"freezer",
	"hugetlb",
	"memory",
	"misc",
	"net_cls",
	"net_prio",
	"net_cls,net_prio",
	"perf_event",
	"pids",
	"rdma",
	NULL,
};

/* What stands before the id of a container or pod, or the number of a user. */
static const char *const runtimes[] = {
	"docker-",
	"libpod-",
	"libpod-conmon-",
	"libpod-payload-",
	"crio-",
	"crio-conmon-",
	"cri-containerd-",
	"cri-dockerd-",
	"containerd-",
	"nerdctl-",
	"podman-",
	"pod",
	"kubepods-pod",
	"kubepods-burstable-pod",
	"kubepods-besteffort-pod",
	NULL,
};

static const char *const users[] = { "user-",	 "user@",     "user-runtime-dir@",
				     "session-", "session-c", NULL };

static const char *const units[] = { ".slice", ".service", ".scope", ".mount",
				     ".swap",  ".socket",  NULL };

static size_t unit_length(const char *name, size_t length)
{
	for (size_t i = 0; units[i]; i++)
		if (text_ends(name, length, units[i]))
			return strlen(units[i]);
	return 0;
}

/* The beginning of a name that is the runtime's or the session manager's, when an id follows. */
static size_t runtime_length(const char *name, size_t length)
{
	for (size_t i = 0; runtimes[i]; i++) {
		size_t n = strlen(runtimes[i]);

		if (text_begins(name, length, runtimes[i]) && alias_is_id(name + n, length - n))
			return n;
	}
	for (size_t i = 0; users[i]; i++) {
		size_t n = strlen(users[i]);

		if (text_begins(name, length, users[i]) && length > n &&
		    text_span(name + n, length - n, "0123456789") == length - n)
			return length;
	}
	return 0;
}

static void cgroup_component(struct aliases *aliases, const char *name, size_t length, FILE *out)
{
	size_t tail = text_ends(name, length, deleted) ? strlen(deleted) : 0;
	size_t stem = length - tail, unit, head;

	if (is_one_of(name, stem, usual_cgroups)) {
		keep(name, length, out);
		return;
	}
	unit = unit_length(name, stem);
	stem -= unit;
	head = runtime_length(name, stem);
	keep(name, head, out);
	alias_write(aliases, name + head, stem - head, out);
	keep(name + stem, unit + tail, out);
}

void anonymise_cgroup(struct aliases *aliases, const char *path, size_t length, int escaped,
		      FILE *out)
{
	each_component(aliases, path, length, escaped, cgroup_component, out);
}

/* Command lines */

/* A size or a count, as options of a JVM take it. */
static bool is_amount(const char *text, size_t length)
{
	size_t digits = text_span(text, length, "0123456789.");

	return digits &&
	       digits + text_span(text + digits, length - digits, "kKmMgGtT%") == length &&
	       length - digits <= 1;
}

/*
 * "-Xmx4g", "-XX:+UseZGC", "-XX:MaxRAMPercentage=70.0" stay; of others what stands before their
 * value, since that may be anything. Returns the length of what stays.
 */
static size_t jvm_option_length(const char *argument, size_t length)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
	size_t n;

	if (!text_begins(argument, length, "-X"))
		return 0;
	n = text_begins(argument, length, "-XX:") ? 4 : 2;
	if (n == 4 && n < length)
		n += argument[n] == '+' || argument[n] == '-';
	n += text_span(argument + n, length - n, letters);
	if (n == 2)
		return 0;
	/* digits are part of a flag's name, too: "-XX:+UseG1GC" */
	if (text_begins(argument, length, "-XX:"))
		n += text_span(argument + n, length - n,
			       "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
	if (n == length || is_amount(argument + n, length - n))
		return length;
	if (argument[n] != '=' && argument[n] != ':')
		return n;
	n++;
	return is_amount(argument + n, length - n) ? length : n;
}

void anonymise_argument(struct aliases *aliases, const char *argument, size_t length, FILE *out)
{
	size_t kept = jvm_option_length(argument, length);

	keep(argument, kept, out);
	alias_write(aliases, argument + kept, length - kept, out);
}
