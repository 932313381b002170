/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory snapshots of PyTorch (torch.cuda.memory._dump_snapshot): a dict with `device_traces`, a
 * list of events for each device, and `segments`, what there was at the end. The history is a
 * ring, and begins late: what is freed or there at the end without having been allocated in it
 * was there before, and comes first in the trace.
 */
#include "import_pytorch.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Seconds since 1970 that a clock of the machine shows, and no count of its uptime. */
#define DATED_US UINT64_C(1000000000000000)

berth_status berth__torch_bad(const struct berth__torch *torch, const struct berth__torch_at *at,
			      const char *format, ...)
{
	char reason[200];
	va_list args;

	va_start(args, format);
	vsnprintf(reason, sizeof(reason), format, args);
	va_end(args);
	return berth_error_set(BERTH_E_FORMAT, 0, "%s: %s[%" PRIu32 "][%" PRIu32 "]: %s",
			       torch->import->path, at->list, at->outer, at->inner, reason);
}

berth_status berth__torch_number(uint64_t *out, const struct berth__torch *torch,
				 const struct berth__torch_at *at, berth__pickle_value dict,
				 const char *key)
{
	berth__pickle_value value;

	if (!berth__pickle_find(&value, torch->pickle, dict, key))
		return berth__torch_bad(torch, at, "there is no '%s'", key);
	if (!berth__pickle_number(out, torch->pickle, value))
		return berth__torch_bad(torch, at, "'%s' is not a number from 0 of 64 bits", key);
	return BERTH_OK;
}

/* ---- where it was allocated: the innermost frame of Python's as the object's label ---- */

static const char *text_of(const struct berth__torch *torch, berth__pickle_value dict,
			   const char *key)
{
	berth__pickle_value value;

	return berth__pickle_find(&value, torch->pickle, dict, key)
		       ? berth__pickle_text(torch->pickle, value)
		       : NULL;
}

static bool is_python(const char *file)
{
	size_t bytes = file ? strlen(file) : 0;

	return bytes > 3 && strcmp(file + bytes - 3, ".py") == 0;
}

/* Frames that are looked at: further out is no help. */
#define FRAMES_MAX 64

static bool describe(char *text, size_t bytes, const struct berth__torch *torch,
		     berth__pickle_value entry)
{
	berth__pickle_value frames, frame, line;
	const char *file, *base;
	uint64_t number = 0;

	if (!berth__pickle_find(&frames, torch->pickle, entry, "frames"))
		return false;
	for (uint32_t i = 0; i < berth__pickle_count(torch->pickle, frames) && i < FRAMES_MAX; i++) {
		frame = berth__pickle_item(torch->pickle, frames, i);
		file = text_of(torch, frame, "filename");
		if (!is_python(file))
			continue;
		if (berth__pickle_find(&line, torch->pickle, frame, "line"))
			(void)!berth__pickle_number(&number, torch->pickle, line);
		base = strrchr(file, '/');
		file = base ? base + 1 : file;
		base = text_of(torch, frame, "name");
		snprintf(text, bytes, "%.80s (%.80s:%" PRIu64 ")", base ? base : "?", file, number);
		return true;
	}
	return false;
}

berth_status berth__torch_create(struct berth__torch *torch, struct berth__id_map *live,
				 const struct berth__import_place *place, berth__pickle_value entry,
				 struct berth__id_entry made)
{
	struct berth__import_sink *sink = &torch->import->sink;
	char label[200];
	berth_status st;

	if (made.bytes == 0) {
		sink->result.empty++;
		return BERTH_OK;
	}
	st = berth__import_create(&made.id, sink, place, made.bytes);
	if (st == BERTH_OK && describe(label, sizeof(label), torch, entry))
		st = berth__import_label(sink, place, made.id, label);
	return st == BERTH_OK ? berth__id_map_add(live, &made) : st;
}

/* ---- the file ---- */

/* A list in the root; none is an empty one. */
static berth_status find_list(berth__pickle_value *out, bool *found, struct berth__torch *torch,
			      const char *key)
{
	berth__pickle_value root = berth__pickle_root(torch->pickle);
	enum berth__pickle_type type;

	*found = berth__pickle_find(out, torch->pickle, root, key);
	if (!*found)
		return BERTH_OK;
	type = berth__pickle_type_of(torch->pickle, *out);
	if (type == BERTH__PICKLE_LIST)
		return BERTH_OK;
	return berth_error_set(BERTH_E_FORMAT, 0, "%s: '%s' is %s, not a list", torch->import->path,
			       key, berth__pickle_type_string(type));
}

static berth_status find_lists(struct berth__torch *torch)
{
	bool has_traces, has_segments;
	berth__pickle_value traces = 0;
	berth_status st;

	if (berth__pickle_type_of(torch->pickle, berth__pickle_root(torch->pickle)) !=
	    BERTH__PICKLE_DICT)
		return berth_error_set(BERTH_E_FORMAT, 0,
				       "%s: a pickle, but no memory snapshot: it holds %s, not a dict",
				       torch->import->path,
				       berth__pickle_type_string(berth__pickle_type_of(
					       torch->pickle, berth__pickle_root(torch->pickle))));
	if ((st = find_list(&traces, &has_traces, torch, "device_traces")) != BERTH_OK ||
	    (st = find_list(&torch->segments, &has_segments, torch, "segments")) != BERTH_OK)
		return st;
	if (!has_traces && !has_segments)
		return berth_error_set(BERTH_E_FORMAT, 0,
				       "%s: a pickle, but no memory snapshot: the dict has neither "
				       "'device_traces' nor 'segments'",
				       torch->import->path);
	torch->segment_count = has_segments ? berth__pickle_count(torch->pickle, torch->segments) : 0;
	torch->device_count = has_traces ? berth__pickle_count(torch->pickle, traces) : 0;
	if (torch->device_count > BERTH__TORCH_DEVICES_MAX)
		return berth_error_set(BERTH_E_LIMIT, 0, "%s: %" PRIu32 " devices; at most %u are read",
				       torch->import->path, torch->device_count, BERTH__TORCH_DEVICES_MAX);
	/* A device without history may have segments. */
	torch->devices = calloc(BERTH__TORCH_DEVICES_MAX, sizeof(*torch->devices));
	if (!torch->devices)
		return berth_error_set(BERTH_E_NOMEM, 0, "no memory for a snapshot's devices");
	for (uint32_t i = 0; i < torch->device_count; i++) {
		torch->devices[i].entries = berth__pickle_item(torch->pickle, traces, i);
		if (berth__pickle_type_of(torch->pickle, torch->devices[i].entries) !=
		    BERTH__PICKLE_LIST)
			return berth_error_set(
				BERTH_E_FORMAT, 0, "%s: 'device_traces'[%" PRIu32 "] is %s, not a list",
				torch->import->path, i,
				berth__pickle_type_string(berth__pickle_type_of(
					torch->pickle, torch->devices[i].entries)));
		torch->devices[i].count =
			berth__pickle_count(torch->pickle, torch->devices[i].entries);
	}
	return BERTH_OK;
}

berth_status berth__torch_check_work(const struct berth__torch *torch)
{
	if (!berth__pickle_is_worn_out(torch->pickle))
		return BERTH_OK;
	return berth_error_set(BERTH_E_LIMIT, 0,
			       "%s: the same parts stand in it again and again: far more to look at "
			       "than the file holds",
			       torch->import->path);
}

/* ---- events, of all devices in the order of time ---- */

/* Its time in microseconds; false: it says none. */
static bool time_of(uint64_t *us, const struct berth__torch *torch, berth__pickle_value entry)
{
	berth__pickle_value value;

	return berth__pickle_find(&value, torch->pickle, entry, "time_us") &&
	       berth__pickle_number(us, torch->pickle, value);
}

/* What is next of a device. */
static void look_ahead(struct berth__torch *torch, struct berth__torch_device *device)
{
	if (device->next == device->count)
		return;
	if (!time_of(&device->next_us, torch,
		     berth__pickle_item(torch->pickle, device->entries, device->next)))
		device->next_us = torch->first_us;
}

static struct berth__torch_device *earliest(struct berth__torch *torch)
{
	struct berth__torch_device *best = NULL;

	for (uint32_t i = 0; i < torch->device_count; i++) {
		struct berth__torch_device *device = &torch->devices[i];

		if (device->next < device->count && (!best || device->next_us < best->next_us))
			best = device;
	}
	return best;
}

static void find_first_time(struct berth__torch *torch)
{
	bool found = false;

	for (uint32_t i = 0; i < torch->device_count; i++) {
		uint64_t us;

		if (torch->devices[i].count == 0 ||
		    !time_of(&us, torch, berth__pickle_item(torch->pickle, torch->devices[i].entries,
							    0)))
			continue;
		if (!found || us < torch->first_us)
			torch->first_us = us;
		found = true;
	}
	torch->timed = found;
	if (torch->first_us >= DATED_US && torch->first_us < UINT64_MAX / 1000)
		torch->import->started_ns = torch->first_us * 1000;
}

static berth_status put_all(struct berth__torch *torch)
{
	struct berth__torch_device *device;
	uint64_t t_ns = 0, done = 0;
	berth_status st = BERTH_OK;

	find_first_time(torch);
	for (uint32_t i = 0; i < torch->device_count; i++)
		look_ahead(torch, &torch->devices[i]);
	while (st == BERTH_OK && (device = earliest(torch))) {
		uint64_t us = device->next_us > torch->first_us ? device->next_us - torch->first_us : 0;
		uint64_t ns = us < UINT64_MAX / 1000 ? us * 1000 : UINT64_MAX;

		/* Without times, a microsecond each. */
		t_ns = !torch->timed ? t_ns + 1000 : ns > t_ns ? ns : t_ns;
		st = berth__torch_put(torch, (uint32_t)(device - torch->devices), device->next++, t_ns);
		look_ahead(torch, device);
		if (torch->import->options->progress && ++done % 4096 == 0)
			torch->import->options->progress(torch->import->bytes, torch->import->bytes,
							 torch->import->options->userdata);
	}
	return st;
}

static berth_status read_snapshot(struct berth__torch *torch)
{
	berth_status st = berth__pickle_load(&torch->pickle, torch->import->path);

	if (st != BERTH_OK || (st = find_lists(torch)) != BERTH_OK ||
	    (st = berth__torch_put_before(torch)) != BERTH_OK)
		return st;
	torch->import->sink.result.before = torch->import->sink.result.ops;
	return put_all(torch);
}

berth_status berth__import_pytorch(struct berth__import *import)
{
	struct berth__torch torch = { .import = import };
	berth_status st = read_snapshot(&torch);

	/* The program went on when it was taken. */
	import->end = "cut";
	for (uint32_t i = 0; torch.devices && i < BERTH__TORCH_DEVICES_MAX; i++)
		berth__id_map_free(&torch.devices[i].live);
	free(torch.devices);
	berth__pickle_free(torch.pickle);
	return st;
}
