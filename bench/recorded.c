/* SPDX-License-Identifier: Apache-2.0 */
#include "recorded.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_CAPACITY_BYTES (UINT64_C(1) << 32)

struct moment {
	uint64_t at;
	bool begins;
	struct step step;
};

/* What ends makes room for what begins at the same time. */
static int by_time(const void *a, const void *b)
{
	const struct moment *x = a, *y = b;

	if (x->at != y->at)
		return (x->at > y->at) - (x->at < y->at);
	if (x->begins != y->begins)
		return x->begins - y->begins;
	return (x->step.slot > y->step.slot) - (x->step.slot < y->step.slot);
}

/* Two moments of each request; how many there are, 0 when one cannot be. */
static size_t collect(struct moment *out, const berth_plan_input *input)
{
	size_t count = 0;

	for (size_t i = 0; i < input->request_count; i++) {
		const berth_plan_request *request = &input->requests[i];

		if (request->bytes == 0)
			continue;
		if (request->bytes > UINT32_MAX)
			return 0;
		out[count++] = (struct moment){ request->whole_run ? 0 : request->lower,
						true,
						{ (uint32_t)i, (uint32_t)request->bytes } };
		out[count++] = (struct moment){ request->whole_run ? UINT64_MAX : request->upper,
						false,
						{ (uint32_t)i, 0 } };
	}
	qsort(out, count, sizeof(*out), by_time);
	return count;
}

/* Sets the bound; how many moments lead to the most that is alive, and how many that is. */
static size_t measure(struct workload *out, const struct moment *moments, size_t count,
		      const berth_plan_input *input)
{
	uint64_t live_bytes = 0;
	uint32_t live = 0;
	size_t most_at = 0;

	for (size_t i = 0; i < count; i++) {
		if (moments[i].begins) {
			live++;
			live_bytes += moments[i].step.bytes;
		} else {
			live--;
			live_bytes -= input->requests[moments[i].step.slot].bytes;
		}
		if (live_bytes > out->bound_bytes)
			out->bound_bytes = live_bytes;
		if (live > out->end_live) {
			out->end_live = live;
			most_at = i + 1;
		}
	}
	return most_at;
}

static int repeat(struct workload *out, const struct moment *moments, size_t count, size_t last,
		  size_t least_steps)
{
	size_t rounds = (least_steps + count - 1) / count;

	out->step_count = rounds * count + last;
	out->steps = calloc(out->step_count, sizeof(*out->steps));
	if (!out->steps)
		return -1;
	for (size_t i = 0; i < out->step_count; i++)
		out->steps[i] = moments[i % count].step;
	return 0;
}

static uint64_t widest_align(const berth_plan_input *input)
{
	uint64_t align = input->caps.align_bytes > 0 ? input->caps.align_bytes : 1;

	for (size_t i = 0; i < input->request_count; i++)
		if (input->requests[i].align_bytes > align)
			align = input->requests[i].align_bytes;
	return align;
}

int workload_from_model(struct workload *out, const berth_plan_model *model, size_t least_steps)
{
	const berth_plan_input *input = &model->input;
	struct moment *moments = calloc(2 * input->request_count + 1, sizeof(*moments));
	size_t count, last;
	int status = -1;

	*out = (struct workload){ .name = model->name };
	if (!moments || input->request_count >= UINT32_MAX)
		goto out;
	count = collect(moments, input);
	if (count == 0)
		goto out;
	last = measure(out, moments, count, input);
	out->slot_count = (uint32_t)input->request_count;
	out->align_bytes = widest_align(input);
	out->capacity_bytes = LEAST_CAPACITY_BYTES;
	while (out->capacity_bytes / 4 < out->bound_bytes && out->capacity_bytes < UINT64_MAX / 2)
		out->capacity_bytes *= 2;
	status = repeat(out, moments, count, last, least_steps);
out:
	free(moments);
	return status;
}
