/* SPDX-License-Identifier: Apache-2.0 */
/* A report: gather, then print, as JSON alone or inside the page (report_page.c). */
#include "report_data.h"

#include "report_page.h"
#include "text_stream.h"
#include "trace_store.h"
#include "whole_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define PROGRESS_STEPS 8192

berth_status berth__report_no_memory(void)
{
	return berth_error_set(BERTH_E_NOMEM, 0, "out of memory making a report");
}

void berth__report_progress(struct berth__report *report, const char *stage, uint64_t done)
{
	const berth_report_progress progress = { stage, done, report->op_count };

	if (report->options->progress && report->steps++ % PROGRESS_STEPS == 0)
		report->options->progress(&progress, report->options->userdata);
}

static void destroy(struct berth__report *report)
{
	if (!report)
		return;
	for (size_t i = 0; i < report->group_count; i++)
		free(report->groups[i]);
	for (size_t i = 0; i < report->object_count; i++)
		free(report->objects[i].label);
	for (size_t i = 0; report->devices && i < report->options->device_count; i++) {
		free(report->devices[i].name);
		free(report->devices[i].held);
	}
	free(report->devices);
	free(report->objects);
	berth__report_map_free(&report->index);
	free(report);
}

static void cut_into_spans(struct berth__report *report)
{
	uint64_t ops = report->trace->info.op_count;

	report->op_count = ops;
	report->span_ops = ops / BERTH__REPORT_BUCKETS + (ops % BERTH__REPORT_BUCKETS > 0);
	if (report->span_ops == 0)
		report->span_ops = 1;
	report->bucket_count = (size_t)((ops + report->span_ops - 1) / report->span_ops);
	if (report->bucket_count == 0)
		report->bucket_count = 1;
}

/* Steps that are SQL alone, each within what the file's size can explain. */
static berth_status gather(struct berth__report *report)
{
	static berth_status (*const steps[])(struct berth__report * report) = {
		berth__report_find_groups,
		berth__report_find_moments,
		berth__report_find_objects,
		berth__report_find_uses,
	};
	berth_status st = BERTH_OK;

	for (size_t i = 0; st == BERTH_OK && i < sizeof(steps) / sizeof(steps[0]); i++) {
		berth__trace_bound_begin(report->trace);
		st = steps[i](report);
		berth__trace_bound_end(report->trace);
	}
	return st == BERTH_OK ? berth__report_play_devices(report) : st;
}

static berth_status create(struct berth__report **out, berth_trace *trace,
			   const berth_report_options *options)
{
	static const berth_report_options defaults = BERTH_REPORT_OPTIONS_INIT;
	struct berth__report *report;
	berth_status st;

	if (options && options->size != sizeof(*options))
		return berth_error_set(BERTH_E_INVAL, 0,
				       "berth_report_options: size is %u, not %zu",
				       (unsigned)options->size, sizeof(*options));
	report = calloc(1, sizeof(*report));
	if (!report)
		return berth__report_no_memory();
	report->trace = trace;
	report->options = options ? options : &defaults;
	cut_into_spans(report);
	if ((st = gather(report)) != BERTH_OK) {
		destroy(report);
		return st;
	}
	*out = report;
	return BERTH_OK;
}

static berth_status print_json(char **out, const struct berth__report *report)
{
	struct berth__text_stream text;
	berth_status st = berth__text_stream_begin(&text);

	if (st != BERTH_OK)
		return st;
	return berth__text_stream_end(out, &text, berth__report_print(text.stream, report));
}

berth_status berth_report_json(char **out, berth_trace *trace, const berth_report_options *options)
{
	struct berth__report *report;
	berth_status st = create(&report, trace, options);

	if (st != BERTH_OK)
		return st;
	st = print_json(out, report);
	destroy(report);
	return st;
}

/* To a file, that is whole or not there; or to standard output. */
static berth_status write_page(const char *path, const struct berth__report_page *page)
{
	struct berth__whole_file file;
	berth_status st;

	if (!path) {
		berth__report_page_print(stdout, page);
		if (fflush(stdout) != 0 || ferror(stdout))
			return berth_error_set(BERTH_E_IO, 0, "cannot write the page: %s",
					       strerror(errno));
		return BERTH_OK;
	}
	if ((st = berth__whole_file_begin(&file, path)) != BERTH_OK)
		return st;
	berth__report_page_print(file.stream, page);
	return berth__whole_file_end(&file, path);
}

static const char *title_of(const struct berth__report *report)
{
	const char *program = report->trace->info.program, *slash;

	if (report->options->title)
		return report->options->title;
	if (!program || !*program)
		return "a program";
	slash = strrchr(program, '/');
	return slash && slash[1] ? slash + 1 : program;
}

berth_status berth_report_write(const char *path, berth_trace *trace,
				const berth_report_options *options)
{
	struct berth__report_page page = { 0 };
	struct berth__report *report;
	berth_status st = create(&report, trace, options);

	if (st != BERTH_OK)
		return st;
	page.title = title_of(report);
	st = berth__report_page_nonce(page.nonce);
	if (st == BERTH_OK)
		st = print_json(&page.data, report);
	if (st == BERTH_OK && report->options->plan)
		st = berth__report_plan(&page.plan, trace, page.title);
	if (st == BERTH_OK)
		st = write_page(path, &page);
	free(page.data);
	free(page.plan);
	destroy(report);
	return st;
}
