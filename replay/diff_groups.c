/* SPDX-License-Identifier: Apache-2.0 */
#include "diff_groups.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CL/cl.h>

/* Groups that are followed. A power of two. */
#define GROUPS_MAX 16384

struct group {
	bool is_used;
	berth_object_kind kind;
	bool owns; /* memory */
	uint64_t bytes, flags;
	berth_image image; /* of images; pitches do not count */
	uint64_t count[2], alive[2], at_peak[2], first[2];
};

struct berth__diff_groups {
	struct group groups[GROUPS_MAX];
	uint32_t count;
	uint64_t not_followed;
};

berth_status berth__diff_groups_create(struct berth__diff_groups **out)
{
	*out = calloc(1, sizeof(**out));
	return *out ? BERTH_OK : berth_error_set(BERTH_E_NOMEM, 0, "no memory to compare traces");
}

void berth__diff_groups_destroy(struct berth__diff_groups *groups)
{
	free(groups);
}

static bool is_same(const struct group *group, const berth_object *object)
{
	const berth_image *a = &group->image, *b = &object->image;

	return group->kind == object->kind && group->bytes == object->bytes &&
	       group->flags == object->flags && group->owns == (object->root == object) &&
	       a->type == b->type && a->order == b->order && a->channel_type == b->channel_type &&
	       a->width == b->width && a->height == b->height && a->depth == b->depth &&
	       a->array_size == b->array_size;
}

static uint64_t hash_of(const berth_object *object)
{
	const uint64_t values[] = { object->kind,
				    object->bytes,
				    object->flags,
				    object->image.width,
				    object->image.height,
				    object->image.depth,
				    object->image.channel_type };
	uint64_t hash = 0;

	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++)
		hash = (hash ^ values[i]) * UINT64_C(0x9E3779B97F4A7C15);
	return hash >> 32;
}

/* NULL: there are too many others. */
static struct group *find(struct berth__diff_groups *groups, const berth_object *object)
{
	uint64_t hash = hash_of(object);

	for (uint32_t i = 0; i < GROUPS_MAX; i++) {
		struct group *group = &groups->groups[(hash + i) % GROUPS_MAX];

		if (group->is_used && is_same(group, object))
			return group;
		if (group->is_used)
			continue;
		if (groups->count == GROUPS_MAX / 4 * 3)
			return NULL;
		groups->count++;
		*group = (struct group){ .is_used = true,
					 .kind = object->kind,
					 .owns = object->root == object,
					 .bytes = object->bytes,
					 .flags = object->flags,
					 .image = object->image };
		return group;
	}
	return NULL;
}

void berth__diff_groups_begin(struct berth__diff_groups *groups, int side,
			      const berth_object *object)
{
	struct group *group = find(groups, object);

	if (!group) {
		groups->not_followed++;
		return;
	}
	if (group->count[side]++ == 0)
		group->first[side] = object->id;
	group->alive[side]++;
}

void berth__diff_groups_end(struct berth__diff_groups *groups, int side, const berth_object *object)
{
	struct group *group = find(groups, object);

	if (group && group->alive[side] > 0)
		group->alive[side]--;
}

void berth__diff_groups_peak(struct berth__diff_groups *groups, int side)
{
	for (uint32_t i = 0; i < GROUPS_MAX; i++)
		groups->groups[i].at_peak[side] = groups->groups[i].alive[side];
}

static bool differs(const struct group *group)
{
	return group->count[0] != group->count[1] || group->at_peak[0] != group->at_peak[1];
}

static const char *kind_name(const struct group *group)
{
	static const struct {
		berth_object_kind kind;
		const char *name;
	} names[] = {
		{ BERTH_OBJECT_BUFFER, "buffer" }, { BERTH_OBJECT_SUBBUFFER, "sub-buffer" },
		{ BERTH_OBJECT_IMAGE, "image" },   { BERTH_OBJECT_SVM, "svm" },
		{ BERTH_OBJECT_PIPE, "pipe" },
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (names[i].kind == group->kind)
			return names[i].name;
	return "object";
}

/* Flags in words, as ", read only". The parts of each text are those that people ask about. */
static const char *flag_words(uint64_t flags)
{
	if (flags & CL_MEM_USE_HOST_PTR)
		return ", on host memory";
	if (flags & CL_MEM_ALLOC_HOST_PTR)
		return ", in host memory";
	if (flags & CL_MEM_READ_ONLY)
		return ", read only";
	return flags & CL_MEM_WRITE_ONLY ? ", write only" : "";
}

static void describe(berth_trace_group *out, const struct group *group)
{
	const berth_image *image = &group->image;
	char depth[32] = "";

	out->bytes = group->owns ? group->bytes : 0;
	memcpy(out->count, group->count, sizeof(out->count));
	memcpy(out->at_peak, group->at_peak, sizeof(out->at_peak));
	memcpy(out->first, group->first, sizeof(out->first));
	if (image->depth > 1)
		snprintf(depth, sizeof(depth), "x%" PRIu64, image->depth);
	if (group->kind == BERTH_OBJECT_IMAGE)
		snprintf(out->what, sizeof(out->what), "image %" PRIu64 "x%" PRIu64 "%s %s %s%s",
			 image->width, image->height ? image->height : 1, depth,
			 berth_channel_order_string(image->order),
			 berth_channel_type_string(image->channel_type), flag_words(group->flags));
	else
		snprintf(out->what, sizeof(out->what), "%s of %" PRIu64 " bytes%s",
			 kind_name(group), group->bytes, flag_words(group->flags));
}

static uint64_t gap(const uint64_t counts[2])
{
	return counts[0] > counts[1] ? counts[0] - counts[1] : counts[1] - counts[0];
}

/* What makes the peaks differ comes first, then what was made at all. */
static int most_first(const void *a, const void *b)
{
	const berth_trace_group *one = a, *two = b;
	double peaks[2] = { (double)gap(one->at_peak) * (double)one->bytes,
			    (double)gap(two->at_peak) * (double)two->bytes };
	double made[2] = { (double)gap(one->count) * (double)(one->bytes + 1),
			   (double)gap(two->count) * (double)(two->bytes + 1) };

	if (peaks[0] != peaks[1])
		return peaks[0] < peaks[1] ? 1 : -1;
	if (made[0] != made[1])
		return made[0] < made[1] ? 1 : -1;
	return strcmp(one->what, two->what);
}

berth_status berth__diff_groups_tell(const struct berth__diff_groups *groups,
				     berth_trace_diff *diff)
{
	berth_trace_group *list;
	uint32_t count = 0;

	for (uint32_t i = 0; i < GROUPS_MAX; i++)
		count += groups->groups[i].is_used && differs(&groups->groups[i]);
	list = calloc(count + 1, sizeof(*list));
	if (!list)
		return berth_error_set(BERTH_E_NOMEM, 0, "no memory to compare traces");
	diff->groups = list;
	diff->groups_not_followed = groups->not_followed;
	for (uint32_t i = 0; i < GROUPS_MAX; i++)
		if (groups->groups[i].is_used && differs(&groups->groups[i]))
			describe(&list[diff->group_count++], &groups->groups[i]);
	qsort(list, count, sizeof(*list), most_first);
	return BERTH_OK;
}
