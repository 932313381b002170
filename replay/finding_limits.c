/* SPDX-License-Identifier: Apache-2.0 */
/* F-NEAR-LIMIT and F-OVER-MEMORY: how much larger an input may be, and what is over already. */
#include "finding.h"

#include <inttypes.h>

#include <CL/cl.h>

/* So near to a limit, an input of a quarter more does not fit. */
#define PERCENT_NEAR 80

/* The largest of one kind of size. */
struct largest {
	uint64_t size, op, object;
};

struct limits {
	struct largest allocation, width, height, total;
	uint64_t crossed_op, crossed_object, crossed_bytes; /* the create that passed the memory */
};

static void note(struct largest *largest, uint64_t size, uint64_t op, uint64_t object)
{
	if (size <= largest->size)
		return;
	*largest = (struct largest){ size, op, object };
}

static berth_status made(struct berth__finding_run *run, void *state, const berth_trace_op *row,
			 const berth_object *object)
{
	struct limits *limits = state;
	uint64_t memory = run->caps->global_mem_bytes;

	if (berth__facts_of(object)->own_bytes > 0)
		note(&limits->allocation, object->bytes, row->seq, object->id);
	if (object->kind == BERTH_OBJECT_IMAGE && object->image.type == CL_MEM_OBJECT_IMAGE2D) {
		note(&limits->width, object->image.width, row->seq, object->id);
		note(&limits->height, object->image.height, row->seq, object->id);
	}
	note(&limits->total, run->alive_bytes, row->seq, object->id);
	if (memory > 0 && run->alive_bytes > memory && limits->crossed_op == 0) {
		limits->crossed_op = row->seq;
		limits->crossed_object = object->id;
		limits->crossed_bytes = run->alive_bytes;
	}
	return BERTH_OK;
}

static berth_status tell_near(struct berth__finding_run *run, const struct largest *largest,
			      uint64_t limit, const char *what, const char *limit_name,
			      const char *advice)
{
	berth_finding *finding;

	if (limit == 0 || largest->size == 0 || largest->size > limit ||
	    (double)largest->size * 100.0 < (double)limit * PERCENT_NEAR)
		return BERTH_OK;
	finding = berth__finding_add(run, BERTH_FINDING_NEAR_LIMIT);
	if (!finding)
		return BERTH_E_NOMEM;
	finding->count = 1;
	finding->bytes = largest->size;
	finding->op = largest->op;
	berth__finding_name(finding, largest->object);
	berth__finding_say(finding,
			   "%s is %" PRIu64 " at op %" PRIu64 ", %" PRIu64 " %% of the limit of %" PRIu64
			   " (%s): with %.2f times as much it fails",
			   what, largest->size, largest->op, berth__percent(largest->size, limit),
			   limit, limit_name, (double)limit / (double)largest->size + 0.005);
	berth__finding_advise(finding, "%s", advice);
	return BERTH_OK;
}

/* One that is over the limit of the device that was asked about. */
static berth_status tell_over(struct berth__finding_run *run, const struct largest *largest,
			      uint64_t limit, const char *what, const char *limit_name,
			      const char *advice)
{
	berth_finding *finding;

	if (limit == 0 || largest->size <= limit)
		return BERTH_OK;
	finding = berth__finding_add(run, BERTH_FINDING_NEAR_LIMIT);
	if (!finding)
		return BERTH_E_NOMEM;
	finding->count = 1;
	finding->bytes = largest->size - limit;
	finding->op = largest->op;
	berth__finding_name(finding, largest->object);
	berth__finding_say(finding,
			   "%s is %" PRIu64 " at op %" PRIu64 ", %" PRIu64 " over the limit of %" PRIu64
			   " (%s)",
			   what, largest->size, largest->op, largest->size - limit, limit, limit_name);
	berth__finding_advise(finding, "%s", advice);
	return BERTH_OK;
}

static berth_status tell_limits(struct berth__finding_run *run, const struct limits *limits)
{
	const berth_caps *caps = run->caps;
	const struct {
		const struct largest *largest;
		uint64_t limit;
		const char *what, *name, *advice;
	} list[] = {
		{ &limits->allocation, caps->max_alloc_bytes, "the largest object, in bytes,",
		  "CL_DEVICE_MAX_MEM_ALLOC_SIZE", "split it into several, or work in tiles" },
		{ &limits->width, caps->image2d_max_width, "the width of the widest image",
		  "CL_DEVICE_IMAGE2D_MAX_WIDTH", "split or fold it, or take a buffer" },
		{ &limits->height, caps->image2d_max_height, "the height of the highest image",
		  "CL_DEVICE_IMAGE2D_MAX_HEIGHT", "split or fold it, or take a buffer" },
		{ &limits->total, caps->global_mem_bytes, "what is alive at the most, in bytes,",
		  "CL_DEVICE_GLOBAL_MEM_SIZE", "release earlier, or share memory (berth plan)" },
	};
	berth_status st = BERTH_OK;

	for (size_t i = 0; st == BERTH_OK && i < sizeof(list) / sizeof(list[0]); i++) {
		st = tell_near(run, list[i].largest, list[i].limit, list[i].what, list[i].name,
			       list[i].advice);
		if (st == BERTH_OK && list[i].largest != &limits->total)
			st = tell_over(run, list[i].largest, list[i].limit, list[i].what,
				       list[i].name, list[i].advice);
	}
	return st;
}

static berth_status report(struct berth__finding_run *run, void *state)
{
	const struct limits *limits = state;
	berth_status st = tell_limits(run, limits);
	berth_finding *finding;

	if (st != BERTH_OK || limits->crossed_op == 0)
		return st;
	finding = berth__finding_add(run, BERTH_FINDING_OVER_MEMORY);
	if (!finding)
		return BERTH_E_NOMEM;
	finding->count = 1;
	finding->bytes = limits->crossed_bytes - run->caps->global_mem_bytes;
	finding->op = limits->crossed_op;
	berth__finding_name(finding, limits->crossed_object);
	berth__finding_say(finding,
			   "op %" PRIu64 " created object %" PRIu64 ", and %" PRIu64
			   " bytes were alive then, %" PRIu64 " more than the %" PRIu64
			   " of CL_DEVICE_GLOBAL_MEM_SIZE: such a create succeeds, and a kernel fails "
			   "later",
			   limits->crossed_op, limits->crossed_object, limits->crossed_bytes,
			   finding->bytes, run->caps->global_mem_bytes);
	berth__finding_advise(finding, "release or reuse before this op (berth show says what was alive)");
	return BERTH_OK;
}

const struct berth__analyser berth__finding_limits = {
	.state_bytes = sizeof(struct limits),
	.made = made,
	.report = report,
};
