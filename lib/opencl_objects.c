/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ids of the OpenCL device: a search tree of the C library by id. Its depth is
 * small next to what any driver call costs, and it cannot be flooded.
 */
#include "opencl_device.h"

#include <assert.h>
#include <inttypes.h>
#include <search.h>
#include <stdlib.h>

static int compare_ids(const void *left, const void *right)
{
	uint64_t a = ((const struct berth__cl_object *)left)->id;
	uint64_t b = ((const struct berth__cl_object *)right)->id;

	return a < b ? -1 : a > b;
}

/* Also what only its children hold. */
static struct berth__cl_object *find_existing(const struct berth__opencl *opencl, uint64_t id)
{
	struct berth__cl_object key = { .id = id };
	void *node = tfind(&key, &opencl->objects, compare_ids);

	return node ? *(struct berth__cl_object **)node : NULL;
}

struct berth__cl_object *berth__cl_find(const struct berth__opencl *opencl, uint64_t id)
{
	struct berth__cl_object *object = find_existing(opencl, id);

	return object && object->references > 0 ? object : NULL;
}

berth_status berth__cl_check_new(const struct berth__opencl *opencl, uint64_t id)
{
	if (id == BERTH_ID_NONE || id == BERTH_ID_UNKNOWN)
		return berth_error_set(BERTH_E_STATE, 0, "id %" PRIu64 " is reserved", id);
	if (find_existing(opencl, id))
		return berth_error_set(BERTH_E_STATE, 0, "object %" PRIu64 " is alive already", id);
	return BERTH_OK;
}

static uint64_t mem_size(cl_mem mem)
{
	size_t bytes = 0;

	if (clGetMemObjectInfo(mem, CL_MEM_SIZE, sizeof(bytes), &bytes, NULL) != CL_SUCCESS)
		return 0;
	return bytes;
}

static uint64_t image_size_info(cl_mem mem, cl_image_info info)
{
	size_t bytes = 0;

	if (clGetImageInfo(mem, info, sizeof(bytes), &bytes, NULL) != CL_SUCCESS)
		return 0;
	return bytes;
}

static void count_created(struct berth__opencl *opencl, const struct berth__cl_object *object)
{
	berth_memory *memory = &opencl->memory;

	memory->live_objects++;
	if (object->parent)
		return;
	memory->in_use_bytes += object->bytes;
	if (memory->in_use_bytes > memory->peak_bytes)
		memory->peak_bytes = memory->in_use_bytes;
}

/* A new object of that id with one reference; NULL: no memory. */
static struct berth__cl_object *keep_object(struct berth__opencl *opencl, uint64_t id)
{
	struct berth__cl_object *object = calloc(1, sizeof(*object));

	if (object)
		object->id = id;
	if (!object || !tsearch(object, &opencl->objects, compare_ids)) {
		free(object);
		return NULL;
	}
	object->references = 1;
	LIST_INSERT_HEAD(&opencl->newest_first, object, link);
	return object;
}

berth_status berth__cl_adopt(struct berth__cl_call *call)
{
	struct berth__opencl *opencl = call->opencl;
	struct berth__cl_object *object = keep_object(opencl, call->op->object);

	if (!object) {
		if (call->op->kind == BERTH_OP_SVM_ALLOC)
			clSVMFree(opencl->context, call->result->mapped);
		else
			clReleaseMemObject(call->created);
		return berth_error_set(BERTH_E_NOMEM, 0, "no memory for object %" PRIu64,
				       call->op->object);
	}
	object->mem = call->created;
	if (call->op->kind == BERTH_OP_SVM_ALLOC)
		object->svm = call->result->mapped;
	object->bytes = object->svm ? call->op->bytes : mem_size(object->mem);
	object->parent = call->other ? berth__cl_find(opencl, call->op->other) : NULL;
	if (object->parent)
		object->parent->children++;
	count_created(opencl, object);

	call->result->bytes = object->bytes;
	if (call->op->kind == BERTH_OP_IMAGE_CREATE) {
		call->result->row_pitch_bytes = image_size_info(object->mem, CL_IMAGE_ROW_PITCH);
		call->result->slice_pitch_bytes =
			image_size_info(object->mem, CL_IMAGE_SLICE_PITCH);
	}
	return BERTH_OK;
}

berth_status berth__cl_borrow(struct berth__opencl *opencl, uint64_t id, cl_mem mem)
{
	struct berth__cl_object *object;
	berth_status st = berth__cl_check_new(opencl, id);
	cl_int code;

	if (st != BERTH_OK)
		return st;
	code = clRetainMemObject(mem);
	if (code != CL_SUCCESS)
		return berth__cl_failed("clRetainMemObject", code);
	object = keep_object(opencl, id);
	if (!object) {
		clReleaseMemObject(mem);
		return berth_error_set(BERTH_E_NOMEM, 0, "no memory for object %" PRIu64, id);
	}
	/* Its bytes are the lender's. */
	object->mem = mem;
	count_created(opencl, object);
	return BERTH_OK;
}

/* Free an object that nobody holds any more, and so its parents. */
static void end_if_unheld(struct berth__opencl *opencl, struct berth__cl_object *object)
{
	while (object && object->references == 0 && object->children == 0) {
		struct berth__cl_object *parent = object->parent;

		if (parent)
			parent->children--;
		else
			opencl->memory.in_use_bytes -= object->bytes;
		LIST_REMOVE(object, link);
		tdelete(object, &opencl->objects, compare_ids);
		free(object);
		object = parent;
	}
}

void berth__cl_drop(struct berth__opencl *opencl, struct berth__cl_object *object)
{
	assert(object->references > 0);
	if (--object->references > 0)
		return;
	opencl->memory.live_objects--;
	/* A mapping ends with its object; its pointer is the driver's. */
	while (object->mappings)
		berth__cl_remove_mapping(object, object->mappings->id);
	end_if_unheld(opencl, object);
}

struct berth__cl_mapping *berth__cl_find_mapping(const struct berth__cl_object *object, uint64_t id)
{
	struct berth__cl_mapping *mapping = object->mappings;

	while (mapping && mapping->id != id)
		mapping = mapping->next;
	return mapping;
}

void berth__cl_remove_mapping(struct berth__cl_object *object, uint64_t id)
{
	struct berth__cl_mapping **link = &object->mappings;

	while (*link && (*link)->id != id)
		link = &(*link)->next;
	if (*link) {
		struct berth__cl_mapping *mapping = *link;

		*link = mapping->next;
		free(mapping);
	}
}

static void unmap_all(struct berth__opencl *opencl, struct berth__cl_object *object)
{
	if (!object->mappings)
		return;
	while (object->mappings) {
		if (object->svm)
			clEnqueueSVMUnmap(opencl->queue, object->mappings->pointer, 0, NULL, NULL);
		else
			clEnqueueUnmapMemObject(opencl->queue, object->mem,
						object->mappings->pointer, 0, NULL, NULL);
		berth__cl_remove_mapping(object, object->mappings->id);
	}
	clFinish(opencl->queue);
}

void berth__cl_release_all(struct berth__opencl *opencl)
{
	struct berth__cl_object *object;

	clFinish(opencl->queue);
	/* NVIDIA's driver crashes on sub-buffers that are released before newer ones over them. */
	while ((object = LIST_FIRST(&opencl->newest_first))) {
		unmap_all(opencl, object);
		if (object->svm)
			clSVMFree(opencl->context, object->svm);
		for (; !object->svm && object->references > 0; object->references--)
			clReleaseMemObject(object->mem);
		LIST_REMOVE(object, link);
		tdelete(object, &opencl->objects, compare_ids);
		free(object);
	}
}
