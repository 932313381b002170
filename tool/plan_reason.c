/* SPDX-License-Identifier: Apache-2.0 */
#include "plan_reason.h"

#include <inttypes.h>
#include <stdio.h>

/* "request 'b' (line 4)" */
static int put_request(char *text, size_t bytes, const berth_plan_source *source,
		       const berth_plan_item *item)
{
	return snprintf(text, bytes, "request '%.64s' (%s %" PRIu64 ")", item->name,
			source->kind == BERTH_PLAN_SOURCE_TRACE ? "op" : "line", item->place);
}

const char *plan_reason(char text[PLAN_REASON_BYTES], const berth_plan_source *source,
			const berth_plan_model *model)
{
	const char *reason = berth_error_get()->message;
	uint32_t first, second;
	int used = 0, at = 0;

	/* %n is set only when all of the pattern is there */
	if (sscanf(reason, "request %" SCNu32 ":%n", &first, &used) == 1 && used > 0) {
		second = first;
	} else if (sscanf(reason, "requests %" SCNu32 " and %" SCNu32 ":%n", &first, &second,
			  &used) != 2 ||
		   used == 0) {
		used = 0;
		first = second = 0;
	}
	if (used > 0 && first < model->input.request_count && second < model->input.request_count) {
		at = put_request(text, PLAN_REASON_BYTES, source, &model->items[first]);
		if (second != first) {
			at += snprintf(text + at, PLAN_REASON_BYTES - (size_t)at, " and ");
			at += put_request(text + at, PLAN_REASON_BYTES - (size_t)at, source,
					  &model->items[second]);
		}
		at += snprintf(text + at, PLAN_REASON_BYTES - (size_t)at, ":");
	} else {
		used = 0;
	}
	snprintf(text + at, PLAN_REASON_BYTES - (size_t)at, "%s", reason + used);
	return text;
}
