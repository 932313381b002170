/* SPDX-License-Identifier: Apache-2.0 */
#include "last_steps.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Names and lists are borrowed from the row: what is kept does without, but for a name's start. */
struct step {
	uint64_t seq;
	int32_t recorded, replayed;
	berth_op op;
	char name[64];
	bool has_name;
};

struct berth__last_steps {
	uint32_t capacity;
	uint64_t added;
	struct step ring[];
};

berth_status berth__last_steps_create(struct berth__last_steps **out, uint32_t count)
{
	struct berth__last_steps *steps =
		calloc(1, sizeof(*steps) + count * sizeof(steps->ring[0]));

	if (!steps)
		return berth_error_set(BERTH_E_NOMEM, 0, "no memory to keep %" PRIu32 " ops",
				       count);
	steps->capacity = count;
	*out = steps;
	return BERTH_OK;
}

void berth__last_steps_add(struct berth__last_steps *steps, const berth_trace_op *row,
			   const berth_op *op, int32_t replayed)
{
	struct step *step = &steps->ring[steps->added++ % steps->capacity];

	step->seq = row->seq;
	step->recorded = row->result.cl_status;
	step->replayed = replayed;
	step->op = *op;
	step->op.uses = NULL;
	step->has_name = op->name != NULL;
	if (op->name)
		snprintf(step->name, sizeof(step->name), "%s", op->name);
}

static void describe(berth_replay_step *out, const struct step *step)
{
	berth_op op = step->op;

	op.name = step->has_name ? step->name : NULL;
	out->seq = step->seq;
	out->recorded = step->recorded;
	out->replayed = step->replayed;
	berth_op_describe(&op, out->op, sizeof(out->op));
}

uint32_t berth__last_steps_tell(const struct berth__last_steps *steps,
				berth_replay_step out[BERTH_REPLAY_STEPS_MAX])
{
	uint64_t count = steps->added < steps->capacity ? steps->added : steps->capacity;

	for (uint64_t i = 0; i < count; i++)
		describe(&out[i], &steps->ring[(steps->added - count + i) % steps->capacity]);
	return (uint32_t)count;
}
