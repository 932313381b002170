/* SPDX-License-Identifier: Apache-2.0 */
/* What `berth plan` prints. */
#ifndef BERTH_TOOL_PLAN_REPORT_H
#define BERTH_TOOL_PLAN_REPORT_H

#include <berth/plan_input.h>
#include <berth/token_plan.h>

/* A model and what came of it. */
struct plan_result {
	const berth_plan_model *model;
	berth_plan *plan;
	berth_token_plan *tokens; /* NULL: not possible for this model */
};

struct plan_report {
	const char *path;
	const char *device; /* planned for; NULL: none was named */
	const berth_plan_source *source;
	const struct plan_result *results;
	size_t result_count;
};

/* Words for people and scripts, by berth_plan_source_kind and berth_plan_stop. */
extern const char *const plan_source_names[];
extern const char *const plan_stop_names[];

/* Requests of a kind. */
uint64_t plan_report_count(const berth_plan_model *model, berth_plan_item_kind kind);

/* One model at length, several as a table. */
void plan_report_print(const struct plan_report *report);

/* BERTH_OK or BERTH_E_NOMEM. */
berth_status plan_report_print_json(const struct plan_report *report);

#endif
