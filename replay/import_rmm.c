/* SPDX-License-Identifier: Apache-2.0 */
/* Logs of RMM's logging_resource_adaptor: addresses, which are used again and again, become ids. */
#include "import.h"

#include "csv_rows.h"
#include "id_map.h"
#include "import_clock.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { THREAD, TIME, ACTION, POINTER, SIZE, COLUMN_COUNT };

static const struct berth__csv_column columns[COLUMN_COUNT] = {
	[THREAD] = { "Thread", false }, [TIME] = { "Time", true },
	[ACTION] = { "Action", true },	[POINTER] = { "Pointer", true },
	[SIZE] = { "Size", true },
};

/* One row, its numbers read. */
struct entry {
	struct berth__import_place place;
	uint64_t address; /* 0: nil */
	uint64_t bytes;
	uint64_t line;
};

struct log {
	struct berth__import *import;
	const struct berth__plan_text *text;
	struct berth__import_clock clock;
	struct berth__id_map live;    /* by address; berth__id_entry.bytes: of the allocation */
	struct berth__id_map threads; /* that are no numbers of 32 bits */
};

static berth_status allocate(struct log *log, const struct entry *entry)
{
	const struct berth__id_entry *there = berth__id_map_find(&log->live, entry->address);
	struct berth__id_entry made = { entry->address, 0, entry->bytes };
	berth_status st;

	if (entry->bytes == 0) {
		log->import->sink.result.empty++;
		return BERTH_OK;
	}
	if (entry->address == 0)
		return berth__plan_text_error(log->text, entry->line,
					      "%" PRIu64 " bytes are allocated at no address",
					      entry->bytes);
	if (there)
		return berth__plan_text_error(log->text, entry->line,
					      "0x%" PRIx64 " is allocated, and is already: %" PRIu64
					      " bytes, which nothing freed",
					      entry->address, there->bytes);
	st = berth__import_create(&made.id, &log->import->sink, &entry->place, entry->bytes);
	return st == BERTH_OK ? berth__id_map_add(&log->live, &made) : st;
}

static berth_status deallocate(struct log *log, const struct entry *entry)
{
	struct berth__id_entry *there = berth__id_map_find(&log->live, entry->address);
	berth_status st;

	if (entry->bytes == 0) {
		log->import->sink.result.empty++;
		return BERTH_OK;
	}
	if (!there)
		return berth__plan_text_error(log->text, entry->line,
					      "0x%" PRIx64 " is freed, and is not allocated",
					      entry->address);
	if (there->bytes != entry->bytes)
		return berth__plan_text_error(log->text, entry->line,
					      "0x%" PRIx64 " is freed with %" PRIu64
					      " bytes, and was allocated with %" PRIu64,
					      entry->address, entry->bytes, there->bytes);
	st = berth__import_release(&log->import->sink, &entry->place, there->id);
	if (st == BERTH_OK)
		berth__id_map_remove(&log->live, there);
	return st;
}

static berth_status fail(struct log *log, const struct entry *entry)
{
	return berth__import_failure(&log->import->sink, &entry->place, entry->bytes);
}

/* "deallocate" is what RMM's documentation calls it. */
static const struct action {
	const char *name;
	berth_status (*take)(struct log *log, const struct entry *entry);
} actions[] = {
	{ "allocate", allocate },
	{ "free", deallocate },
	{ "deallocate", deallocate },
	{ "allocate failure", fail },
};

static const struct action *find_action(const char *name)
{
	for (size_t i = 0; i < sizeof(actions) / sizeof(actions[0]); i++)
		if (strcmp(actions[i].name, name) == 0)
			return &actions[i];
	return NULL;
}

/* As printf("%p") writes it: "0x7f00", "(nil)". */
static bool parse_address(uint64_t *out, const char *text)
{
	char *end;

	*out = 0;
	if (strcmp(text, "(nil)") == 0 || strcmp(text, "0") == 0 || strcmp(text, "nullptr") == 0)
		return true;
	if (strncmp(text, "0x", 2) != 0 || !strchr("0123456789abcdefABCDEF", text[2]) || !text[2])
		return false;
	errno = 0;
	*out = strtoull(text + 2, &end, 16);
	return !*end && errno != ERANGE;
}

/* Threads are the system's numbers, or addresses, which are given numbers from 1. */
static berth_status find_thread(uint32_t *out, struct log *log, const char *text, uint64_t line)
{
	struct berth__id_entry *there, entry = { .id = log->threads.count + 1 };

	*out = 0;
	if (!text || !*text)
		return BERTH_OK;
	if (!berth__plan_parse_number(&entry.key, text) && !parse_address(&entry.key, text))
		return berth__plan_text_error(log->text, line, "Thread '%.64s' is not a number", text);
	if (entry.key <= UINT32_MAX) {
		*out = (uint32_t)entry.key;
		return BERTH_OK;
	}
	there = berth__id_map_find(&log->threads, entry.key);
	*out = (uint32_t)(there ? there->id : entry.id);
	return there ? BERTH_OK : berth__id_map_add(&log->threads, &entry);
}

static berth_status take_row(const char *const *values, uint64_t line, void *userdata)
{
	struct log *log = userdata;
	const struct action *action = find_action(values[ACTION]);
	struct entry entry = { .place.context = 1, .line = line };
	berth_status st = find_thread(&entry.place.thread, log, values[THREAD], line);

	berth__import_progress(log->import, line, log->text->file);
	if (st != BERTH_OK)
		return st;
	if (!action)
		return berth__plan_text_error(log->text, line,
					      "Action '%.64s' is not allocate, free or allocate "
					      "failure",
					      values[ACTION]);
	if (!berth__import_clock_take(&entry.place.t_ns, &log->clock, values[TIME]))
		return berth__plan_text_error(log->text, line, "Time '%.64s' is not as %s",
					      values[TIME],
					      log->clock.begun && log->clock.dated ? "1634567890.123456"
										   : "23:59:59.123456");
	if (!parse_address(&entry.address, values[POINTER]))
		return berth__plan_text_error(log->text, line, "Pointer '%.64s' is not an address",
					      values[POINTER]);
	if (!berth__plan_parse_number(&entry.bytes, values[SIZE]))
		return berth__plan_text_error(log->text, line,
					      "Size '%.64s' is not a number of 64 bits", values[SIZE]);
	return action->take(log, &entry);
}

berth_status berth__import_rmm(struct berth__import *import)
{
	struct berth__plan_text text;
	struct log log = { .import = import, .text = &text };
	berth_status st = berth__plan_text_open(&text, import->path);

	if (st != BERTH_OK)
		return st;
	st = berth__csv_read(&text, columns, COLUMN_COUNT, take_row, &log);
	if (log.clock.dated)
		import->started_ns = log.clock.first_ns;
	berth__id_map_free(&log.live);
	berth__id_map_free(&log.threads);
	berth__plan_text_close(&text);
	return st;
}
