/* SPDX-License-Identifier: Apache-2.0 */
/*
 * F-SHARE: an image and a buffer, or two images, that are alive at the peak although the one
 * is not used any more when the other is used first: a device that makes images on buffers
 * could put both on one storage. At the first use of an object, those that were not used for
 * the longest time are looked at; the pair stands unless the older one is used again.
 */
#include "finding.h"

#include <inttypes.h>
#include <string.h>

#define LEAST_PERCENT 10
#define LOOK_AT 8 /* of the longest unused */

struct state {
	struct berth__finding_object *oldest,
		*newest; /* by last use; those never used are not in it */
	struct berth__finding_fold pairs;
};

static void unlink_object(struct state *state, struct berth__finding_object *object)
{
	struct berth__finding_share *share = &object->share;

	*(share->before ? &share->before->share.after : &state->oldest) = share->after;
	*(share->after ? &share->after->share.before : &state->newest) = share->before;
	share->before = share->after = NULL;
}

static void link_newest(struct state *state, struct berth__finding_object *object)
{
	object->share.before = state->newest;
	*(state->newest ? &state->newest->share.after : &state->oldest) = object;
	state->newest = object;
}

static bool is_linked(const struct state *state, const struct berth__finding_object *object)
{
	return object->share.before || state->oldest == object;
}

/* What an object takes on a storage that buffers and images share; 0: it cannot lie there. */
static uint64_t storage_bytes(const struct berth__finding_scan *scan,
			      const struct berth__finding_object *object)
{
	if (object->external)
		return 0;
	if (object->object->kind == BERTH_OBJECT_BUFFER)
		return object->bytes;
	return berth__finding_image_bytes(scan->caps, object->object);
}

static bool suit(const struct berth__finding_object *one, const struct berth__finding_object *other)
{
	return one->context == other->context && one->last_queue == other->last_queue &&
	       (one->object->kind == BERTH_OBJECT_IMAGE ||
		other->object->kind == BERTH_OBJECT_IMAGE);
}

static void unclaim(struct berth__finding_object *older)
{
	struct berth__finding_share *share = &older->share;

	if (share->claimant)
		share->claimant->share.claims = NULL;
	share->claimant = NULL;
	share->claimant_made_op = share->claimant_ended_op = 0;
	share->saved_bytes = 0;
}

static void find_place(struct berth__finding_scan *scan, struct state *state,
		       struct berth__finding_object *object)
{
	uint64_t bytes = storage_bytes(scan, object);
	struct berth__finding_object *older = state->oldest;

	for (int i = 0; bytes > 0 && older && i < LOOK_AT; i++, older = older->share.after) {
		uint64_t room = storage_bytes(scan, older);
		uint64_t saved = room < bytes ? room : bytes;

		if (older->share.saved_bytes > 0 || !suit(older, object) || saved < room / 2 ||
		    saved < bytes / 2 || saved == 0)
			continue;
		older->share.claimant = object;
		older->share.claimant_made_op = object->made_op;
		older->share.claimant_ended_op = 0;
		older->share.saved_bytes = saved;
		object->share.claims = older;
		return;
	}
}

static void used(struct berth__finding_scan *scan, void *userdata,
		 struct berth__finding_object *object, unsigned access)
{
	struct state *state = userdata;
	struct berth__finding_object *root = object->root;
	bool first = root->first_use_op == scan->op && !is_linked(state, root);

	(void)access;
	if (!scan->caps || !scan->caps->image2d_from_buffer)
		return;
	if (root->share.saved_bytes > 0)
		unclaim(root);
	if (first)
		find_place(scan, state, root);
	else if (is_linked(state, root))
		unlink_object(state, root);
	link_newest(state, root);
}

static void ended(struct berth__finding_scan *scan, void *userdata,
		  struct berth__finding_object *object)
{
	struct state *state = userdata;
	struct berth__finding_share *share = &object->share;

	if (is_linked(state, object) && !scan->ending)
		unlink_object(state, object);
	if (share->claims && !scan->ending) {
		share->claims->share.claimant = NULL;
		share->claims->share.claimant_ended_op = scan->op;
	}
	/* Both were alive at the peak, in so far as it is known. */
	if (share->saved_bytes > 0 &&
	    (share->claimant_ended_op == 0 || share->claimant_ended_op > scan->peak_op)) {
		uint64_t from = object->made_op > share->claimant_made_op ? object->made_op
									  : share->claimant_made_op;

		berth__finding_fold_at_peak(scan, &state->pairs, object, from, share->saved_bytes,
					    0);
	}
	if (!scan->ending)
		unclaim(object);
}

static void finish(struct berth__finding_scan *scan, void *userdata)
{
	struct state *state = userdata;

	if (!berth__finding_fold_counts(scan, &state->pairs, LEAST_PERCENT))
		return;
	berth__finding_emit(
		scan, "F-SHARE", &state->pairs,
		"%" PRIu64 " images or buffers of %s, with rows padded as %s needs them, are alive "
		"at the peak of %s (op %" PRIu64
		") but not used once others of their size are, which could lie on their storage",
		state->pairs.count, berth__finding_size(state->pairs.bytes), scan->caps->name,
		berth__finding_size(scan->peak_bytes), scan->peak_op);
}

const struct berth__finding_checker berth__finding_share = {
	.state_bytes = sizeof(struct state),
	.used = used,
	.ended = ended,
	.finish = finish,
};
