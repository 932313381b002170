/* SPDX-License-Identifier: Apache-2.0 */
/* The memory model. Sums stop at UINT64_MAX, which no capacity holds. */
#include "memory.h"

#include <inttypes.h>

#include <CL/cl.h>

#include <berth/caps.h>

#include "image_shape.h"

static uint64_t add(uint64_t a, uint64_t b)
{
	uint64_t sum;

	return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

static uint64_t multiply(uint64_t a, uint64_t b)
{
	uint64_t product;

	return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

static uint64_t round_up(uint64_t bytes, uint64_t granule)
{
	uint64_t rest = bytes % granule;

	return rest ? add(bytes, granule - rest) : bytes;
}

/* A pitch of the creation describes the host's memory; the device pads rows its own way. */
static uint64_t image_bytes(const berth_memory_model *model, const berth_image *image)
{
	uint32_t element_bytes = berth_format_element_bytes(image->order, image->channel_type);
	const struct berth__image_shape *shape = berth__image_shape_find(image->type);
	uint64_t extent[3], row_bytes;

	berth__image_extent(extent, image);
	row_bytes = round_up(multiply(extent[0], element_bytes), model->image_row_align_bytes);
	if (row_bytes < model->image_row_min_bytes)
		row_bytes = model->image_row_min_bytes;
	/* The layers of a 1D array are no rows of one image. */
	if (model->image_rows_align && shape && shape->height_axis)
		extent[1] = round_up(extent[1], model->image_rows_align);
	return multiply(multiply(row_bytes, extent[1]), extent[2]);
}

uint64_t berth__memory_object_bytes(const berth_memory_model *model, const berth_op *op)
{
	if (op->kind == BERTH_OP_IMAGE_CREATE)
		return image_bytes(model, &op->image);
	if (op->kind == BERTH_OP_PIPE_CREATE)
		return (uint64_t)op->packet_bytes * op->packet_count;
	return op->bytes;
}

struct berth__footprint berth__memory_footprint(const berth_memory_model *model, uint64_t bytes)
{
	uint64_t all = add(bytes, model->object_overhead_bytes);

	if (all <= model->shared_up_to_bytes)
		return (struct berth__footprint){ 0, all };
	return (struct berth__footprint){ round_up(all, model->granularity_bytes), 0 };
}

void berth__footprint_add(struct berth__footprint *to, const struct berth__footprint *more)
{
	to->own_bytes = add(to->own_bytes, more->own_bytes);
	to->shared_bytes = add(to->shared_bytes, more->shared_bytes);
}

static uint64_t total(const berth_memory_model *model, const struct berth__footprint *footprint)
{
	return add(footprint->own_bytes,
		   round_up(footprint->shared_bytes, model->granularity_bytes));
}

uint64_t berth__memory_in_use_bytes(const struct berth__sim_memory *memory)
{
	return total(&memory->model, &memory->in_use);
}

uint64_t berth__memory_of(const struct berth__sim_memory *memory,
			  const struct berth__footprint *part)
{
	struct berth__footprint rest = memory->in_use;

	rest.own_bytes -= part->own_bytes;
	rest.shared_bytes -= part->shared_bytes;
	return berth__memory_in_use_bytes(memory) - total(&memory->model, &rest);
}

uint64_t berth__memory_with(const struct berth__sim_memory *memory,
			    const struct berth__footprint *more)
{
	struct berth__footprint all = memory->in_use;

	berth__footprint_add(&all, more);
	return total(&memory->model, &all);
}

bool berth__memory_fits(const struct berth__sim_memory *memory, const struct berth__footprint *more)
{
	uint64_t bytes = berth__memory_with(memory, more);

	return bytes != UINT64_MAX && bytes <= memory->model.capacity_bytes;
}

void berth__memory_take(struct berth__sim_memory *memory, const struct berth__footprint *more)
{
	uint64_t bytes;

	berth__footprint_add(&memory->in_use, more);
	bytes = berth__memory_in_use_bytes(memory);
	if (bytes > memory->peak_bytes)
		memory->peak_bytes = bytes;
}

void berth__memory_give(struct berth__sim_memory *memory, const struct berth__footprint *less)
{
	memory->in_use.own_bytes -= less->own_bytes;
	memory->in_use.shared_bytes -= less->shared_bytes;
}

static berth_status wrong_model(const char *field, uint64_t value, const char *allowed)
{
	return berth_error_set(BERTH_E_INVAL, 0, "memory model: %s is %" PRIu64 ": allowed is %s",
			       field, value, allowed);
}

berth_status berth__memory_model_validate(const berth_memory_model *model)
{
	int32_t code = model->out_of_memory_code;

	if (model->capacity_bytes == 0)
		return wrong_model("capacity_bytes", 0, "1 or more");
	if (model->granularity_bytes == 0)
		return wrong_model("granularity_bytes", 0, "1 or more");
	if (model->image_row_align_bytes == 0)
		return wrong_model("image_row_align_bytes", 0, "1 or more");
	if ((unsigned)model->commit > BERTH_COMMIT_NDRANGE)
		return wrong_model("commit", (uint64_t)model->commit,
				   "create, first_use, migrate or ndrange");
	if (code != CL_MEM_OBJECT_ALLOCATION_FAILURE && code != CL_OUT_OF_RESOURCES &&
	    code != CL_OUT_OF_HOST_MEMORY)
		return berth_error_set(BERTH_E_INVAL, 0,
				       "memory model: out_of_memory_code is %" PRId32
				       ": allowed is %d, %d or %d",
				       code, CL_MEM_OBJECT_ALLOCATION_FAILURE, CL_OUT_OF_RESOURCES,
				       CL_OUT_OF_HOST_MEMORY);
	return BERTH_OK;
}
