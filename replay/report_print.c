/* SPDX-License-Identifier: Apache-2.0 */
/* The data of a report as JSON (doc/report.md): what was gathered, and the trace's summary. */
#include "report_data.h"

#include "report_json.h"
#include "report_tables.h"
#include "trace_store.h"

#include <inttypes.h>
#include <stddef.h>

#define NAME_MAX_BYTES 512  /* of paths and commands */
#define LABEL_MAX_BYTES 120 /* there may be thousands */

static const char *const kinds[BERTH__REPORT_KINDS] = { "none",	 "buffer", "subbuffer",
							"image", "svm",	   "pipe" };

static void put_text(FILE *file, const char *key, const char *text)
{
	berth__report_json_key(file, key, 0);
	berth__report_json_text(file, text, NAME_MAX_BYTES);
}

static void put_number(FILE *file, const char *key, uint64_t number)
{
	berth__report_json_key(file, key, 0);
	berth__report_json_number(file, number);
}

static void put_info(FILE *file, const berth_trace_info *info)
{
	put_text(file, "program", info->program);
	put_text(file, "command", info->command);
	put_text(file, "end", info->end);
	put_text(file, "recorded_by", info->berth_version);
	put_text(file, "made_by", berth_version());
	put_number(file, "started_ms", info->started_ns / 1000000);
	put_number(file, "ops", info->op_count);
	put_number(file, "before_ops", info->before_ops);
	put_number(file, "lost", info->lost_records);
	fprintf(file, ",\n\"never_began\":%s", info->never_began ? "true" : "false");
}

static berth_status put_recorded_on(FILE *file, const struct berth__report *report)
{
	berth_status st = BERTH_OK;

	berth__report_json_key(file, "recorded_on", 0);
	fputc('[', file);
	for (uint32_t i = 0; st == BERTH_OK && i < report->trace->info.device_count; i++) {
		berth_caps caps;

		if ((st = berth_trace_device(&caps, report->trace, i)) != BERTH_OK)
			break;
		fputs(i ? ",{" : "{", file);
		berth__report_json_key(file, "name", 1);
		berth__report_json_text(file, caps.name, NAME_MAX_BYTES);
		put_text(file, "platform", caps.platform);
		put_text(file, "driver", caps.driver_version);
		put_number(file, "capacity", caps.global_mem_bytes);
		put_number(file, "max_alloc", caps.max_alloc_bytes);
		fputc('}', file);
	}
	fputc(']', file);
	return st;
}

/* ---- moments ---- */

/* A number of every bucket, the one at @offset. */
static void put_column(FILE *file, const struct berth__report *report, size_t offset)
{
	fputc('[', file);
	for (size_t i = 0; i < report->bucket_count; i++) {
		const char *bucket = (const char *)&report->buckets[i];

		if (i > 0)
			fputc(',', file);
		berth__report_json_number(file, *(const uint64_t *)(bucket + offset));
	}
	fputc(']', file);
}

static void put_columns(FILE *file, const struct berth__report *report, const char *key,
			size_t offset, size_t count)
{
	berth__report_json_key(file, key, 0);
	fputc('[', file);
	for (size_t i = 0; i < count; i++) {
		if (i > 0)
			fputc(',', file);
		put_column(file, report, offset + i * sizeof(uint64_t));
	}
	fputc(']', file);
}

static void put_moments(FILE *file, const struct berth__report *report)
{
	static const struct {
		const char *key;
		size_t offset;
	} columns[] = {
		{ "op", offsetof(struct berth__report_bucket, seq) },
		{ "ns", offsetof(struct berth__report_bucket, t_ns) },
		{ "bytes", offsetof(struct berth__report_bucket, bytes) },
		{ "requested", offsetof(struct berth__report_bucket, requested) },
		{ "alive", offsetof(struct berth__report_bucket, alive) },
	};

	put_number(file, "span_ops", report->span_ops);
	berth__report_json_key(file, "moments", 0);
	fputc('{', file);
	for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++) {
		berth__report_json_key(file, columns[i].key, i == 0);
		put_column(file, report, columns[i].offset);
	}
	put_columns(file, report, "kinds", offsetof(struct berth__report_bucket, kinds),
		    BERTH__REPORT_KINDS);
	put_columns(file, report, "groups", offsetof(struct berth__report_bucket, groups),
		    report->group_count + 1);
	fputc('}', file);
	berth__report_json_key(file, "kinds", 0);
	fputc('[', file);
	for (size_t i = 0; i < BERTH__REPORT_KINDS; i++)
		fprintf(file, "%s\"%s\"", i ? "," : "", kinds[i]);
	fputc(']', file);
	berth__report_json_key(file, "groups", 0);
	fputc('[', file);
	for (size_t i = 0; i < report->group_count; i++) {
		if (i > 0)
			fputc(',', file);
		berth__report_json_text(file, report->groups[i], LABEL_MAX_BYTES);
	}
	fputc(']', file);
}

static void put_peak(FILE *file, const struct berth__report *report)
{
	const struct berth__report_bucket *peak = &report->buckets[0];

	for (size_t i = 1; i < report->bucket_count; i++)
		if (report->buckets[i].bytes > peak->bytes)
			peak = &report->buckets[i];
	fprintf(file, ",\n\"peak\":{\"moment\":%td", peak - report->buckets);
	put_number(file, "bytes", peak->bytes);
	put_number(file, "op", peak->seq);
	put_number(file, "ns", peak->t_ns);
	put_number(file, "alive", peak->alive);
	fputc('}', file);
}

/* ---- objects ---- */

static void put_object(FILE *file, const struct berth__report_object *object)
{
	const uint64_t numbers[] = { object->bytes,    object->requested, object->created_op,
				     object->ends_op,  object->stack,	  object->first_use,
				     object->last_use, object->parts };

	fputc('[', file);
	berth__report_json_number(file, object->id);
	fprintf(file, ",%u,", object->kind);
	berth__report_json_text(file, object->label, LABEL_MAX_BYTES);
	fputc(',', file);
	berth__report_json_text(file, *object->geometry ? object->geometry : NULL,
				sizeof(object->geometry));
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		fputc(',', file);
		berth__report_json_number(file, numbers[i]);
	}
	for (size_t i = 0; i < BERTH__REPORT_MOVES; i++) {
		fputc(',', file);
		berth__report_json_number(file, object->count[i]);
		fputc(',', file);
		berth__report_json_number(file, object->bytes_moved[i]);
	}
	fputc(']', file);
}

static void put_objects(FILE *file, const struct berth__report *report)
{
	fputs(",\n\"columns\":[\"id\",\"kind\",\"label\",\"geometry\",\"bytes\",\"requested\","
	      "\"created\",\"ends\",\"stack\",\"first_use\",\"last_use\",\"parts\",",
	      file);
	fputs("\"writes\",\"written\",\"reads\",\"read\",\"copies\",\"copied\",\"fills\","
	      "\"filled\",\"maps\",\"mapped\",\"uses\",\"none\"],\n\"objects\":[",
	      file);
	for (size_t i = 0; i < report->object_count; i++) {
		fputs(i ? ",\n" : "", file);
		put_object(file, &report->objects[i]);
	}
	fputc(']', file);
}

static void put_devices(FILE *file, const struct berth__report *report)
{
	berth__report_json_key(file, "devices", 0);
	fputc('[', file);
	for (size_t i = 0; i < report->options->device_count; i++) {
		const struct berth__report_device *device = &report->devices[i];

		fputs(i ? ",{" : "{", file);
		berth__report_json_key(file, "name", 1);
		berth__report_json_text(file, device->name, NAME_MAX_BYTES);
		put_number(file, "capacity", device->capacity_bytes);
		put_number(file, "max_alloc", device->max_alloc_bytes);
		put_number(file, "refused", device->refused);
		put_number(file, "first_refused", device->first_refused);
		berth__report_json_key(file, "held", 0);
		for (size_t at = 0; device->played && at < report->bucket_count; at++) {
			fputc(at ? ',' : '[', file);
			berth__report_json_number(file, device->held[at]);
		}
		fputs(device->played ? "]}" : "null}", file);
	}
	fputc(']', file);
}

berth_status berth__report_print(FILE *file, const struct berth__report *report)
{
	berth_status st;

	fputs("{\"format\":1", file);
	put_info(file, &report->trace->info);
	if ((st = put_recorded_on(file, report)) != BERTH_OK)
		return st;
	put_peak(file, report);
	put_moments(file, report);
	put_objects(file, report);
	put_devices(file, report);
	if ((st = berth__report_put_stacks(file, report)) == BERTH_OK)
		st = berth__report_put_summary(file, report);
	if (st == BERTH_OK)
		st = berth__report_put_findings(file, report);
	if (st == BERTH_OK)
		st = berth__report_put_comparison(file, report);
	fputs("}\n", file);
	return st;
}
