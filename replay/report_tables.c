/* SPDX-License-Identifier: Apache-2.0 */
#include "report_tables.h"

#include "report_json.h"
#include "trace_store.h"

#include <inttypes.h>
#include <string.h>

#include <berth/findings.h>

#define LEAKED_MAX 200 /* a person reads no more; the trace has them all */
#define STACKS_MAX 2000
#define FRAMES_MAX 16
#define PLACE_BYTES 400
#define LABEL_MAX_BYTES 120

/* ---- stacks ---- */

static void put_frame(FILE *file, const berth_trace_frame *frame)
{
	char place[PLACE_BYTES];
	int at;

	if (frame->function)
		at = snprintf(place, sizeof(place), "%.200s", frame->function);
	else
		at = snprintf(place, sizeof(place), "0x%" PRIx64, frame->address);
	if (frame->file)
		snprintf(place + at, sizeof(place) - (size_t)at, " at %.150s:%" PRIu32, frame->file,
			 frame->line);
	else if (frame->module)
		snprintf(place + at, sizeof(place) - (size_t)at, " in %.150s", frame->module);
	berth__report_json_text(file, place, sizeof(place));
}

static berth_status put_stack(FILE *file, berth_trace *trace, uint64_t stack)
{
	berth_trace_frame *frames;
	uint32_t count;
	berth_status st = berth_trace_stack(&frames, &count, trace, stack);

	/* A damaged trace may name a stack that is not there. */
	if (st == BERTH_E_NOT_FOUND) {
		fputs("[]", file);
		return BERTH_OK;
	}
	if (st != BERTH_OK)
		return st;
	for (uint32_t i = 0; i < count && i < FRAMES_MAX; i++) {
		fputc(i ? ',' : '[', file);
		put_frame(file, &frames[i]);
	}
	fputc(']', file);
	berth_trace_stack_free(frames, count);
	return BERTH_OK;
}

berth_status berth__report_put_stacks(FILE *file, const struct berth__report *report)
{
	struct berth__report_map seen = { 0 };
	berth_status st = BERTH_OK;

	berth__report_json_key(file, "stacks", 0);
	fputc('{', file);
	for (size_t i = 0; st == BERTH_OK && i < report->object_count; i++) {
		uint64_t stack = report->objects[i].stack;

		if (stack == 0 || seen.count >= STACKS_MAX ||
		    berth__report_map_find(&seen, stack) != BERTH__REPORT_NO_INDEX)
			continue;
		fprintf(file, "%s\"%" PRIu64 "\":", seen.count ? ",\n" : "", stack);
		if ((st = berth__report_map_put(&seen, stack, 0)) == BERTH_OK)
			st = put_stack(file, report->trace, stack);
	}
	fputc('}', file);
	berth__report_map_free(&seen);
	return st;
}

/* ---- the summary ---- */

static void put_counts(FILE *file, const berth_summary *summary)
{
	const struct {
		const char *key;
		uint64_t number;
	} moved[] = {
		{ "written", summary->bytes_written }, { "read", summary->bytes_read },
		{ "copied", summary->bytes_copied },   { "filled", summary->bytes_filled },
		{ "mapped", summary->bytes_mapped },
	};
	bool first = true;

	berth__report_json_key(file, "counts", 0);
	fputc('{', file);
	for (size_t kind = 0; kind < BERTH_OP_KIND_END; kind++) {
		if (summary->ops[kind] == 0)
			continue;
		berth__report_json_key(file, berth_op_kind_string((berth_op_kind)kind), first);
		berth__report_json_number(file, summary->ops[kind]);
		first = false;
	}
	fputc('}', file);
	berth__report_json_key(file, "moved", 0);
	fputc('{', file);
	for (size_t i = 0; i < sizeof(moved) / sizeof(moved[0]); i++) {
		berth__report_json_key(file, moved[i].key, i == 0);
		berth__report_json_number(file, moved[i].number);
	}
	fputc('}', file);
}

static void put_leaked(FILE *file, const berth_summary *summary, uint64_t leaked_bytes)
{
	fprintf(file, ",\n\"leaked\":{\"count\":%" PRIu32 ",\"bytes\":", summary->leaked_count);
	berth__report_json_number(file, leaked_bytes);
	fputs(",\"objects\":[", file);
	for (uint32_t i = 0; i < summary->leaked_count && i < LEAKED_MAX; i++) {
		const berth_summary_object *object = &summary->leaked[i];

		fprintf(file, "%s{\"id\":", i ? ",\n" : "");
		berth__report_json_number(file, object->id);
		fprintf(file, ",\"kind\":\"%s\",\"why\":\"%s\",\"bytes\":", object->kind,
			berth_unreleased_string(object->why));
		berth__report_json_number(file, object->bytes);
		fputs(",\"created\":", file);
		berth__report_json_number(file, object->created_op);
		fputs(",\"label\":", file);
		berth__report_json_text(file, object->label, LABEL_MAX_BYTES);
		fputc('}', file);
	}
	fputs("]}", file);
}

static void put_failed(FILE *file, const berth_summary *summary)
{
	fputs(",\n\"failed\":[", file);
	for (uint32_t i = 0; i < summary->failure_count; i++) {
		const berth_summary_failure *failure = &summary->failures[i];

		fprintf(file, "%s{\"kind\":\"%s\",\"code\":\"%s\",\"count\":", i ? ",\n" : "",
			berth_op_kind_string(failure->kind),
			berth_cl_status_string(failure->cl_status));
		berth__report_json_number(file, failure->count);
		fputs(",\"first_op\":", file);
		berth__report_json_number(file, failure->first_op);
		fputc('}', file);
	}
	fputs("],\n\"untracked\":[", file);
	for (uint32_t i = 0; i < summary->untracked_count; i++) {
		fputs(i ? ",{\"name\":" : "{\"name\":", file);
		berth__report_json_text(file, summary->untracked[i].name, LABEL_MAX_BYTES);
		fputs(",\"count\":", file);
		berth__report_json_number(file, summary->untracked[i].count);
		fputc('}', file);
	}
	fputc(']', file);
}

berth_status berth__report_put_summary(FILE *file, const struct berth__report *report)
{
	berth_summary *summary;
	berth_status st = berth__trace_summarise(&summary, report->trace, false);

	if (st != BERTH_OK)
		return st;
	put_counts(file, summary);
	put_leaked(file, summary, report->leaked_bytes);
	put_failed(file, summary);
	fputs(",\n\"unanswered\":", file);
	berth__report_json_number(file, summary->unanswered);
	berth_summary_free(summary);
	return BERTH_OK;
}

/* ---- findings ---- */

static void put_finding(FILE *file, const berth_finding *finding)
{
	fputs("{\"rule\":", file);
	berth__report_json_text(file, finding->rule->id, PLACE_BYTES);
	berth__report_json_key(file, "title", 0);
	berth__report_json_text(file, finding->rule->title, PLACE_BYTES);
	berth__report_json_key(file, "advice", 0);
	berth__report_json_text(file, finding->rule->advice, PLACE_BYTES);
	berth__report_json_key(file, "text", 0);
	berth__report_json_text(file, finding->text, sizeof(finding->text));
	fprintf(file, ",\"note\":%s,\"bytes\":", finding->rule->note ? "true" : "false");
	berth__report_json_number(file, finding->bytes);
	fputs(",\"ns\":", file);
	berth__report_json_number(file, finding->time_ns);
	fputs(",\"objects\":[", file);
	for (uint32_t i = 0; i < finding->object_count; i++) {
		const berth_finding_object *object = &finding->objects[i];

		fputs(i ? ",{\"id\":" : "{\"id\":", file);
		berth__report_json_number(file, object->id);
		fputs(",\"op\":", file);
		berth__report_json_number(file, object->op);
		fputs(",\"kind\":", file);
		berth__report_json_text(file, object->kind, PLACE_BYTES);
		fputs(",\"label\":", file);
		berth__report_json_text(file, *object->label ? object->label : NULL,
					sizeof(object->label));
		fputc('}', file);
	}
	fputs("]}", file);
}

static void tell_progress(uint64_t ops, uint64_t ops_total, void *userdata)
{
	const struct berth__report *report = userdata;
	const berth_report_progress progress = { "findings", ops, ops_total };

	if (report->options->progress)
		report->options->progress(&progress, report->options->userdata);
}

berth_status berth__report_put_findings(FILE *file, const struct berth__report *report)
{
	berth_findings_options options = BERTH_FINDINGS_OPTIONS_INIT;
	berth_findings *findings;
	const berth_finding *finding;
	berth_status st;

	options.progress = tell_progress;
	options.userdata = (void *)report;
	if ((st = berth_findings_find(&findings, report->trace, &options)) != BERTH_OK)
		return st;
	fputs(",\n\"findings\":[", file);
	for (size_t i = 0; (finding = berth_findings_at(findings, i)) != NULL; i++) {
		fputs(i ? ",\n" : "", file);
		put_finding(file, finding);
	}
	fputc(']', file);
	berth_findings_free(findings);
	return BERTH_OK;
}
