/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Feeds damaged tables and allocation lists to the planner's readers, plans what they take,
 * checks the plan, and reads the same bytes as a plan. Without arguments: copies of valid
 * ones, damaged in ways that are the same each time; else the files named.
 */
#include "mutate.h"

#include "scratch.h"

#include <berth/plan_output.h>
#include <berth/token_plan.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char table[] = "id,lower,upper,size,alignment,offset,arena,layout\n"
			    "a,0,3,4096,64,,0,\n"
			    "\"b, c\",3,9,100,,256,1,\n"
			    "d,1,4,,,,0,texture-nhwc float16 1x2x14x14x4\n"
			    "e,2,3,,,,,choose uint8 3x4\n";

static const char lists[] = "# models\nMODEL one\nALIGN 64\nALLOC 1 100\nALLOC 2 4096\nFREE 1\n"
			    "FREE 2\nMEM 4224\nEFF 0.99\nMODEL two\nALLOC 9 1\nFREE 9\n";

/* A plan that is made must be valid: anything else is a bug, found here. */
static void plan_model(const berth_plan_model *model)
{
	berth_plan_options options = BERTH_PLAN_OPTIONS_INIT;
	berth_token_plan *tokens;
	berth_plan_claim claim;
	berth_plan *plan;

	options.last_tier = BERTH_PLAN_TIER_SEARCH;
	options.time_budget_ns = 100000;
	if (berth_plan_create(&plan, &model->input, &options) == BERTH_OK) {
		claim = berth_plan_get_claim(plan);
		if (berth_plan_check(&model->input, &claim) != BERTH_OK) {
			fprintf(stderr, "fuzz_plan: %s\n", berth_error_get()->message);
			abort();
		}
		berth_plan_destroy(plan);
	}
	if (berth_token_plan_create(&tokens, &model->input) == BERTH_OK)
		berth_token_plan_destroy(tokens);
}

static void input(const unsigned char *content, size_t bytes)
{
	berth_plan_source_options options = BERTH_PLAN_SOURCE_OPTIONS_INIT;
	const char *path = scratch_path("input");
	berth_plan_source *source;
	berth_plan_file *file;
	berth_caps caps;

	berth_caps_init_minimum(&caps, 300);
	options.caps = &caps;
	file_write(path, content, bytes);
	if (berth_plan_source_load(&source, path, &options) != BERTH_OK)
		return;
	for (size_t i = 0; i < source->model_count; i++) {
		plan_model(&source->models[i]);
		if (berth_plan_file_load(&file, path, &source->models[i]) != BERTH_OK)
			continue;
		if (berth_plan_check(&source->models[i].input, &file->claim) == BERTH_E_NOMEM)
			fprintf(stderr, "fuzz_plan: out of memory\n");
		berth_plan_file_destroy(file);
	}
	berth_plan_source_destroy(source);
}

static void mutate(const char *valid)
{
	const struct fuzz_plan plan = { 0, strlen(valid), 4096, 1000 };

	fuzz_mutations((const unsigned char *)valid, strlen(valid), &plan, input);
}

int main(int argc, char **argv)
{
	scratch_make();
	if (argc > 1) {
		fuzz_files(argv + 1, argc - 1, input);
	} else {
		mutate(table);
		mutate(lists);
	}
	scratch_remove();
	return 0;
}
