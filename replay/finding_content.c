/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the whole of an object holds, by digest, until something writes there: several that
 * hold the same at the peak (F-DUPLICATE), also an image and a buffer, since digests are of
 * bytes without the gaps of a pitch; and those that the host filled once for kernels
 * that only read, in memory that is the host's own (F-SAME-TWICE).
 */
#include "finding.h"

#include <inttypes.h>
#include <string.h>

#include <CL/cl.h>

#define BUCKETS 65536u
#define DUPLICATE_PERCENT 5
#define TWICE_PERCENT 10
#define TWICE_KERNELS 2

struct state {
	struct berth__finding_object *buckets[BUCKETS]; /* objects whose content is known */
	struct berth__finding_fold copies, twice;
};

static struct berth__finding_object **bucket_of(struct state *state, const uint8_t digest[16])
{
	uint16_t hash;

	memcpy(&hash, digest, sizeof(hash));
	return &state->buckets[hash % BUCKETS];
}

/* It was a copy until now. One that is written later was no copy to save. */
static void settle(struct berth__finding_scan *scan, struct state *state,
		   struct berth__finding_object *object, bool written)
{
	struct berth__finding_whole *whole = &object->whole;

	if (whole->copy_of && !written)
		berth__finding_fold_at_peak(scan, &state->copies, object, whole->copy_from_op,
					    object->bytes, 0);
	whole->copy_of = 0;
}

static void forget(struct berth__finding_scan *scan, struct state *state,
		   struct berth__finding_object *object, bool written)
{
	struct berth__finding_object **link;

	if (!object->whole.known)
		return;
	settle(scan, state, object, written);
	link = bucket_of(state, object->whole.digest);
	while (*link != object)
		link = &(*link)->whole.next;
	*link = object->whole.next;
	for (struct berth__finding_object *one = *bucket_of(state, object->whole.digest); one;
	     one = one->whole.next)
		if (one->whole.copy_of == object->id)
			settle(scan, state, one, written);
	object->whole.known = false;
}

static void learn(struct berth__finding_scan *scan, struct state *state,
		  struct berth__finding_object *object)
{
	struct berth__finding_object **bucket = bucket_of(state, scan->row->digest);
	struct berth__finding_whole *whole = &object->whole;

	forget(scan, state, object, true);
	memcpy(whole->digest, scan->row->digest, sizeof(whole->digest));
	for (struct berth__finding_object *one = *bucket; one && !whole->copy_of;
	     one = one->whole.next)
		if (memcmp(one->whole.digest, whole->digest, sizeof(whole->digest)) == 0 &&
		    one->context == object->context && one->whole.copy_of == 0) {
			whole->copy_of = one->id;
			/* All of the peak is still there: it is one of a copy, too. */
			whole->copy_from_op =
				scan->alive_bytes == scan->peak_bytes ? object->made_op : scan->op;
		}
	whole->known = true;
	whole->next = *bucket;
	*bucket = object;
}

static void made(struct berth__finding_scan *scan, void *userdata,
		 struct berth__finding_object *object)
{
	if (object->root != object || !(scan->row->op.flags & CL_MEM_COPY_HOST_PTR) ||
	    !berth_op_kind_creates(scan->row->op.kind))
		return;
	object->whole.fills++;
	if (scan->row->has_digest)
		learn(scan, userdata, object);
}

static void used(struct berth__finding_scan *scan, void *userdata,
		 struct berth__finding_object *object, unsigned access)
{
	struct berth__finding_whole *whole = &object->root->whole;
	const berth_op *op = &scan->row->op;

	whole->kernels += op->kind == BERTH_OP_USE;
	if (!(access & (FINDING_WRITE | FINDING_MAYBE_WRITE)))
		return;
	if (op->kind != BERTH_OP_WRITE || !berth__finding_is_whole(object, op)) {
		whole->other_writes++;
		forget(scan, userdata, object->root, true);
		return;
	}
	whole->fills++;
	if (scan->row->has_digest)
		learn(scan, userdata, object);
	else
		forget(scan, userdata, object, true);
}

static void ended(struct berth__finding_scan *scan, void *userdata,
		  struct berth__finding_object *object)
{
	const uint64_t shared = CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR;
	struct state *state = userdata;
	struct berth__finding_whole *whole = &object->whole;

	if (object->root != object)
		return;
	if (scan->ending)
		settle(scan, state, object, false);
	else
		forget(scan, state, object, false);
	if (scan->caps && scan->caps->host_unified && whole->fills == 1 &&
	    whole->other_writes == 0 && whole->kernels >= TWICE_KERNELS &&
	    !(object->object->flags & shared))
		berth__finding_fold_at_peak(scan, &state->twice, object, object->made_op,
					    object->bytes, 0);
}

static void finish(struct berth__finding_scan *scan, void *userdata)
{
	struct state *state = userdata;

	if (berth__finding_fold_counts(scan, &state->copies, DUPLICATE_PERCENT))
		berth__finding_emit(scan, "F-DUPLICATE", &state->copies,
				    "%s of the peak of %s are %" PRIu64
				    " objects with content that another holds already",
				    berth__finding_size(state->copies.bytes),
				    berth__finding_size(scan->peak_bytes), state->copies.count);
	if (berth__finding_fold_counts(scan, &state->twice, TWICE_PERCENT))
		berth__finding_emit(
			scan, "F-SAME-TWICE", &state->twice,
			"%s of the peak of %s are %" PRIu64
			" objects that were filled once from host memory and only read since, on a "
			"device that shares memory with the host: with their sources they take %s",
			berth__finding_size(state->twice.bytes),
			berth__finding_size(scan->peak_bytes), state->twice.count,
			berth__finding_size(2 * state->twice.bytes));
}

const struct berth__finding_checker berth__finding_content = {
	.state_bytes = sizeof(struct state),
	.made = made,
	.used = used,
	.ended = ended,
	.finish = finish,
};
