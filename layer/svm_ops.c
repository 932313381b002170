/* SPDX-License-Identifier: Apache-2.0 */
/* A pointer is written as the id of the allocation that it lies in, and its offset there. */
#include "layer_callback.h"
#include "layer_svm.h"

#include <stdlib.h>

/* Of a longer list the rest is left out, and the call counted as not modelled. */
#define LIST_MAX 16384u

static uint64_t id_of(const void *pointer, const struct berth__svm *svm)
{
	return svm->base ? svm->id : pointer ? BERTH_ID_UNKNOWN : BERTH_ID_NONE;
}

static uint64_t offset_of(const void *pointer, const struct berth__svm *svm)
{
	return svm->base ? (uint64_t)((uintptr_t)pointer - (uintptr_t)svm->base) : 0;
}

/* The op's own side. */
static void put_pointer(struct berth__call *call, const void *pointer)
{
	struct berth__svm svm;

	berth__svm_map_find(&berth__layer.svm, pointer, &svm);
	call->op->object = id_of(pointer, &svm);
	call->op->offset_bytes = offset_of(pointer, &svm);
}

void berth__svm_begin_alloc(struct berth__call *call, const struct berth__svm_request *request)
{
	berth__call_begin(call, BERTH_OP_SVM_ALLOC, BERTH_FORM_NONE);
	berth__call_new_object(call, request->context);
	call->op->flags = request->flags;
	call->op->bytes = request->size;
	call->op->bits = (uint16_t)request->bits;
	call->op->pattern_bytes = request->alignment; /* op_fold.h */
	berth__call_enter(call);
}

void berth__svm_end_alloc(struct berth__call *call, void *pointer, cl_int status)
{
	berth__call_leave(call, berth__call_create_status(pointer, status));
	if (berth__call_succeeded(call)) {
		const struct berth__svm svm = { pointer, call->op->bytes, call->op->object,
						call->op->context };

		berth__call_host(call, pointer);
		if (!berth__svm_map_add(&berth__layer.svm, &svm))
			berth__spool_count_lost(&berth__layer.spool);
	}
	berth__call_commit(call);
}

/* The driver may give the address out again before it returns: the entry goes first. */
void berth__svm_begin_free(struct berth__call *call, struct berth__svm *entry, cl_context context,
			   const void *pointer)
{
	berth__call_begin(call, BERTH_OP_SVM_FREE, BERTH_FORM_NONE);
	berth__svm_map_take(&berth__layer.svm, pointer, entry);
	call->op->object = id_of(pointer, entry);
	call->op->context = entry->base ? entry->context : berth__layer_context(context);
	berth__call_enter(call);
}

void berth__svm_end_free(struct berth__call *call, const struct berth__svm *entry, cl_int status)
{
	berth__call_leave(call, status);
	if (status != CL_SUCCESS && entry->base)
		berth__svm_map_add(&berth__layer.svm, entry);
	berth__call_commit(call);
}

/* Ids of the pointers; without those that are in no allocation of ours. */
static void list_pointers(struct berth__uses *uses, void *const *pointers, cl_uint count,
			  const char *untracked_name)
{
	if (count > LIST_MAX) {
		berth__layer_count_untracked(untracked_name);
		count = LIST_MAX;
	}
	if (!berth__uses_reserve(uses, pointers ? count : 0))
		berth__spool_count_lost(&berth__layer.spool);
	for (cl_uint i = 0; pointers && uses->list && i < count; i++) {
		struct berth__svm svm;

		berth__svm_map_find(&berth__layer.svm, pointers[i], &svm);
		uses->list[uses->count++] =
			(berth_object_use){ .object = id_of(pointers[i], &svm), .arg_index = i };
	}
}

struct free_callback {
	berth__svm_free_function function;
	void *user_data;
};

static void CL_CALLBACK on_free(cl_command_queue queue, cl_uint count, void *pointers[],
				void *user_data)
{
	struct free_callback own = *(const struct free_callback *)user_data;
	uint32_t depth = berth__callback_begin();

	free(user_data);
	own.function(queue, count, pointers, own.user_data);
	berth__callback_end(depth);
}

/* What the program's function calls is the program's, wherever the driver runs it. */
static void wrap_function(struct berth__svm_enqueued_free *enqueued)
{
	struct free_callback *callback = malloc(sizeof(*callback));

	if (!callback)
		return;
	*callback = (struct free_callback){ enqueued->function, enqueued->user_data };
	enqueued->function = on_free;
	enqueued->user_data = callback;
}

void berth__svm_begin_enqueued_free(struct berth__svm_enqueued_free *enqueued,
				    cl_command_queue queue)
{
	struct berth__call *call = &enqueued->call;
	bool by_program = enqueued->function;

	list_pointers(&enqueued->uses, enqueued->pointers, enqueued->count,
		      "clEnqueueSVMFree of too many pointers");
	/* The program's own function will call clSVMFree, which is recorded then. */
	berth__call_begin(call, by_program ? BERTH_OP_USE : BERTH_OP_SVM_FREE, BERTH_FORM_NONE);
	berth__call_queue(call, queue);
	if (by_program)
		call->op->name = berth__layer_name("clEnqueueSVMFree with a function");
	else
		call->op->bits = BERTH_OP_ENQUEUED;
	if (!enqueued->pointers)
		call->op->absent |= BERTH_ABSENT_LIST;
	berth__call_uses(call, &enqueued->uses);
	if (by_program)
		wrap_function(enqueued);
	berth__call_enter(call);
}

void berth__svm_end_enqueued_free(struct berth__svm_enqueued_free *enqueued, cl_int status)
{
	struct berth__svm svm;

	berth__call_leave(&enqueued->call, status);
	/* What the driver frees by itself is gone; with a function of the program's, that frees. */
	if (berth__call_succeeded(&enqueued->call) && !enqueued->function)
		for (cl_uint i = 0; enqueued->pointers && i < enqueued->count; i++)
			berth__svm_map_take(&berth__layer.svm, enqueued->pointers[i], &svm);
	if (status != CL_SUCCESS && enqueued->function == on_free)
		free(enqueued->user_data);
	berth__call_commit(&enqueued->call);
	berth__uses_free(&enqueued->uses);
}

bool berth__svm_begin_copy(struct berth__call *call, struct berth__svm_copy *copy)
{
	bool to_svm = berth__svm_map_find(&berth__layer.svm, copy->to, &copy->target);
	bool from_svm = berth__svm_map_find(&berth__layer.svm, copy->from, &copy->source);
	bool writes = to_svm && !from_svm;

	/* Fine-grained system memory allows it, and it is nothing of a device's. */
	if (!to_svm && !from_svm && copy->to && copy->from) {
		berth__layer_count_untracked("clEnqueueSVMMemcpy between pointers of the host");
		return false;
	}
	berth__call_begin(call,
			  writes   ? BERTH_OP_WRITE
			  : to_svm ? BERTH_OP_COPY
				   : BERTH_OP_READ,
			  BERTH_FORM_SVM);
	call->op->bytes = copy->bytes;
	call->op->object =
		writes ? copy->target.id : id_of(copy->from, &copy->source);
	call->op->offset_bytes = writes ? offset_of(copy->to, &copy->target)
					: offset_of(copy->from, &copy->source);
	if (to_svm && from_svm) {
		call->op->other = copy->target.id;
		call->op->other_offset_bytes = offset_of(copy->to, &copy->target);
	} else {
		berth__call_host(call, writes ? copy->from : copy->to);
	}
	berth__call_queue(call, copy->queue);
	berth__call_blocking(call, copy->blocking);
	berth__call_enter(call);
	return true;
}

void berth__svm_end_copy(struct berth__call *call, const struct berth__svm_copy *copy,
			 cl_int status)
{
	struct berth__rows rows = { .row_bytes = copy->bytes, .rows = 1, .slices = 1 };

	berth__call_leave(call, status);
	rows.host = call->op->kind == BERTH_OP_WRITE ? copy->from : copy->to;
	if (berth__call_succeeded(call) && call->op->kind == BERTH_OP_WRITE)
		berth__call_digest_rows(call, &rows);
	if (berth__call_succeeded(call) && call->op->kind == BERTH_OP_READ)
		berth__call_digest_read(call, &rows);
	berth__call_commit(call);
}

void berth__svm_begin_fill(struct berth__call *call, cl_command_queue queue, const void *pointer,
			   const void *pattern, size_t pattern_bytes, size_t bytes)
{
	berth__call_begin(call, BERTH_OP_FILL, BERTH_FORM_SVM);
	berth__call_queue(call, queue);
	put_pointer(call, pointer);
	call->op->bytes = bytes;
	call->op->pattern_bytes = pattern_bytes;
	berth__call_host(call, pattern);
	berth__call_enter(call);
}

void berth__svm_end_fill(struct berth__call *call, cl_int status, const void *pattern)
{
	berth__call_leave(call, status);
	if (berth__call_succeeded(call))
		berth__call_digest(call, pattern, call->op->pattern_bytes);
	berth__call_commit(call);
}

void berth__svm_begin_map(struct berth__call *call, cl_command_queue queue, cl_bool blocking,
			  cl_map_flags flags, const void *pointer, size_t bytes)
{
	berth__call_begin(call, BERTH_OP_MAP, BERTH_FORM_SVM);
	berth__call_queue(call, queue);
	berth__call_blocking(call, blocking);
	put_pointer(call, pointer);
	call->op->flags = flags;
	call->op->bytes = bytes;
	call->op->mapping =
		atomic_fetch_add_explicit(&berth__layer.last_mapping, 1, memory_order_relaxed) + 1;
	berth__call_enter(call);
}

void berth__svm_end_map(struct berth__call *call, cl_int status, const void *pointer)
{
	const struct berth__svm_mapping mapping = { pointer, call->op->mapping, call->op->flags,
						    call->op->bytes };
	const struct berth__rows rows = {
		.host = pointer, .row_bytes = call->op->bytes, .rows = 1, .slices = 1
	};

	berth__call_leave(call, status);
	if (berth__call_succeeded(call)) {
		if (!berth__svm_mapping_add(&berth__layer.svm, &mapping))
			berth__spool_count_lost(&berth__layer.spool);
		if (mapping.flags & CL_MAP_READ)
			berth__call_digest_read(call, &rows);
	}
	berth__call_commit(call);
}

void berth__svm_begin_unmap(struct berth__call *call, struct berth__svm_mapping *mapping,
			    cl_command_queue queue, const void *pointer)
{
	berth__call_begin(call, BERTH_OP_UNMAP, BERTH_FORM_SVM);
	berth__call_queue(call, queue);
	put_pointer(call, pointer);
	*mapping = berth__svm_mapping_take(&berth__layer.svm, pointer);
	call->op->mapping = mapping->id;
	berth__call_host(call, pointer);
	if (mapping->id && (mapping->flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION)))
		berth__call_digest(call, pointer, mapping->bytes);
	berth__call_enter(call);
}

void berth__svm_end_unmap(struct berth__call *call, const struct berth__svm_mapping *mapping,
			  cl_int status)
{
	berth__call_leave(call, status);
	if (status != CL_SUCCESS && mapping->id)
		berth__svm_mapping_add(&berth__layer.svm, mapping);
	berth__call_commit(call);
}

void berth__svm_begin_migrate(struct berth__svm_migration *migration, cl_command_queue queue,
			      void *const *pointers, cl_uint count, cl_mem_migration_flags flags)
{
	struct berth__call *call = &migration->call;

	list_pointers(&migration->uses, pointers, count,
		      "clEnqueueSVMMigrateMem of too many pointers");
	berth__call_begin(call, BERTH_OP_MIGRATE, BERTH_FORM_SVM);
	berth__call_queue(call, queue);
	call->op->flags = flags;
	if (!pointers)
		call->op->absent |= BERTH_ABSENT_LIST;
	berth__call_uses(call, &migration->uses);
	berth__call_enter(call);
}

void berth__svm_end_migrate(struct berth__svm_migration *migration, cl_int status)
{
	berth__call_leave(&migration->call, status);
	berth__call_commit(&migration->call);
	berth__uses_free(&migration->uses);
}
