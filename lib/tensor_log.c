/* SPDX-License-Identifier: Apache-2.0 */
/* The decision log: a line of JSON for each, told and written on the device. */
#include "tensor_internal.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#define LINE_BYTES 512

/* A device that takes no labels still works: the line was told. */
static void label(struct berth__site *site, uint64_t object, const char *line)
{
	const berth_op op = { .kind = BERTH_OP_LABEL, .object = object, .name = line };
	berth_result result;
	berth_status st = berth_pool_execute(site->pool, &op, &result);

	(void)st;
}

static void tell(struct berth__site *site, uint64_t object, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static void tell(struct berth__site *site, uint64_t object, const char *format, ...)
{
	const berth_residency_options *options = &site->residency->options;
	char line[LINE_BYTES];
	va_list args;

	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	if (options->decision)
		options->decision(line, options->userdata);
	if (options->label && object)
		label(site, object, line);
}

void berth__log_evict(struct berth__site *site, const struct berth__record *record,
		      uint64_t moved_bytes, uint64_t need_bytes, const char *reason)
{
	berth_residency *residency = site->residency;
	berth_storage_info info = { 0 };
	berth_status st = berth_storage_get_info(&info, site->pool, record->home.storage);

	(void)st; /* Without: no label. */
	tell(site, info.object,
	     "{\"seq\":%" PRIu64 ",\"action\":\"%s\",\"site\":%" PRIu32 ",\"need_bytes\":%" PRIu64
	     ",\"tensor\":%" PRIu64 ",\"bytes\":%" PRIu64 ",\"moved_bytes\":%" PRIu64
	     ",\"policy\":\"%s\",\"reason\":\"%s\",\"idle\":%" PRIu64 "}",
	     ++residency->decision, moved_bytes > 0 ? "save" : "drop", site->index, need_bytes,
	     record->serial, record->home.geometry.bytes, moved_bytes,
	     berth_evict_string(site->options.policy), reason, residency->clock - record->last_use);
}

void berth__log_refuse(struct berth__site *site, uint64_t need_bytes, uint64_t obtainable_bytes)
{
	site->stats.refused++;
	tell(site, 0,
	     "{\"seq\":%" PRIu64 ",\"action\":\"refuse\",\"site\":%" PRIu32
	     ",\"need_bytes\":%" PRIu64 ",\"obtainable_bytes\":%" PRIu64 "}",
	     ++site->residency->decision, site->index, need_bytes, obtainable_bytes);
}
