/* SPDX-License-Identifier: Apache-2.0 */
/* Dumps of clinfo: where in the text which device is. */
#include "clinfo_file.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Far more than one machine has. */
#define DEVICES_MAX 1024

struct finder {
	struct berth__clinfo_dump *dump;
	const char *file;
	struct berth__clinfo_device *device; /* that items belong to; NULL: to none */
	bool is_skipping;		     /* devices that are repeated */
	uint32_t line;
};

void berth__clinfo_note(char *text, size_t room, uint32_t *count, const char *format, ...)
{
	size_t used = strlen(text);
	va_list arguments;
	int bytes;

	va_start(arguments, format);
	bytes = vsnprintf(text + used, room - used, format, arguments);
	va_end(arguments);
	(*count)++;
	if (bytes < 0 || (size_t)bytes + 1 >= room - used) {
		text[used] = '\0';
		return;
	}
	text[used + (size_t)bytes] = '\n';
	text[used + (size_t)bytes + 1] = '\0';
}

static berth_status begin_device(struct finder *finder)
{
	struct berth__clinfo_dump *dump = finder->dump;
	struct berth__clinfo_device *devices;

	if (dump->count == DEVICES_MAX)
		return berth_error_set(BERTH_E_FORMAT, 0, "%s:%u: more than %d devices",
				       finder->file, finder->line, DEVICES_MAX);
	devices = reallocarray(dump->devices, dump->count + 1, sizeof(*devices));
	if (!devices)
		return berth_error_set(BERTH_E_NOMEM, 0, "no memory to read '%s'", finder->file);
	dump->devices = devices;
	finder->device = &devices[dump->count++];
	memset(finder->device, 0, sizeof(*finder->device));
	finder->device->first_line = finder->device->last_line = finder->line;
	return BERTH_OK;
}

static bool has(const struct berth__clinfo_device *device, enum berth__clinfo_field field)
{
	return device->values[field].line != 0;
}

/*
 * Whether an item belongs to the next device. Where a device begins with its name, that
 * tells; where the name may come last, the first thing that is there already does.
 */
static bool begins_device(const struct finder *finder, const struct berth__clinfo_label *label)
{
	const struct berth__clinfo_device *device = finder->device;

	if (!device)
		return !(label->how & LABEL_COLON) && label->kind != CLINFO_LIST;
	if (label->how & LABEL_FIRST)
		return true;
	if (label->field == CLINFO_NAME)
		return has(device, CLINFO_NAME);
	return !device->begins_with_name && label->kind != CLINFO_LIST && has(device, label->field);
}

static void note_nonsense(struct finder *finder, const struct berth__clinfo_label *label,
			  const char *text)
{
	berth__clinfo_note(finder->device->problems, sizeof(finder->device->problems),
			   &finder->device->problem_count, "line %u: '%s' is not readable: '%.40s'",
			   finder->line, label->text, text);
}

static void set_value(struct finder *finder, const struct berth__clinfo_label *label,
		      enum berth__clinfo_field field, uint64_t number, const char *text)
{
	struct berth__clinfo_value *value = &finder->device->values[field];

	if (value->line == 0) {
		value->line = finder->line;
		value->number = number;
		snprintf(value->text, sizeof(value->text), "%s", text);
	} else if (label->kind == CLINFO_LIST) {
		value->number |= number;
	} else if (label->kind == CLINFO_TEXT ? strncmp(value->text, text, sizeof(value->text) - 1)
					      : value->number != number) {
		berth__clinfo_note(
			finder->device->problems, sizeof(finder->device->problems),
			&finder->device->problem_count,
			"line %u: '%s' is '%.40s', which contradicts line %u; that counts",
			finder->line, label->text, text, value->line);
	}
}

/* How many fields a label may fill. */
static uint32_t numbers_of(enum berth__clinfo_field field)
{
	if (field == CLINFO_3D_WIDTH)
		return 3;
	return field == CLINFO_2D_WIDTH ? 2 : 1;
}

static berth_status take_item(struct finder *finder, const struct berth__clinfo_item *item,
			      const char *text)
{
	const struct berth__clinfo_label *label = item->label;
	uint64_t numbers[3] = { 0 };
	uint32_t count;
	enum berth__clinfo_reading reading =
		berth__clinfo_read_value(numbers, &count, label->kind, text);
	berth_status st;

	/* Behind other words and without a value of its kind, it is no label. */
	if (reading == CLINFO_NONSENSE && !item->is_first)
		return BERTH_OK;
	if (begins_device(finder, label)) {
		st = begin_device(finder);
		if (st != BERTH_OK)
			return st;
		finder->device->begins_with_name = label->field == CLINFO_NAME;
	}
	if (!finder->device)
		return BERTH_OK;
	finder->device->last_line = finder->line;
	if (reading == CLINFO_NONSENSE)
		note_nonsense(finder, label, text);
	if (reading == CLINFO_READ)
		for (uint32_t i = 0; i < count && i < numbers_of(label->field); i++)
			set_value(finder, label, (enum berth__clinfo_field)(label->field + i),
				  numbers[i], text);
	return BERTH_OK;
}

/* AMD's clinfo begins a device with its type. */
static void take_type(struct finder *finder)
{
	if (finder->device && !finder->device->begins_with_name &&
	    (has(finder->device, CLINFO_GLOBAL_MEM) || has(finder->device, CLINFO_MAX_ALLOC)))
		finder->device = NULL;
}

static berth_status take_any_item(struct finder *finder, const struct berth__clinfo_item *item)
{
	char *text;
	berth_status st = BERTH_OK;

	if (finder->is_skipping && item->label->field != CLINFO_DUMP)
		return BERTH_OK;
	if (item->label->field < CLINFO_FIELD_COUNT) {
		text = strndup(item->value, item->length);
		if (!text)
			return berth_error_set(BERTH_E_NOMEM, 0, "no memory to read '%s'",
					       finder->file);
		st = take_item(finder, item, text);
		free(text);
		return st;
	}
	if (item->label->field == CLINFO_DEVICE_TYPE)
		take_type(finder);
	else if (item->label->field != CLINFO_OTHER)
		finder->device = NULL;
	finder->is_skipping = item->label->field == CLINFO_END ||
			      (finder->is_skipping && item->label->field != CLINFO_DUMP);
	return st;
}

/* Blanks single, none at the ends; control characters are blanks. */
static void collapse(char *line)
{
	char *to = line;

	for (const char *from = line; *from; from++) {
		bool is_blank = (unsigned char)*from <= ' ' || *from == 0x7f;

		if (!is_blank)
			*to++ = *from;
		else if (to > line && to[-1] != ' ')
			*to++ = ' ';
	}
	if (to > line && to[-1] == ' ')
		to--;
	*to = '\0';
}

/* Behind what is put before lines: a byte order mark, quotes, clinfo --raw's "[ICD/0]". */
static char *behind_prefixes(char *line)
{
	if (strncmp(line, "\xef\xbb\xbf", 3) == 0)
		line += 3;
	while (*line == '>' || *line == '|' || *line == ' ')
		line++;
	if (*line == '[') {
		char *end = strchr(line, ']');

		if (end && strncmp(end, "] CL_", 5) == 0)
			line = end + 2;
	}
	return line;
}

static berth_status take_line(struct finder *finder, char *line)
{
	struct berth__clinfo_item item = { .is_first = true };
	berth_status st = BERTH_OK;

	collapse(line);
	line = behind_prefixes(line);
	/* A list of extensions that goes on. */
	if (finder->device && !finder->is_skipping && strncmp(line, "cl_", 3) == 0)
		finder->device->values[CLINFO_EXTENSIONS].number |=
			strstr(line, "cl_khr_image2d_from_buffer") != NULL;
	while (st == BERTH_OK && berth__clinfo_next_item(&item, &line)) {
		st = take_any_item(finder, &item);
		item.is_first = false;
	}
	return st;
}

berth_status berth__clinfo_find_devices(struct berth__clinfo_dump *out, const char *file,
					char *text, size_t bytes)
{
	struct finder finder = { .dump = out, .file = file };
	char *end = text + bytes;
	berth_status st = BERTH_OK;

	memset(out, 0, sizeof(*out));
	while (st == BERTH_OK && text < end) {
		char *line = text;
		char *newline = memchr(text, '\n', (size_t)(end - text));

		out->lines = ++finder.line;
		text = newline ? newline + 1 : end;
		if (newline)
			*newline = '\0';
		if (strlen(line) != (size_t)((newline ? newline : end) - line))
			return berth_error_set(BERTH_E_FORMAT, 0,
					       "%s:%u: a zero byte: this is no text, or UTF-16, "
					       "which is to be converted to UTF-8",
					       file, finder.line);
		st = take_line(&finder, line);
	}
	return st;
}
