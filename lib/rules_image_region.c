/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rules on the origin and region of every command on an image: R110, and the
 * bounds that R112-R116 ask for. Rows with "other" are about the destination of a
 * copy.
 */
#include "rule_table.h"

#include <CL/cl.h>
#include <inttypes.h>

#define SECTION "Reading, Writing and Copying Image Objects"
#define KINDS_REGION (KINDS_ONE_SIDED | KIND(COPY))
#define ABSENT_REGION (BERTH_ABSENT_ORIGIN | BERTH_ABSENT_OTHER_ORIGIN | BERTH_ABSENT_EXTENT)

/* An image and where the region lies in it; no shape: there is none to check. */
struct place {
	const berth_object *image;
	const struct berth__image_shape *shape;
	const uint64_t *origin;
};

static struct place place_in(const struct rule_input *in, const berth_object *object,
			     const uint64_t *origin)
{
	struct place place = { object, NULL, origin };

	if (object && object->kind == BERTH_OBJECT_IMAGE && !(in->op->absent & ABSENT_REGION))
		place.shape = berth__image_shape_find(object->image.type);
	return place;
}

static struct place object_place(const struct rule_input *in)
{
	return place_in(in, in->object, in->op->region.origin);
}

static struct place other_place(const struct rule_input *in)
{
	return place_in(in, in->other, in->op->region.other_origin);
}

static bool region_missing(const struct rule_input *in, struct rule_why *why)
{
	return (in->op->absent & ABSENT_REGION) &&
	       berth__rule_why(why, "%s of image %" PRIu64 ": an origin or the region is NULL",
			       berth_op_kind_string(in->op->kind), in->op->object);
}

static bool region_empty(const struct rule_input *in, struct rule_why *why)
{
	const uint64_t *extent = in->op->region.extent;

	return !(in->op->absent & BERTH_ABSENT_EXTENT) &&
	       (extent[0] == 0 || extent[1] == 0 || extent[2] == 0) &&
	       berth__rule_why(why, "%s of object %" PRIu64 ": region %" PRIu64 " x %" PRIu64 " x %"
			       PRIu64 ", each must be at least 1",
			       berth_op_kind_string(in->op->kind), in->op->object, extent[0],
			       extent[1], extent[2]);
}

static bool origin_on_unused_axis(struct place place, struct rule_why *why)
{
	if (!place.shape)
		return false;
	for (unsigned axis = place.shape->axes; axis < 3; axis++)
		if (place.origin[axis] != 0)
			return berth__rule_why(why, "image %" PRIu64 " is a %s: origin[%u] is %" PRIu64
					       ", it must be 0", place.image->id, place.shape->name,
					       axis, place.origin[axis]);
	return false;
}

static bool extent_on_unused_axis(const struct rule_input *in, struct place place,
				  struct rule_why *why)
{
	const uint64_t *extent = in->op->region.extent;

	if (!place.shape)
		return false;
	for (unsigned axis = place.shape->axes; axis < 3; axis++)
		if (extent[axis] != 1)
			return berth__rule_why(why, "image %" PRIu64 " is a %s: region[%u] is %" PRIu64
					       ", it must be 1", place.image->id, place.shape->name,
					       axis, extent[axis]);
	return false;
}

static bool region_leaves(const struct rule_input *in, struct place place, struct rule_why *why)
{
	uint64_t size[3];

	if (!place.shape)
		return false;
	berth__image_extent(size, &place.image->image);
	for (unsigned axis = 0; axis < place.shape->axes; axis++) {
		uint64_t extent = in->op->region.extent[axis];

		if (berth__leaves(place.origin[axis], extent, size[axis]))
			return berth__rule_why(why, "image %" PRIu64 ": region[%u] of %" PRIu64
					       " at %" PRIu64 ", the image has %" PRIu64,
					       place.image->id, axis, extent, place.origin[axis],
					       size[axis]);
	}
	return false;
}

static bool object_region_leaves(const struct rule_input *in, struct rule_why *why)
{
	return region_leaves(in, object_place(in), why);
}

static bool other_region_leaves(const struct rule_input *in, struct rule_why *why)
{
	return region_leaves(in, other_place(in), why);
}

static bool object_origin_wrong(const struct rule_input *in, struct rule_why *why)
{
	return origin_on_unused_axis(object_place(in), why);
}

static bool other_origin_wrong(const struct rule_input *in, struct rule_why *why)
{
	return origin_on_unused_axis(other_place(in), why);
}

static bool object_extent_wrong(const struct rule_input *in, struct rule_why *why)
{
	return extent_on_unused_axis(in, object_place(in), why);
}

static bool other_extent_wrong(const struct rule_input *in, struct rule_why *why)
{
	return extent_on_unused_axis(in, other_place(in), why);
}

static const struct rule_row rows[] = {
	{ { "R110.null", SECTION, "no origin nor the region is NULL", KINDS_REGION,
	    { CL_INVALID_VALUE } }, region_missing },
	{ { "R110.bounds", SECTION, "the region lies inside the image", KINDS_REGION,
	    { CL_INVALID_VALUE } }, object_region_leaves },
	{ { "R110.other_bounds", SECTION, "the region lies inside the destination image",
	    KIND(COPY), { CL_INVALID_VALUE } }, other_region_leaves },
	{ { "R110.origin", SECTION, "the origin is 0 on axes that the image type does not have",
	    KINDS_REGION, { CL_INVALID_VALUE } }, object_origin_wrong },
	{ { "R110.other_origin", SECTION,
	    "the origin is 0 on axes that the destination's type does not have", KIND(COPY),
	    { CL_INVALID_VALUE } }, other_origin_wrong },
	{ { "R110.region", SECTION, "the region is 1 on axes that the image type does not have",
	    KINDS_REGION, { CL_INVALID_VALUE } }, object_extent_wrong },
	{ { "R110.other_region", SECTION,
	    "the region is 1 on axes that the destination's type does not have", KIND(COPY),
	    { CL_INVALID_VALUE } }, other_extent_wrong },
	{ { "R110.zero", SECTION, "no element of the region is 0", KINDS_REGION,
	    { CL_INVALID_VALUE } }, region_empty },
};

const struct rule_table berth__rules_image_region =
	RULE_TABLE(rows, KINDS_REGION, FORM(IMAGE) | FORMS_MIXED);
