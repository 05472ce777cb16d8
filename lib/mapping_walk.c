/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "account/coverage.h"
#include "mapping_walk.h"

void mapping_walk_init(struct mapping_walk *walk, struct thpstat *source)
{
	walk->source = source;
	walk->devices = (struct devices){ 0 };
	walk->maps = walk->reader.fd = -1;
	smaps_parser_init(&walk->parser, &source->smaps);
	usage_clear(&walk->usage);
	walk->view.usage = &walk->usage;
	walk->view.name = walk->name;
}

void mapping_walk_free(struct mapping_walk *walk)
{
	mapping_walk_end(walk);
	devices_free(&walk->devices);
}

void mapping_walk_end(struct mapping_walk *walk)
{
	if (walk->reader.fd >= 0)
		close(walk->reader.fd);
	if (walk->maps >= 0)
		close(walk->maps);
	walk->maps = walk->reader.fd = -1;
}

int mapping_walk_begin(struct mapping_walk *walk, const struct directory *process)
{
	const struct tree *tree = &walk->source->tree;

	walk->process = process;
	walk->block = walk->block_end = NULL;
	walk->at_end = walk->error = walk->inconsistent = walk->have_header = 0;
	walk->previous_end = 0;
	walk->kinds = (struct kind_walk){ 0 };
	devices_next_process(&walk->devices);

	/*
	 * When an address space goes away (the process ends, or executes another program), its
	 * smaps just ends, without an error. maps of the same address space tells afterwards
	 * whether that has happened. It is opened first: should the process execute in between,
	 * this errs on the side of "gone".
	 */
	if (tree->live) {
		walk->maps = tree_open_file(tree, process, "maps");
		if (walk->maps < 0) {
			int error = walk->maps;

			/* in a tree maps is not asked for, and smaps has to fail alike */
			tree_tell(tree, process, "smaps", NULL, 0, 0, error);
			walk->maps = -1;
			return error;
		}
	}

	int fd = tree_open_file(tree, process, "smaps");

	if (fd < 0) {
		mapping_walk_end(walk);
		return fd;
	}
	line_reader_init(&walk->reader, tree, process, "smaps", fd, walk->buffer);
	return 0;
}

/* Is the address space that was opened still there? */
static int still_there(const struct mapping_walk *walk)
{
	char byte;
	ssize_t n;

	if (walk->maps < 0)
		return 1;
	do {
		n = read(walk->maps, &byte, 1);
	} while (n < 0 && errno == EINTR);
	return n == 1;
}

/* More lines: 1, 0 at the end, negative errno. */
static int fill(struct mapping_walk *walk)
{
	if (walk->at_end)
		return walk->error;

	int more = line_reader_next(&walk->reader, &walk->block, &walk->block_end);

	/* behind a line that was passed over nobody knows whose fields come */
	if (more == 1 && !walk->reader.overlong)
		return 1;
	walk->at_end = 1;
	walk->block = walk->block_end = NULL;
	if (more < 0)
		walk->error = more;
	else if (walk->reader.cut || walk->reader.overlong)
		walk->error = -EBADMSG;
	else if (!still_there(walk))
		walk->error = -ESRCH;
	/* what was told as a whole file was none */
	if (walk->error == -ESRCH)
		tree_tell(&walk->source->tree, walk->process, "smaps", NULL, 0,
			  walk->reader.offset, -ESRCH);
	if (walk->error == -EBADMSG)
		tree_problem(&walk->source->tree, walk->process, "smaps", 0, -EBADMSG,
			     "ends within a line, or has one of more than 64 KiB");
	return walk->error;
}

/* Looks for the next header line: 1, 0 at the end, negative errno. */
static int find_header(struct mapping_walk *walk)
{
	for (;;) {
		if (walk->block == walk->block_end) {
			int more = fill(walk);

			if (more != 1)
				return more;
		}

		const char *line = walk->block;
		const char *eol = memchr(line, '\n', (size_t)(walk->block_end - line));

		if (smaps_header(line, eol, &walk->header))
			return 1;
		walk->block = eol + 1;
	}
}

/* Takes the header line that the block begins with into the view. */
static void take_header(struct mapping_walk *walk)
{
	const struct smaps_header *header = &walk->header;
	struct thpstat_mapping *view = &walk->view;

	view->start = header->start;
	view->end = header->end;
	view->offset = header->offset;
	view->device_major = header->major;
	view->device_minor = header->minor;
	view->inode = header->inode;
	view->flags = header->flags;
	view->error = 0;
	memcpy(walk->name, header->name, header->name_length);
	walk->name[header->name_length] = '\0';
	walk->name_length = header->name_length;
	walk->block = header->name + header->name_length + 1;

	walk->inconsistent |= header->start < walk->previous_end || header->end < header->start;
	walk->previous_end = header->end;
}

/* Is the file of the mapping on a tmpfs? Looked up only when that matters. */
static enum object_device device(struct mapping_walk *walk)
{
	const struct thpstat_mapping *view = &walk->view;

	if (view->device_major) /* a block device: a tmpfs has none */
		return OBJECT_DEVICE_OTHER;
	if (walk->object_name != OBJECT_NAME_FILE ||
	    usage_or_zero(&walk->usage, THPSTAT_RSS) ==
		    usage_or_zero(&walk->usage, THPSTAT_ANONYMOUS))
		return OBJECT_DEVICE_UNKNOWN;
	return devices_find(&walk->devices, walk->source, walk->process, view->device_major,
			    view->device_minor);
}

/* What follows from the figures of a record. */
static void account(struct mapping_walk *walk)
{
	struct thpstat_mapping *view = &walk->view;

	walk->object_name = object_name(walk->name, walk->name_length, view->inode);
	view->class_ = object_class(walk->object_name, device(walk), view->flags, &walk->usage,
				    &walk->class_sure);
	view->object =
		object_key(view->device_major, view->device_minor, view->inode, walk->object_name);
	view->kind = kind_of(&walk->kinds, view, walk->name_length,
			     walk->have_header ? &walk->header : NULL);
	if (figures_refused(&walk->usage.figures))
		view->error = -EBADMSG;
	coverage_as_mapped(&walk->usage);
	coverage_split_mapping(&walk->usage, view->class_);
	if (!walk->class_sure && usage_or_zero(&walk->usage, THPSTAT_RESIDENT_FILE)) {
		usage_absent(&walk->usage, THPSTAT_RESIDENT_SHMEM, THPSTAT_REASON_NOT_PROVED);
		usage_absent(&walk->usage, THPSTAT_RESIDENT_FILE, THPSTAT_REASON_NOT_PROVED);
	}
}

int mapping_walk_next(struct mapping_walk *walk)
{
	if (!walk->have_header) {
		int more = find_header(walk);

		if (more != 1)
			return more;
	}
	take_header(walk);
	figures_clear(&walk->usage.figures);
	smaps_parser_begin(&walk->parser);
	do {
		walk->block = smaps_fields(&walk->parser, walk->block, walk->block_end,
					   &walk->usage.figures, &walk->view.flags, &walk->header);
		walk->have_header = walk->block != walk->block_end;
	} while (!walk->have_header && fill(walk) == 1);
	walk->view.error = walk->error; /* the list ended within this record */
	account(walk);
	if (walk->devices.error) {
		walk->at_end = 1;
		walk->error = walk->devices.error;
		walk->block = walk->block_end = NULL;
		walk->have_header = 0;
		return walk->error;
	}
	return 1;
}
