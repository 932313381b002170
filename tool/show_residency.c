/* SPDX-License-Identifier: Apache-2.0 */
#include "show_residency.h"

#include "cmd.h"
#include "json.h"
#include "print.h"
#include "size.h"

#include <inttypes.h>
#include <stdio.h>

#include <berth/residency_report.h>

/* A person reads this many; more of them are in the JSON. */
#define OBJECTS_SHOWN 16

static const struct {
	const char *key;  /* in the JSON */
	const char *text; /* for a person */
} classes[BERTH_RESIDENCY_CLASS_COUNT] = {
	[BERTH_RESIDENCY_WRITES] = { "needless_writes", "needless writes" },
	[BERTH_RESIDENCY_READS] = { "needless_reads", "needless reads" },
	[BERTH_RESIDENCY_PERHAPS_WRITES] = { "perhaps_needless_writes", "perhaps needless writes" },
	[BERTH_RESIDENCY_PERHAPS_READS] = { "perhaps_needless_reads", "perhaps needless reads" },
};

/* ---- for a person ---- */

static void print_sum(const char *indent, const char *name, const berth_residency_sum *sum)
{
	char bytes[SIZE_TEXT_BYTES];

	print_text(stdout, "%s%-24s %10" PRIu64 "  %s, %.3f ms\n", indent, name, sum->count,
		   size_text(bytes, sum->bytes), (double)sum->duration_ns / 1e6);
}

static void print_object(const berth_residency_object *entry)
{
	const berth_summary_object *object = &entry->object;
	char bytes[SIZE_TEXT_BYTES];

	print_text(stdout, "\nobject %" PRIu64 ", %s%s%s, %s, made by op %" PRIu64 "%s%s\n",
		   object->id, object->kind, *object->geometry ? " " : "", object->geometry,
		   size_text(bytes, object->bytes), object->created_op, object->label ? ", " : "",
		   object->label ? object->label : "");
	for (int i = 0; i < BERTH_RESIDENCY_CLASS_COUNT; i++)
		if (entry->sums[i].count > 0)
			print_sum("  ", classes[i].text, &entry->sums[i]);
	print_text(stdout, "  first at op %" PRIu64 "\n", entry->first_op);
	if (entry->turns >= BERTH_RESIDENCY_PING_PONG_TURNS)
		print_text(stdout, "  ping-pong: the same content turned round %" PRIu64 " times\n",
			   entry->turns);
}

/* What the report cannot know. */
static void print_limits(const berth_residency *report, const berth_trace_info *info)
{
	if (report->writes_without_digest > 0)
		print_text(stdout,
			   "not judged               %10" PRIu64
			   "  writes without a digest of their content\n",
			   report->writes_without_digest);
	if (info->lost_records > 0)
		print_text(stdout,
			   "lost                     %10" PRIu64 "  records, for want of room\n",
			   info->lost_records);
}

static void print_report(const berth_residency *report, const berth_trace_info *info)
{
	print_sum("", "writes", &report->writes);
	print_sum("", "reads", &report->reads);
	for (int i = 0; i < BERTH_RESIDENCY_CLASS_COUNT; i++)
		print_sum("", classes[i].text, &report->sums[i]);
	print_sum("", "saved by residency", &report->saved);
	print_text(stdout, "ping-pong                %10" PRIu64 "  objects\n",
		   report->ping_pong_count);
	print_limits(report, info);
	for (uint32_t i = 0; i < report->listed_count && i < OBJECTS_SHOWN; i++)
		print_object(&report->listed[i]);
	if (report->object_count > OBJECTS_SHOWN)
		print_text(stdout, "\nand %" PRIu64 " objects more\n",
			   report->object_count - OBJECTS_SHOWN);
}

/* ---- for a script ---- */

static void set_sum(json_builder *json, const char *parent, const char *key,
		    const berth_residency_sum *sum)
{
	const struct {
		const char *name;
		uint64_t number;
	} members[] = {
		{ "count", sum->count },
		{ "bytes", sum->bytes },
		{ "duration_ns", sum->duration_ns },
	};
	char path[80];

	snprintf(path, sizeof(path), "%s.%s", parent, key);
	json_set_object(json, path);
	for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++) {
		snprintf(path, sizeof(path), "%s.%s.%s", parent, key, members[i].name);
		json_set_number(json, path, members[i].number);
	}
}

static void add_object(json_builder *json, const berth_residency_object *entry)
{
	static const char parent[] = "$.objects[#-1]";
	const berth_summary_object *object = &entry->object;

	json_set_object(json, "$.objects[#]");
	json_set_number(json, "$.objects[#-1].id", object->id);
	json_set_text(json, "$.objects[#-1].kind", object->kind);
	json_set_number(json, "$.objects[#-1].bytes", object->bytes);
	json_set_number(json, "$.objects[#-1].created_op", object->created_op);
	json_set_text(json, "$.objects[#-1].label", object->label);
	json_set_text(json, "$.objects[#-1].geometry", *object->geometry ? object->geometry : NULL);
	for (int i = 0; i < BERTH_RESIDENCY_CLASS_COUNT; i++)
		set_sum(json, parent, classes[i].key, &entry->sums[i]);
	json_set_number(json, "$.objects[#-1].turns", entry->turns);
	json_set_number(json, "$.objects[#-1].first_op", entry->first_op);
}

static berth_status print_json(const berth_residency *report, const berth_trace_info *info)
{
	json_builder *json = json_builder_create();
	berth_status st;

	set_sum(json, "$", "writes", &report->writes);
	set_sum(json, "$", "reads", &report->reads);
	for (int i = 0; i < BERTH_RESIDENCY_CLASS_COUNT; i++)
		set_sum(json, "$", classes[i].key, &report->sums[i]);
	set_sum(json, "$", "saved", &report->saved);
	json_set_number(json, "$.writes_without_digest", report->writes_without_digest);
	json_set_number(json, "$.lost", info->lost_records);
	json_set_number(json, "$.ping_pong_count", report->ping_pong_count);
	json_set_number(json, "$.object_count", report->object_count);
	json_set_array(json, "$.objects");
	for (uint32_t i = 0; i < report->listed_count; i++)
		add_object(json, &report->listed[i]);
	st = json_print(json);
	json_builder_destroy(json);
	return st;
}

int show_residency(berth_trace *trace, const char *path, bool json)
{
	const berth_trace_info *info = berth_trace_get_info(trace);
	berth_residency *report;
	int status = CMD_EXIT_OK;

	if (berth_residency_report(&report, trace) != BERTH_OK)
		return cmd_fail_detail("cannot read", path);
	if (!json)
		print_report(report, info);
	else if (print_json(report, info) != BERTH_OK)
		status = cmd_fail_detail("cannot print the report on", path);
	berth_residency_free(report);
	return status;
}
