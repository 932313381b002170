/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Feeds damaged traces to everything that reads a trace. Without arguments: copies
 * of a valid one, damaged in ways that are the same each time; else the files named.
 */
#include "mutate.h"

#include "scratch.h"
#include "trace_fixture.h"

#include <berth/findings.h>
#include <berth/plan_input.h>
#include <berth/report.h>
#include <berth/residency_report.h>

#include <stdio.h>
#include <stdlib.h>

#include <CL/cl.h>

static const berth_object_use uses[] = { { 1, 0, 1 }, { 2, 1, 0 } };

/* clang-format off */
#define OP(...) { .row = { .answered = true, .op = { __VA_ARGS__ } } }
/* clang-format on */

/* A row in every table. */
static const struct fixture_op ops[] = {
	OP(BERTH_OP_BUFFER_CREATE, .object = 1, .bytes = 4096),
	OP(BERTH_OP_IMAGE_CREATE, .object = 2, .other = 1,
	   .image = { CL_MEM_OBJECT_IMAGE2D, CL_RGBA, CL_UNORM_INT8, .width = 8, .height = 4 }),
	OP(BERTH_OP_WRITE, BERTH_FORM_LINEAR, .object = 1, .bytes = 16),
	{ .row = { .answered = true,
		   .has_digest = true,
		   .op = { BERTH_OP_WRITE, BERTH_FORM_LINEAR, .object = 1, .bytes = 16 } } },
	OP(BERTH_OP_READ, BERTH_FORM_LINEAR, .object = 1, .bytes = 8),
	OP(BERTH_OP_READ, BERTH_FORM_IMAGE, .object = 2, .region = { .extent = { 8, 4, 1 } }),
	OP(BERTH_OP_MAP, BERTH_FORM_LINEAR, .object = 1, .mapping = 1, .bytes = 64),
	{ .row = { .answered = true, .op = { BERTH_OP_USE, .uses = uses, .use_count = 2 } },
	  .name_id = 1 },
	{ .row = { .answered = true, .op = { BERTH_OP_LABEL, .object = 1 } }, .name_id = 2 },
	OP(BERTH_OP_RELEASE, .object = 1),
};

static void read_everything(berth_trace *trace)
{
	const berth_trace_op *row = NULL;
	berth_plan_source_options options = BERTH_PLAN_SOURCE_OPTIONS_INIT;
	berth_plan_source *source;
	berth_summary *summary = NULL;
	berth_residency *residency = NULL;
	berth_findings *findings = NULL;
	char text[160], *json = NULL;
	berth_caps caps;

	while (berth_trace_next(&row, trace) == BERTH_OK && row)
		berth_op_describe(&row->op, text, sizeof(text));
	for (uint32_t i = 0; i < 2; i++) {
		if (berth_trace_device(&caps, trace, i) != BERTH_OK)
			break;
	}
	if (berth_trace_summarise(&summary, trace) == BERTH_OK)
		berth_summary_free(summary);
	if (berth_trace_summary_json(&json, trace) == BERTH_OK)
		free(json);
	if (berth_residency_report(&residency, trace) == BERTH_OK)
		berth_residency_free(residency);
	if (berth_findings_find(&findings, trace, NULL) == BERTH_OK)
		berth_findings_free(findings);
	if (berth_report_json(&json, trace, NULL) == BERTH_OK)
		free(json);
	for (int by_use = 0; by_use < 2; by_use++) {
		options.by_use = by_use;
		if (berth_plan_source_from_trace(&source, trace, &options) == BERTH_OK)
			berth_plan_source_destroy(source);
	}
}

static void input(const unsigned char *content, size_t bytes)
{
	const char *path = scratch_path("input.db");
	berth_trace *trace;

	file_write(path, content, bytes);
	if (berth_trace_open(&trace, path) != BERTH_OK)
		return;
	read_everything(trace);
	berth_trace_close(trace);
}

int main(int argc, char **argv)
{
	/* SQLite's header is 100 bytes, its pages begin with theirs. */
	const struct fuzz_plan plan = { 0, 100, 4096, 1000 };
	unsigned char *content;
	size_t bytes;

	scratch_make();
	if (argc > 1) {
		fuzz_files(argv + 1, argc - 1, input);
	} else {
		trace_fixture_write(scratch_path("valid.db"), ops, sizeof(ops) / sizeof(ops[0]));
		content = file_read(scratch_path("valid.db"), &bytes);
		fuzz_mutations(content, bytes, &plan, input);
		free(content);
	}
	scratch_remove();
	return 0;
}
