/* SPDX-License-Identifier: MIT */
#include "column.h"

#define IDENTITY(id_, name_, type_, flags_, unit_, field_, description_)                           \
	{                                                                                          \
		.shape = { .name = name_, .type = type_, .flags = flags_ },                        \
		.kind = COLUMN_IDENTITY, .id = id_, .unit = unit_, .kernel_field = field_,         \
		.description = description_,                                                       \
	}

static const struct column of_process[] = {
	IDENTITY(IDENTITY_PID, "pid", CELL_COUNT, 0, "number", "Tgid", "process id"),
	IDENTITY(IDENTITY_PPID, "ppid", CELL_COUNT, 0, "number", "PPid", "id of the parent"),
	IDENTITY(IDENTITY_UID, "uid", CELL_COUNT, 0, "number", "Uid", "effective user id"),
	IDENTITY(IDENTITY_USER, "user", CELL_TEXT, REPORT_TRUNCATE, "text", "Uid",
		 "name of the effective user; its number in tables when no name is known"),
	IDENTITY(IDENTITY_COMM, "comm", CELL_TEXT, REPORT_TRUNCATE, "text", "Name",
		 "command name, up to 15 bytes"),
	IDENTITY(IDENTITY_STATE, "state", CELL_TEXT, 0, "text", "",
		 "running, kernel thread, zombie, leader gone or forbidden"),
	IDENTITY(IDENTITY_ERROR, "error", CELL_TEXT, REPORT_TRUNCATE, "text", "",
		 "what went wrong with reading this process"),
	IDENTITY(IDENTITY_CGROUP, "cgroup", CELL_TEXT, REPORT_TRUNCATE, "text", "/proc/PID/cgroup",
		 "cgroup that memory is charged to"),
	IDENTITY(IDENTITY_START_TIME, "start_time", CELL_COUNT, 0, "milliseconds", "starttime",
		 "start of the process, after boot"),
	IDENTITY(IDENTITY_INCONSISTENT, "inconsistent", CELL_FLAG, 0, "flag", "",
		 "1 when the mappings changed while they were read"),
	IDENTITY(IDENTITY_CUT, "cut", CELL_FLAG, 0, "flag", "",
		 "1 when some mappings lack a figure that others have, or a file ended early"),
	IDENTITY(IDENTITY_ONCE_METHOD, "once_method", CELL_TEXT, 0, "text", "",
		 "how sure resident_once is: exact, bound (see resident_once_min and "
		 "resident_once_max) or estimate"),
	IDENTITY(IDENTITY_FOOTPRINT_METHOD, "footprint_method", CELL_TEXT, 0, "text", "",
		 "how sure footprint is: exact, bound (the truth is not above it) or estimate"),
	IDENTITY(IDENTITY_PAGE_SOURCE, "page_source", CELL_TEXT, 0, "text", "",
		 "what settled resident_once with --exact: pagemap_scan or pagemap"),
};

static const struct column of_mapping[] = {
	IDENTITY(IDENTITY_PID, "pid", CELL_COUNT, 0, "number", "Tgid", "process id"),
	IDENTITY(IDENTITY_START, "start", CELL_ADDRESS, 0, "address", "maps", "first address"),
	IDENTITY(IDENTITY_END, "end", CELL_ADDRESS, 0, "address", "maps",
		 "first address behind it"),
	IDENTITY(IDENTITY_OFFSET, "offset", CELL_BYTES, 0, "bytes", "maps",
		 "of its start in the file behind it"),
	IDENTITY(IDENTITY_DEVICE, "device", CELL_TEXT, 0, "text", "maps",
		 "device of the file behind it, as major:minor in hexadecimal"),
	IDENTITY(IDENTITY_INODE, "inode", CELL_COUNT, 0, "number", "maps",
		 "inode number of the file behind it; absent for none"),
	IDENTITY(IDENTITY_KIND, "kind", CELL_TEXT, 0, "text", "",
		 "what it is to people, such as heap, thread-stack or text"),
	IDENTITY(IDENTITY_CLASS, "class", CELL_TEXT, 0, "text", "",
		 "what its pages belong to: anon, shmem, file or hugetlb"),
	IDENTITY(IDENTITY_PERMS, "perms", CELL_TEXT, 0, "text", "maps",
		 "permissions: r, w, x, and s for shared or p for private"),
	IDENTITY(
		IDENTITY_NOTES, "notes", CELL_WORDS, 0, "words", "VmFlags",
		"advised, no-thp, eligible, locked, grows-down, hugetlb and the size of its pages, "
		"deleted? when the name says so"),
	IDENTITY(IDENTITY_NAME, "name", CELL_TEXT, REPORT_TRUNCATE | REPORT_PATH, "text", "maps",
		 "path of the file, or a name that the kernel or the process gave it"),
	IDENTITY(IDENTITY_ERROR, "error", CELL_TEXT, REPORT_TRUNCATE, "text", "",
		 "what went wrong with reading this mapping"),
};

static const struct column of_kind[] = {
	IDENTITY(IDENTITY_KIND, "kind", CELL_TEXT, 0, "text", "",
		 "what the mappings are to people, such as heap, thread-stack or text"),
	IDENTITY(IDENTITY_MAPPINGS, "mappings", CELL_COUNT, 0, "number", "records of smaps",
		 "number of mappings of this kind"),
};

static const struct column of_object[] = {
	IDENTITY(IDENTITY_PID, "pid", CELL_COUNT, 0, "number", "Tgid", "process id"),
	IDENTITY(IDENTITY_CLASS, "class", CELL_TEXT, 0, "text", "",
		 "what its pages are: shmem, file or hugetlb; absent when that is not sure"),
	IDENTITY(IDENTITY_ONCE_METHOD, "once_method", CELL_TEXT, 0, "text", "",
		 "how sure resident_once is: exact, or bound (see resident_once_min and "
		 "resident_once_max)"),
	IDENTITY(IDENTITY_PAGE_SOURCE, "page_source", CELL_TEXT, 0, "text", "",
		 "what settled resident_once with --exact: pagemap_scan or pagemap"),
	IDENTITY(IDENTITY_NAMES_DIFFER, "names_differ", CELL_FLAG, 0, "flag", "",
		 "1 when its mappings have several names, so that it may be several objects"),
	IDENTITY(IDENTITY_NAME, "name", CELL_TEXT, REPORT_TRUNCATE | REPORT_PATH, "text", "maps",
		 "path of the file, or a name that the kernel or the process gave it"),
};

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

const struct column *identity_column(unsigned int subject, size_t i)
{
	switch (subject) {
	case THPSTAT_OF_PROCESS:
		return i < COUNT(of_process) ? &of_process[i] : NULL;
	case THPSTAT_OF_MAPPING:
		return i < COUNT(of_mapping) ? &of_mapping[i] : NULL;
	case THPSTAT_OF_OBJECT:
		return i < COUNT(of_object) ? &of_object[i] : NULL;
	case COLUMNS_OF_KIND:
		return i < COUNT(of_kind) ? &of_kind[i] : NULL;
	default:
		return NULL;
	}
}
