/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Why there is no plan, in the words of the file: the planner counts requests, a person looks
 * for an id and a line.
 */
#ifndef BERTH_TOOL_PLAN_REASON_H
#define BERTH_TOOL_PLAN_REASON_H

#include <berth/plan_input.h>

#define PLAN_REASON_BYTES 1024

/*
 * The thread's error detail, with its first words "request 3:" or "requests 3 and 1:" replaced
 * by ids and lines. Returns @text.
 */
const char *plan_reason(char text[PLAN_REASON_BYTES], const berth_plan_source *source,
			const berth_plan_model *model);

#endif
