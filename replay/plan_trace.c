/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Requests from a trace: the objects that own memory, when they live, and what they take on
 * the device that is planned for. One pass; berth_objects knows what lies on what.
 */
#include "plan_queues.h"
#include "plan_source.h"

#include <CL/cl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <berth/objects.h>

#define NO_REQUEST SIZE_MAX

/* Bytes alive now and at most. */
struct tally {
	uint64_t bytes, peak;
};

struct collector {
	berth_plan_source *source;
	const berth_caps *caps; /* of the device that is planned for; NULL: recorded sizes */
	bool by_use;
	uint64_t host_flags; /* of what stays apart */
	berth_objects *objects;
	uint64_t seq; /* of the row at hand */
	struct tally held, apart;
	bool has_images; /* with memory of their own, planned */
	struct berth__plan_queues queues;
	berth_status status; /* of what cannot fail where it happens */
};

/* An object that owns memory, while it lives. */
struct life {
	size_t request; /* its index, or NO_REQUEST: apart, or not used yet */
	bool apart;
	uint64_t last_use; /* seq */
	struct berth__plan_queue_use queue_use;
	uint64_t object, created;
	uint64_t held_bytes;
	uint64_t bytes, align_bytes;
	uint32_t group;
	berth_plan_item_kind kind;
};

static void tally_add(struct tally *tally, uint64_t bytes)
{
	if (__builtin_add_overflow(tally->bytes, bytes, &tally->bytes))
		tally->bytes = UINT64_MAX;
	if (tally->bytes > tally->peak)
		tally->peak = tally->bytes;
}

static void tally_subtract(struct tally *tally, uint64_t bytes)
{
	tally->bytes -= bytes < tally->bytes ? bytes : tally->bytes;
}

/* ---- what an object takes ---- */

/* Whether an image may lie on a buffer of the device; else *why. */
static bool image_fits(berth_plan_apart *why, const berth_caps *caps, const berth_object *object)
{
	const berth_image *image = &object->image;

	if (image->type != CL_MEM_OBJECT_IMAGE2D || image->mip_levels > 1 || image->samples > 1)
		*why = BERTH_PLAN_APART_TYPE;
	else if (!caps->image2d_from_buffer ||
		 berth_caps_pitch_align_bytes(caps, object->element_bytes) == 0)
		*why = BERTH_PLAN_APART_DEVICE;
	else if (!berth_caps_has_format(caps, image->type, image->order, image->channel_type,
					object->flags))
		*why = BERTH_PLAN_APART_FORMAT;
	else if (image->width > caps->image2d_max_width || image->height > caps->image2d_max_height)
		*why = BERTH_PLAN_APART_LIMIT;
	else
		return true;
	return false;
}

/* Rows padded to what images on buffers of the device need; false: does not fit 64 bits. */
static bool padded_bytes(uint64_t *out, const berth_caps *caps, const berth_object *object)
{
	uint64_t align = berth_caps_pitch_align_bytes(caps, object->element_bytes);
	uint64_t row, rest;

	if (__builtin_mul_overflow(object->image.width, object->element_bytes, &row))
		return false;
	rest = row % align;
	return !__builtin_add_overflow(row, rest ? align - rest : 0, &row) &&
	       !__builtin_mul_overflow(row, object->image.height, out);
}

/* Whether the object can be a range of a larger buffer, and of which size; else *why. */
static bool measure(struct life *life, berth_plan_apart *why, const struct collector *collector,
		    const berth_object *object)
{
	const berth_caps *caps = collector->caps;
	uint64_t limit = collector->source->models[0].input.caps.max_arena_bytes;

	*why = BERTH_PLAN_APART_LIMIT;
	life->bytes = caps ? object->bytes : life->held_bytes;
	if (object->flags & collector->host_flags) {
		*why = BERTH_PLAN_APART_HOST;
		return false;
	}
	if (object->kind == BERTH_OBJECT_IMAGE && caps) {
		if (!image_fits(why, caps, object) || !padded_bytes(&life->bytes, caps, object))
			return false;
		life->align_bytes = berth_caps_image_base_align_bytes(caps, object->element_bytes);
	}
	return limit == 0 || life->bytes <= limit;
}

/* ---- when it lives ---- */

static berth_status request_life(struct collector *collector, struct life *life)
{
	berth_plan_request *request;
	berth_plan_item *item;
	char name[24];
	size_t index = collector->source->models[0].input.request_count;
	berth_status st;

	snprintf(name, sizeof(name), "%" PRIu64, life->object);
	st = berth__plan_source_add(collector->source, name, &request, &item);
	if (st != BERTH_OK)
		return st;
	request->bytes = life->bytes;
	request->lower = collector->seq;
	request->arena_group = life->group;
	item->object = life->object;
	item->place = life->created;
	item->held_bytes = life->held_bytes;
	life->request = index;
	return BERTH_OK;
}

/* Called for each object that ends, at the op `seq`. */
static void on_end(berth_object *object, void *userdata)
{
	struct collector *collector = userdata;
	struct life *life = object->user;
	berth_plan_request *request;

	if (!life)
		return;
	tally_subtract(&collector->held, life->held_bytes);
	if (life->apart)
		tally_subtract(&collector->apart, life->held_bytes);
	else if (life->request == NO_REQUEST)
		collector->source->unused++;
	if (life->request != NO_REQUEST) {
		bool by_use = collector->by_use && object->mapping_count == 0;

		request = berth__plan_source_request(collector->source, life->request);
		request->upper = by_use ? life->last_use + 1 : collector->seq;
		request->align_bytes = life->align_bytes;
		berth__plan_source_item(collector->source, life->request)->kind = life->kind;
		if (collector->status == BERTH_OK)
			collector->status = berth__plan_queues_ended(
				&collector->queues, &life->queue_use, life->request);
	}
	free(life);
}

static berth_status begin_life(struct collector *collector, berth_object *object,
			       const berth_result *result)
{
	struct life *life = calloc(1, sizeof(*life));
	berth_plan_apart why;

	if (!life)
		return berth_error_set(BERTH_E_NOMEM, 0, "no memory for the objects of the trace");
	object->user = life;
	life->request = NO_REQUEST;
	life->object = object->id;
	life->created = collector->seq;
	life->held_bytes = result->bytes ? result->bytes : object->bytes;
	life->group = object->flags & CL_MEM_ALLOC_HOST_PTR ? BERTH_PLAN_GROUP_HOST : 0;
	life->kind =
		object->kind == BERTH_OBJECT_IMAGE ? BERTH_PLAN_ITEM_IMAGE : BERTH_PLAN_ITEM_BUFFER;
	life->apart = !measure(life, &why, collector, object);
	tally_add(&collector->held, life->held_bytes);
	collector->has_images |= !life->apart && object->kind == BERTH_OBJECT_IMAGE;
	if (life->apart) {
		tally_add(&collector->apart, life->held_bytes);
		collector->source->apart_count[why]++;
		return BERTH_OK;
	}
	return collector->by_use ? BERTH_OK : request_life(collector, life);
}

/* An image on a buffer: the buffer begins where the image may begin. */
static berth_status lay_image(const struct collector *collector, const berth_object *image)
{
	struct life *life = image->root->user;

	if (!life || image->root->kind == BERTH_OBJECT_IMAGE)
		return BERTH_OK;
	life->kind = BERTH_PLAN_ITEM_BOTH;
	if (!collector->caps)
		return BERTH_OK;
	return berth__plan_align_join(
		&life->align_bytes,
		berth_caps_image_base_align_bytes(collector->caps, image->element_bytes));
}

/* ---- the ops ---- */

static berth_status touch(struct collector *collector, uint64_t id, uint64_t queue)
{
	const berth_object *object = berth_objects_find(collector->objects, id);
	struct life *life = object ? object->root->user : NULL;

	if (!life || life->apart)
		return BERTH_OK;
	life->last_use = collector->seq;
	berth__plan_queues_use(&collector->queues, &life->queue_use, queue, collector->seq);
	return collector->by_use && life->request == NO_REQUEST ? request_life(collector, life) : BERTH_OK;
}

/* All objects whose bytes the op uses. */
static berth_status touch_all(struct collector *collector, const berth_op *op)
{
	static const bool uses_bytes[BERTH_OP_KIND_END] = {
		[BERTH_OP_WRITE] = true, [BERTH_OP_READ] = true,    [BERTH_OP_COPY] = true,
		[BERTH_OP_FILL] = true,	 [BERTH_OP_MAP] = true,	    [BERTH_OP_UNMAP] = true,
		[BERTH_OP_USE] = true,	 [BERTH_OP_MIGRATE] = true,
	};
	bool filled = op->kind == BERTH_OP_BUFFER_CREATE || op->kind == BERTH_OP_IMAGE_CREATE;
	berth_status st = BERTH_OK;

	if (filled && op->flags & CL_MEM_COPY_HOST_PTR)
		return touch(collector, op->object, op->queue);
	if (!uses_bytes[op->kind])
		return BERTH_OK;
	st = touch(collector, op->object, op->queue);
	if (st == BERTH_OK)
		st = touch(collector, op->other, op->queue);
	for (uint32_t i = 0; st == BERTH_OK && i < op->use_count; i++)
		st = touch(collector, op->uses[i].object, op->queue);
	if (op->bits & BERTH_OP_BLOCKING)
		berth__plan_queues_waited(&collector->queues, op->queue, collector->seq);
	return st;
}

/* An op that a driver took and the table cannot follow, as a release of NULL, changes nothing. */
static berth_status take_row(struct collector *collector, const berth_trace_op *row)
{
	berth_object *created = NULL;
	berth_status st;

	if (!row->answered || row->result.cl_status != CL_SUCCESS)
		return BERTH_OK;
	st = berth_objects_apply(collector->objects, &row->op, &created);
	if (st == BERTH_E_NOMEM)
		return st;
	st = BERTH_OK;
	if (created && !created->parent)
		st = begin_life(collector, created, &row->result);
	else if (created && created->kind == BERTH_OBJECT_IMAGE)
		st = lay_image(collector, created);
	if (row->op.kind == BERTH_OP_SYNC)
		berth__plan_queues_waited(&collector->queues, row->op.queue, collector->seq);
	return st == BERTH_OK ? touch_all(collector, &row->op) : st;
}

static berth_status take_rows(struct collector *collector, berth_trace *trace)
{
	const berth_trace_op *row;
	berth_status st = berth_trace_select(trace, BERTH_TRACE_FIELDS_OP);

	while (st == BERTH_OK && (st = berth_trace_next(&row, trace)) == BERTH_OK && row) {
		collector->seq = row->seq;
		st = take_row(collector, row);
	}
	return st;
}

/* Without another device the plan is for those of the trace, all of them. */
static berth_status keep_recorded_limits(berth_plan_source *source, berth_trace *trace)
{
	berth_plan_caps *limits = &source->models[0].input.caps;
	uint32_t count = berth_trace_get_info(trace)->device_count;
	berth_caps caps;
	berth_status st = BERTH_OK;

	source->recorded_sizes = true;
	for (uint32_t i = 0; st == BERTH_OK && i < count; i++) {
		st = berth_trace_device(&caps, trace, i);
		if (st != BERTH_OK)
			break;
		source->recorded_images_apart |= !caps.image2d_from_buffer;
		if (limits->max_arena_bytes == 0 || caps.max_alloc_bytes < limits->max_arena_bytes)
			limits->max_arena_bytes = caps.max_alloc_bytes;
		st = berth__plan_align_join(&limits->align_bytes,
					    berth_caps_base_align_bytes(&caps));
	}
	return st;
}

berth_status berth__plan_trace_read(berth_plan_source *source, berth_trace *trace,
				    const berth_plan_source_options *options)
{
	struct collector collector = {
		.source = source,
		.caps = options->caps,
		.by_use = options->by_use,
		.host_flags = CL_MEM_USE_HOST_PTR |
			      (options->host_memory_apart ? CL_MEM_ALLOC_HOST_PTR : 0),
	};
	berth_status st;

	source->kind = BERTH_PLAN_SOURCE_TRACE;
	st = berth__plan_source_add_model(source, "", options->caps);
	if (st == BERTH_OK && !options->caps)
		st = keep_recorded_limits(source, trace);
	if (st == BERTH_OK)
		st = berth_objects_create(&collector.objects, on_end, &collector);
	if (st != BERTH_OK)
		return st;
	st = take_rows(&collector, trace);
	/* What was never released lives to the end. */
	collector.seq++;
	berth_objects_destroy(collector.objects);
	if (st == BERTH_OK)
		st = collector.status;
	if (st == BERTH_OK && source->models[0].input.request_count > 0)
		source->lengthened = berth__plan_queues_apply(
			&collector.queues, berth__plan_source_request(source, 0),
			source->models[0].input.request_count, collector.seq);
	berth__plan_queues_fini(&collector.queues);
	source->held_bytes = collector.held.peak;
	source->apart_bytes = collector.apart.peak;
	source->recorded_images_apart &= collector.has_images;
	return st;
}
