/* SPDX-License-Identifier: Apache-2.0 */
/* The plan of a trace as a picture in memory, for the page. */
#include "report_page.h"

#include "plan_svg.h"

#include <stdlib.h>

#include <berth/plan_output.h>

static berth_status draw(char **out, const char *title, const berth_plan_model *model)
{
	berth_plan *plan = NULL;
	char *text = NULL;
	size_t bytes;
	FILE *file;
	berth_status st = berth_plan_create(&plan, &model->input, NULL);

	if (st != BERTH_OK)
		return st;
	file = open_memstream(&text, &bytes);
	st = file ? berth__plan_svg_print(file, title, model, plan) : BERTH_E_NOMEM;
	if (file && (ferror(file) | fclose(file)) && st == BERTH_OK)
		st = BERTH_E_NOMEM;
	if (st == BERTH_OK)
		*out = text;
	else
		free(text);
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
