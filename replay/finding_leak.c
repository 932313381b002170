/* SPDX-License-Identifier: Apache-2.0 */
/*
 * F-LEAK: what summary_unreleased.c finds forgotten. One object that was let lie for a short
 * time before the end may be held by a pool that the program leaves to the system, so it
 * counts only when its context was released, or nothing used it for half of the recording.
 */
#include "finding.h"

#include "summary_unreleased.h"
#include "trace_store.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define IDLE_PART 2
#define CONTEXTS 1024u

struct unreleased {
	berth_finding_object named;
	uint64_t last_ns;
	bool known; /* how it was used: it is not from before the trace begins */
};

struct state {
	berth_summary_object *objects;
	struct unreleased *more; /* of the same index */
	uint32_t count, capacity;
	uint64_t end_ns;
	uint8_t ended[CONTEXTS]; /* the context was released */
};

static void op(struct berth__finding_scan *scan, void *userdata)
{
	struct state *state = userdata;
	const berth_trace_op *row = scan->row;

	state->end_ns = row->t_ns;
	if (row->op.kind == BERTH_OP_ORDER && row->op.bytes == 0 && row->context < CONTEXTS &&
	    row->op.name && strcmp(row->op.name, "clReleaseContext") == 0)
		state->ended[row->context] = 1;
}

static bool reserve(struct state *state)
{
	uint32_t capacity = state->capacity ? 2 * state->capacity : 16;
	void *objects, *more;

	if (state->count < state->capacity)
		return true;
	objects = reallocarray(state->objects, capacity, sizeof(*state->objects));
	if (objects)
		state->objects = objects;
	more = objects ? reallocarray(state->more, capacity, sizeof(*state->more)) : NULL;
	if (!more)
		return false;
	state->more = more;
	state->capacity = capacity;
	return true;
}

static void ended(struct berth__finding_scan *scan, void *userdata,
		  struct berth__finding_object *object)
{
	struct state *state = userdata;
	struct unreleased *more;

	if (!scan->ending || object->object->references == 0)
		return;
	if (!reserve(state)) {
		scan->status = berth_error_set(BERTH_E_NOMEM, 0, "out of memory for leaks");
		return;
	}
	state->objects[state->count] = (berth_summary_object){ .id = object->id,
							       .kind = berth__finding_kind(object),
							       .bytes = object->bytes,
							       .created_op = object->made_op,
							       .context = object->context };
	more = &state->more[state->count++];
	*more = (struct unreleased){
		.named = berth__finding_describe(object, object->root == object ? object->bytes : 0,
						 0),
		.last_ns = object->uses ? object->last_use_ns : object->made_ns,
		.known = object->uses > 0 || object->made_op > scan->info->before_ops,
	};
}

/* What may be one is moved to the front: to explain objects takes passes of their own. */
static uint32_t keep_suspects(struct state *state)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < state->count; i++) {
		uint32_t context = state->objects[i].context;
		uint64_t last_ns = state->more[i].last_ns;
		bool torn_down = context < CONTEXTS && state->ended[context];

		if (!torn_down && (!state->more[i].known || last_ns >= state->end_ns ||
				   state->end_ns - last_ns < state->end_ns / IDLE_PART))
			continue;
		state->objects[kept] = state->objects[i];
		state->more[kept++] = state->more[i];
	}
	return kept;
}

static void finish(struct berth__finding_scan *scan, void *userdata)
{
	struct state *state = userdata;
	struct berth__finding_fold fold = { .count = 0 };
	uint32_t suspects = keep_suspects(state);

	if (suspects == 0)
		return;
	berth__trace_bound_begin(scan->trace);
	scan->status = berth__summary_explain_unreleased(state->objects, suspects, scan->trace);
	berth__trace_bound_end(scan->trace);
	for (uint32_t i = 0; scan->status == BERTH_OK && i < suspects; i++)
		if (state->objects[i].why == BERTH_UNRELEASED_LEAKED)
			berth__finding_fold_add_described(scan, &fold, &state->more[i].named);
	if (fold.count > 0)
		berth__finding_emit(
			scan, "F-LEAK", &fold,
			"%" PRIu64
			" objects of %s were never released, the first made by op %" PRIu64,
			fold.count, berth__finding_size(fold.bytes), fold.op);
}

static void free_state(void *userdata)
{
	struct state *state = userdata;

	free(state->objects);
	free(state->more);
}

const struct berth__finding_checker berth__finding_leak = {
	.state_bytes = sizeof(struct state),
	.ended = ended,
	.op = op,
	.finish = finish,
	.free = free_state,
};
