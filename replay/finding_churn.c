/* SPDX-License-Identifier: Apache-2.0 */
/* F-CHURN: objects of one shape that are made although one of that shape was released before. */
#include "finding.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <CL/cl.h>

/* So often for one shape, or the program is not known to do it for each input. */
#define AGAIN_MIN 32

/* Shapes that are followed; a program that has more has no pattern. A power of two. */
#define SHAPES_MAX 4096

struct shape {
	berth_object_kind kind;
	uint64_t flags, bytes, width, height;
	uint32_t order, channel_type;
	uint64_t idle;	/* released, and not made again */
	uint64_t again; /* made while one was idle */
	uint64_t time_ns;
	uint64_t op, object; /* the first that was made again */
};

struct churn {
	struct shape shapes[SHAPES_MAX];
	uint32_t count;
};

static uint64_t mix(uint64_t hash, uint64_t value)
{
	return (hash ^ value) * UINT64_C(0x9E3779B97F4A7C15);
}

static struct shape shape_of(const berth_object *object)
{
	return (struct shape){ .kind = object->kind,
			       .flags = object->flags,
			       .bytes = object->bytes,
			       .width = object->image.width,
			       .height = object->image.height,
			       .order = object->image.order,
			       .channel_type = object->image.channel_type };
}

static bool is_same(const struct shape *a, const struct shape *b)
{
	return a->bytes == b->bytes && a->kind == b->kind && a->flags == b->flags &&
	       a->width == b->width && a->height == b->height && a->order == b->order &&
	       a->channel_type == b->channel_type;
}

/* NULL: too many others. */
static struct shape *find(struct churn *churn, const berth_object *object)
{
	const struct shape wanted = shape_of(object);
	uint64_t hash = mix(mix(mix(wanted.bytes, wanted.width), wanted.height), wanted.flags);

	hash = mix(hash, wanted.channel_type) >> 32;
	for (uint32_t i = 0; i < SHAPES_MAX; i++) {
		struct shape *shape = &churn->shapes[(hash + i) % SHAPES_MAX];

		if (shape->bytes == 0 && churn->count < SHAPES_MAX * 3 / 4) {
			*shape = wanted;
			churn->count++;
		}
		if (shape->bytes == 0)
			return NULL;
		if (is_same(shape, &wanted))
			return shape;
	}
	return NULL;
}

/* Memory that a pool could have given. What lies on another object is cheap. */
static bool counts(const berth_object *object)
{
	return object->root == object && object->bytes > 0 &&
	       !(object->flags & CL_MEM_USE_HOST_PTR);
}

static berth_status made(struct berth__finding_run *run, void *state, const berth_trace_op *row,
			 const berth_object *object)
{
	struct shape *shape = counts(object) ? find(state, object) : NULL;

	if (!shape) {
		run->found->shapes_not_followed += counts(object);
		return BERTH_OK;
	}
	if (shape->idle == 0)
		return BERTH_OK;
	shape->idle--;
	shape->time_ns += row->result.duration_ns;
	if (shape->again++ == 0) {
		shape->op = row->seq;
		shape->object = object->id;
	}
	return BERTH_OK;
}

static void end(struct berth__finding_run *run, void *state, const berth_object *object)
{
	struct shape *shape = counts(object) ? find(state, object) : NULL;

	(void)run;
	if (shape)
		shape->idle++;
}

static int most_first(const void *a, const void *b)
{
	const struct shape *one = a, *two = b;

	return (one->again < two->again) - (one->again > two->again);
}

static berth_status report(struct berth__finding_run *run, void *state)
{
	struct churn *churn = state;
	uint64_t again = 0, shapes = 0, ns = 0, bytes = 0;
	char text[BERTH__BYTES_TEXT];
	berth_finding *finding;

	qsort(churn->shapes, SHAPES_MAX, sizeof(churn->shapes[0]), most_first);
	for (; shapes < SHAPES_MAX && churn->shapes[shapes].again >= AGAIN_MIN; shapes++) {
		again += churn->shapes[shapes].again;
		ns += churn->shapes[shapes].time_ns;
		bytes += churn->shapes[shapes].bytes * churn->shapes[shapes].again;
	}
	if (shapes == 0)
		return BERTH_OK;
	finding = berth__finding_add(run, BERTH_FINDING_CHURN);
	if (!finding)
		return BERTH_E_NOMEM;
	finding->count = again;
	finding->bytes = bytes;
	finding->time_ns = ns;
	finding->op = churn->shapes[0].op;
	for (uint64_t i = 0; i < shapes; i++)
		berth__finding_name(finding, churn->shapes[i].object);
	berth__finding_say(finding,
			   "%" PRIu64 " objects were made while one of the same shape had been "
			   "released: %" PRIu64 " shapes, the most often %" PRIu64
			   " times %s; %.3f ms in the creations",
			   again, shapes, churn->shapes[0].again,
			   berth__bytes_text(text, churn->shapes[0].bytes), (double)ns / 1e6);
	berth__finding_advise(finding, "keep them, or take them from a pool (berth replay --pool says "
				       "what it would hold)");
	return BERTH_OK;
}

const struct berth__analyser berth__finding_churn = {
	.state_bytes = sizeof(struct churn),
	.made = made,
	.end = end,
	.report = report,
};
