/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sources of plans while they are read: the readers of each kind of file append models and
 * requests; plan_source.c opens, dispatches and frees.
 */
#ifndef BERTH_REPLAY_PLAN_SOURCE_H
#define BERTH_REPLAY_PLAN_SOURCE_H

#include "plan_text.h"

#include <berth/plan_input.h>

/*
 * Begin a model with the limits of @caps (NULL: none); requests are appended to the last. The
 * name is copied.
 */
BERTH_MUST_CHECK berth_status berth__plan_source_add_model(berth_plan_source *source,
							   const char *name,
							   const berth_caps *caps);

/*
 * Append a request to the last model; *request has the defaults, the name is copied. Both
 * pointers hold until the next call. `item` may be NULL.
 */
BERTH_MUST_CHECK berth_status berth__plan_source_add(berth_plan_source *source, const char *name,
						     berth_plan_request **request,
						     berth_plan_item **item);

/* The requests of the last model; what a reader fills in later. */
berth_plan_request *berth__plan_source_request(berth_plan_source *source, size_t index);
berth_plan_item *berth__plan_source_item(berth_plan_source *source, size_t index);

/* Requests of a model by name: indexes in the order of the names. free(). */
BERTH_MUST_CHECK berth_status berth__plan_model_sort(uint32_t **out, const berth_plan_model *model);

/* BERTH_PLAN_NO_REQUEST: no request of that name. */
uint32_t berth__plan_model_find(const berth_plan_model *model, const uint32_t *sorted,
				const char *name);

/* The smallest number that both divide; 0 counts as 1. BERTH_OK or BERTH_E_OVERFLOW. */
BERTH_MUST_CHECK berth_status berth__plan_align_join(uint64_t *align, uint64_t other);

/* The readers. They append to an empty source. */
BERTH_MUST_CHECK berth_status berth__plan_table_read(berth_plan_source *source,
						     const struct berth__plan_text *text,
						     const berth_plan_source_options *options);
BERTH_MUST_CHECK berth_status berth__plan_lists_read(berth_plan_source *source,
						     const struct berth__plan_text *text,
						     const berth_plan_source_options *options);
BERTH_MUST_CHECK berth_status berth__plan_trace_read(berth_plan_source *source, berth_trace *trace,
						     const berth_plan_source_options *options);

#endif
