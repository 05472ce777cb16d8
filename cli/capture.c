/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "beneath.h"
#include "capture.h"
#include "memory.h"

/*
 * A file while it is read, once or several times. The last reading to its end counts; without one,
 * the last attempt does. A reading that just stops is what the library wanted of the file; one that
 * fails leaves nothing, or else the capture would have a short file where there was an error.
 */
struct reading {
	char *path;
	bool is_directory;
	int error; /* that ended the last attempt */
	bool ended;
	char *data;
	size_t size;
	size_t capacity;
	bool has_whole; /* an earlier reading came to its end */
	char *whole;
	size_t whole_size;
};

static void reading_free(struct reading *reading)
{
	free(reading->path);
	free(reading->data);
	free(reading->whole);
}

static void readings_clear(struct readings *readings)
{
	for (size_t i = 0; i < readings->n; i++)
		reading_free(&readings->items[i]);
	readings->n = 0;
}

static struct reading *readings_find(const struct readings *readings, const char *path)
{
	/* the latest is asked for most */
	for (size_t i = readings->n; i--;)
		if (!strcmp(readings->items[i].path, path))
			return &readings->items[i];
	return NULL;
}

static struct reading *readings_get(struct readings *readings, const char *path)
{
	struct reading *reading = readings_find(readings, path);

	if (reading)
		return reading;
	readings->items = memory_room(readings->items, readings->n, &readings->capacity,
				      sizeof(*readings->items));
	reading = &readings->items[readings->n++];
	*reading = (struct reading){ .path = memory_copy(path) };
	return reading;
}

static void begin(struct reading *reading)
{
	if (reading->ended && !reading->error) {
		free(reading->whole);
		reading->has_whole = true;
		reading->whole = reading->data;
		reading->whole_size = reading->size;
		reading->data = NULL;
		reading->capacity = 0;
	}
	reading->size = 0;
	reading->ended = false;
	reading->error = 0;
}

static void append(struct reading *reading, const char *data, size_t size)
{
	if (reading->capacity - reading->size < size) {
		reading->capacity = (reading->size + size) * 2;
		reading->data = memory_resized(reading->data, reading->capacity, 1);
	}
	memcpy(reading->data + reading->size, data, size);
	reading->size += size;
}

static void take(struct reading *reading, const struct thpstat_file_piece *piece)
{
	if (!piece->offset)
		begin(reading);
	if (piece->error)
		reading->error = piece->error;
	else if (piece->size)
		append(reading, piece->data, piece->size);
	else
		reading->ended = true;
}

/* The process of "proc/12/status" and of "proc/12", and what follows its number; 0 for none. */
static int pid_of(const char *path, const char **rest)
{
	char *end;
	long pid;

	if (strncmp(path, "proc/", 5) || path[5] < '1' || path[5] > '9')
		return 0;
	pid = strtol(path + 5, &end, 10);
	if ((*end && *end != '/') || pid > INT_MAX)
		return 0;
	*rest = end;
	return (int)pid;
}

/* Where a reading goes. NULL for what is no part of the capture. */
static struct reading *find_place(struct capture *capture, const char *path)
{
	const char *rest;
	int pid = pid_of(path, &rest);
	char *of_self;
	struct reading *reading;

	if (pid == 1 && !strcmp(rest, "/mountinfo") && capture->self_lacks_mounts)
		return readings_get(&capture->host, "proc/self/mountinfo");
	if (!pid)
		return readings_get(&capture->host, path);
	if (capture->stage == CAPTURE_SEARCH)
		return NULL;
	/* another process begins; if nobody asked to write the one before, it has gone */
	if (capture->stage == CAPTURE_PROCESSES && !*rest) {
		readings_clear(&capture->process);
		capture->pid = pid;
	}
	if (capture->stage == CAPTURE_PROCESSES && pid == capture->pid)
		return readings_get(&capture->process, path);
	of_self = memory_format("proc/self%s", rest);
	reading = readings_get(&capture->host, of_self);
	free(of_self);
	return reading;
}

void capture_take(void *userdata, const struct thpstat_file_piece *piece)
{
	struct capture *capture = userdata;
	size_t length = strlen(piece->path);
	bool is_directory = length && piece->path[length - 1] == '/';
	struct reading *reading;
	char *path;

	/* errors.tsv of a tree is made anew */
	if (capture->error || (strncmp(piece->path, "proc/", 5) && strncmp(piece->path, "sys/", 4)))
		return;
	path = memory_format("%.*s", (int)(length - is_directory), piece->path);
	reading = find_place(capture, path);
	if (!strcmp(path, "proc/self/mountinfo"))
		capture->self_lacks_mounts = piece->error;
	else if (strcmp(path, "proc/1/mountinfo"))
		capture->self_lacks_mounts = false;
	if (reading) {
		reading->is_directory |= is_directory;
		take(reading, piece);
	}
	free(path);
}

bool capture_has_read(const struct capture *capture, const char *name)
{
	char *path = memory_format("proc/%d/%s", capture->pid, name);
	const struct reading *reading = readings_find(&capture->process, path);

	free(path);
	return reading && (reading->has_whole || (reading->ended && !reading->error));
}

static void count_left_out(struct capture *capture, int error)
{
	size_t i = 0;

	while (i < capture->n_left_out && capture->left_out[i].error != error)
		i++;
	if (i == capture->n_left_out) {
		capture->left_out = memory_room(capture->left_out, i, &capture->left_out_capacity,
						sizeof(*capture->left_out));
		capture->left_out[capture->n_left_out++] = (struct left_out){ error, 0 };
	}
	capture->left_out[i].n++;
}

/* What is not there needs no line: it is not there in the capture either. */
static void note_error(struct capture *capture, const char *path, int error)
{
	const char *name = strerrorname_np(-error);

	if (error == -ENOENT)
		return;
	count_left_out(capture, error);
	/* the file knows no way to write these */
	if (strpbrk(path, "\t\n"))
		return;
	capture->errors = memory_room(capture->errors, capture->n_errors, &capture->errors_capacity,
				      sizeof(*capture->errors));
	capture->errors[capture->n_errors++] = memory_format("%s\t%s\n", path, name ? name : "EIO");
}

static int write_file(struct capture *capture, const char *path, const char *target,
		      const char *data, size_t size)
{
	char *text = NULL;
	size_t text_size;
	int error;

	if (!capture->anonymiser)
		return capture->writer->add_file(capture->writer, target, data, size);
	if (!anonymise_file(capture->anonymiser, path, data, size, &text, &text_size)) {
		capture->n_without_rule++;
		return 0;
	}
	error = capture->writer->add_file(capture->writer, target, text, text_size);
	free(text);
	return error;
}

static int write_reading(struct capture *capture, const struct reading *reading)
{
	char *target = capture->anonymiser ? anonymise_place(capture->anonymiser, reading->path)
					   : memory_copy(reading->path);
	bool is_whole = reading->ended && !reading->error;
	int error = 0;

	if (reading->is_directory)
		error = capture->writer->add_directory(capture->writer, target);
	else if (!is_whole && reading->has_whole)
		error = write_file(capture, reading->path, target, reading->whole,
				   reading->whole_size);
	else if (reading->error)
		note_error(capture, target, reading->error);
	else
		error = write_file(capture, reading->path, target, reading->data, reading->size);
	free(target);
	return error;
}

static void write_readings(struct capture *capture, struct readings *readings)
{
	for (size_t i = 0; i < readings->n && !capture->error; i++)
		capture->error = write_reading(capture, &readings->items[i]);
	readings_clear(readings);
}

void capture_write_process(struct capture *capture)
{
	write_readings(capture, &capture->process);
}

static int compare_lines(const void *left, const void *right)
{
	const char *const *a = left, *const *b = right;

	return strcmp(*a, *b);
}

static int write_errors(struct capture *capture)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	int error;

	if (!out)
		memory_exhausted();
	if (capture->n_errors)
		qsort(capture->errors, capture->n_errors, sizeof(*capture->errors), compare_lines);
	for (size_t i = 0; i < capture->n_errors; i++)
		fputs(capture->errors[i], out);
	if (fclose(out))
		memory_exhausted();
	error = capture->writer->add_file(capture->writer, "errors.tsv", text, size);
	free(text);
	return error;
}

void capture_write_host(struct capture *capture)
{
	/* the last process, when it has gone */
	readings_clear(&capture->process);
	write_readings(capture, &capture->host);
	if (!capture->error)
		capture->error = write_errors(capture);
}

void capture_free(struct capture *capture)
{
	readings_clear(&capture->host);
	readings_clear(&capture->process);
	free(capture->host.items);
	free(capture->process.items);
	for (size_t i = 0; i < capture->n_errors; i++)
		free(capture->errors[i]);
	free(capture->errors);
	free(capture->left_out);
	anonymiser_free(capture->anonymiser);
}
