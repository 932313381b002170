/* SPDX-License-Identifier: Apache-2.0 */
/* The plan of a trace as a picture in memory, for the page. */
#include "report_page.h"

#include "plan_svg.h"
#include "text_stream.h"

#include <berth/plan_output.h>

static berth_status draw(char **out, const char *title, const berth_plan_model *model)
{
	struct berth__text_stream text;
	berth_plan *plan = NULL;
	berth_status st = berth_plan_create(&plan, &model->input, NULL);

	if (st == BERTH_OK && (st = berth__text_stream_begin(&text)) == BERTH_OK)
		st = berth__text_stream_end(out, &text,
					    berth__plan_svg_print(text.stream, title, model, plan));
	berth_plan_destroy(plan);
	return st;
}

berth_status berth__report_plan(char **out, berth_trace *trace, const char *title)
{
	berth_plan_source *source = NULL;
	berth_status st = berth_plan_source_from_trace(&source, trace, NULL);

	if (st == BERTH_OK && source->models[0].input.request_count > 0)
		st = draw(out, title, &source->models[0]);
	berth_plan_source_destroy(source);
	return st;
}
