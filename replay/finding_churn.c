/* SPDX-License-Identifier: Apache-2.0 */
/*
 * F-CHURN: objects of a size that are made where one of the same size was released before.
 * Sizes are counted in a table of fixed length; one that finds no room there takes the place
 * of the least counted of its few, as a size that comes again and again is soon back.
 */
#include "finding.h"

#include <inttypes.h>

#define CLASSES 1024u
#define WAYS 4u
#define LEAST_REMADE 16
/* Less time than this is not worth a pool. */
#define LEAST_NS UINT64_C(1000000)

struct class
{
	uint64_t key; /* 0: free */
	uint64_t bytes;
	uint64_t made, released, remade, time_ns;
	berth_finding_object first; /* of those made again */
};

struct state {
	struct class classes[CLASSES];
};

static uint64_t mix(uint64_t key, uint64_t value)
{
	return (key ^ value) * UINT64_C(0x9E3779B97F4A7C15) + (key >> 29);
}

static uint64_t key_of(const struct berth__finding_object *object)
{
	const berth_object *what = object->object;
	uint64_t key = mix(what->kind, object->bytes);

	key = mix(key, what->flags);
	if (what->kind == BERTH_OBJECT_IMAGE) {
		key = mix(key, what->image.width);
		key = mix(key, what->image.height);
		key = mix(key, (uint64_t)what->image.order << 32 | what->image.channel_type);
	}
	return key ? key : 1;
}

static struct class *class_of(struct state *state, const struct berth__finding_object *object)
{
	uint64_t key = key_of(object);
	struct class *set = &state->classes[(key >> 40) % (CLASSES / WAYS) * WAYS], *least = set;

	for (struct class *one = set; one < set + WAYS; one++) {
		if (one->key == key)
			return one;
		if (one->remade < least->remade || one->key == 0)
			least = one;
	}
	*least = (struct class){ .key = key, .bytes = object->bytes };
	return least;
}

static void made(struct berth__finding_scan *scan, void *userdata,
		 struct berth__finding_object *object)
{
	struct class *one = class_of(userdata, object);

	one->made++;
	/* As many as were released could have been used again. */
	if (one->released <= one->remade)
		return;
	if (one->remade++ == 0)
		one->first = berth__finding_describe(object, 0, 0);
	one->time_ns = berth__finding_add(one->time_ns, scan->row->result.duration_ns);
}

static void let_go(struct berth__finding_scan *scan, void *userdata,
		   struct berth__finding_object *object)
{
	struct class *one = class_of(userdata, object);

	one->released++;
	one->time_ns = berth__finding_add(one->time_ns, scan->row->result.duration_ns);
}

static void add_class(struct berth__finding_fold *fold, const struct class *one)
{
	uint32_t at = fold->worst_count;

	fold->count += one->remade;
	fold->time_ns = berth__finding_add(fold->time_ns, one->time_ns);
	if (fold->op == 0 || one->first.op < fold->op)
		fold->op = one->first.op;
	while (at > 0 && fold->worst[at - 1].time_ns < one->time_ns)
		at--;
	if (at == BERTH_FINDING_OBJECTS_MAX)
		return;
	if (fold->worst_count < BERTH_FINDING_OBJECTS_MAX)
		fold->worst_count++;
	for (uint32_t i = fold->worst_count - 1; i > at; i--)
		fold->worst[i] = fold->worst[i - 1];
	fold->worst[at] = one->first;
	fold->worst[at].bytes = one->bytes;
	fold->worst[at].time_ns = one->time_ns;
}

static void finish(struct berth__finding_scan *scan, void *userdata)
{
	struct state *state = userdata;
	struct berth__finding_fold fold = { .count = 0 };
	const struct class *most = NULL;
	uint64_t classes = 0;

	for (const struct class *one = state->classes; one < state->classes + CLASSES; one++) {
		if (one->remade < LEAST_REMADE)
			continue;
		classes++;
		add_class(&fold, one);
		most = !most || one->remade > most->remade ? one : most;
	}
	if (most && fold.time_ns >= LEAST_NS)
		berth__finding_emit(
			scan, "F-CHURN", &fold,
			"%" PRIu64 " objects of %" PRIu64
			" sizes were made where one of the same size had been released, most often "
			"%s, %" PRIu64 " times; making and releasing them took %.3f ms",
			fold.count, classes, berth__finding_size(most->bytes), most->remade,
			(double)fold.time_ns / 1e6);
}

const struct berth__finding_checker berth__finding_churn = {
	.state_bytes = sizeof(struct state),
	.made = made,
	.let_go = let_go,
	.finish = finish,
};
