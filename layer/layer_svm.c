/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shared virtual memory, and pipes. A pointer is written as the id of the allocation that
 * it lies in, and its offset there.
 */
#include "layer_call.h"
#include "layer_calls.h"
#include "layer_kernel.h"

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

void *CL_API_CALL berth__clSVMAlloc(cl_context context, cl_svm_mem_flags flags, size_t size,
				    cl_uint alignment)
{
	struct berth__call call;
	void *pointer;

	berth__call_begin(&call, BERTH_OP_SVM_ALLOC, BERTH_FORM_NONE);
	berth__call_new_object(&call, context);
	call.op->flags = flags;
	call.op->bytes = size;
	call.op->pattern_bytes = alignment; /* op_fold.h */
	berth__call_enter(&call);
	pointer = berth__layer.target.clSVMAlloc(context, flags, size, alignment);
	/* There is no code: a refusal is written as this one (rules.h, R160). */
	berth__call_leave(&call, pointer ? CL_SUCCESS : CL_MEM_OBJECT_ALLOCATION_FAILURE);
	if (berth__call_succeeded(&call)) {
		const struct berth__svm svm = { pointer, size, call.op->object, call.op->context };

		berth__call_host(&call, pointer);
		if (!berth__svm_map_add(&berth__layer.svm, &svm))
			berth__spool_count_lost(&berth__layer.spool);
	}
	berth__call_commit(&call);
	return pointer;
}

/* The driver may give the address out again before it returns: the entry goes first. */
void CL_API_CALL berth__clSVMFree(cl_context context, void *pointer)
{
	struct berth__call call;
	struct berth__svm svm;

	berth__call_begin(&call, BERTH_OP_SVM_FREE, BERTH_FORM_NONE);
	berth__svm_map_take(&berth__layer.svm, pointer, &svm);
	call.op->object = id_of(pointer, &svm);
	call.op->context = svm.base ? svm.context : berth__layer_context(context);
	berth__call_enter(&call);
	berth__layer.target.clSVMFree(context, pointer);
	berth__call_leave(&call, CL_SUCCESS);
	berth__call_commit(&call);
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

static void attach(struct berth__call *call, const struct berth__uses *uses)
{
	if (uses->count == 0)
		return;
	call->uses = uses->list;
	call->op->use_count = uses->count;
	call->parts |= BERTH_SPOOL_PART_USES;
}

/* What the driver frees by itself is gone; with a function of the program's, that frees. */
static void forget_freed(void *const *pointers, cl_uint count)
{
	struct berth__svm svm;

	for (cl_uint i = 0; pointers && i < count; i++)
		berth__svm_map_take(&berth__layer.svm, pointers[i], &svm);
}

cl_int CL_API_CALL berth__clEnqueueSVMFree(
	cl_command_queue queue, cl_uint count, void *pointers[],
	void(CL_CALLBACK *free_function)(cl_command_queue, cl_uint, void *[], void *),
	void *user_data, cl_uint wait_count, const cl_event *wait_list, cl_event *event)
{
	struct berth__call call;
	struct berth__uses uses;
	cl_int status;

	list_pointers(&uses, pointers, count, "clEnqueueSVMFree of too many pointers");
	/* The program's own function will call clSVMFree, which is recorded then. */
	berth__call_begin(&call, free_function ? BERTH_OP_USE : BERTH_OP_SVM_FREE, BERTH_FORM_NONE);
	berth__call_queue(&call, queue);
	if (free_function)
		call.op->name = berth__layer_name("clEnqueueSVMFree with a function");
	else
		call.op->bits = BERTH_OP_ENQUEUED;
	if (!pointers)
		call.op->absent |= BERTH_ABSENT_LIST;
	attach(&call, &uses);
	berth__call_enter(&call);
	status = berth__layer.target.clEnqueueSVMFree(queue, count, pointers, free_function,
						      user_data, wait_count, wait_list, event);
	berth__call_leave(&call, status);
	if (berth__call_succeeded(&call) && !free_function)
		forget_freed(pointers, count);
	berth__call_commit(&call);
	berth__uses_free(&uses);
	return status;
}

struct copy {
	void *to;
	const void *from;
	size_t bytes;
	struct berth__svm target, source; /* base NULL: of the host */
};

/* From the host it is a write, to the host a read. */
static void begin_copy(struct berth__call *call, const struct copy *copy)
{
	const struct berth__svm *target = &copy->target, *source = &copy->source;
	bool to_svm = target->base, from_svm = source->base, writes = to_svm && !from_svm;

	berth__call_begin(call,
			  writes   ? BERTH_OP_WRITE
			  : to_svm ? BERTH_OP_COPY
				   : BERTH_OP_READ,
			  BERTH_FORM_SVM);
	call->op->bytes = copy->bytes;
	call->op->object = writes ? target->id : id_of(copy->from, source);
	call->op->offset_bytes = writes ? offset_of(copy->to, target)
					: offset_of(copy->from, source);
	if (to_svm && from_svm) {
		call->op->other = target->id;
		call->op->other_offset_bytes = offset_of(copy->to, target);
	} else {
		berth__call_host(call, writes ? copy->from : copy->to);
	}
}

cl_int CL_API_CALL berth__clEnqueueSVMMemcpy(cl_command_queue queue, cl_bool blocking,
					     void *destination, const void *source, size_t size,
					     cl_uint wait_count, const cl_event *wait_list,
					     cl_event *event)
{
	struct copy copy = { .to = destination, .from = source, .bytes = size };
	bool to_svm = berth__svm_map_find(&berth__layer.svm, destination, &copy.target);
	bool from_svm = berth__svm_map_find(&berth__layer.svm, source, &copy.source);
	struct berth__call call;
	cl_int status;

	/* Fine-grained system memory allows it, and it is nothing of a device's. */
	if (!to_svm && !from_svm && destination && source) {
		berth__layer_count_untracked("clEnqueueSVMMemcpy between pointers of the host");
		return berth__layer.target.clEnqueueSVMMemcpy(queue, blocking, destination, source,
							      size, wait_count, wait_list, event);
	}
	begin_copy(&call, &copy);
	berth__call_queue(&call, queue);
	berth__call_blocking(&call, blocking);
	berth__call_enter(&call);
	status = berth__layer.target.clEnqueueSVMMemcpy(queue, blocking, destination, source, size,
							wait_count, wait_list, event);
	berth__call_leave(&call, status);
	if (berth__call_succeeded(&call) && call.op->kind == BERTH_OP_WRITE)
		berth__call_digest(&call, source, size);
	if (berth__call_succeeded(&call) && call.op->kind == BERTH_OP_READ && blocking)
		berth__call_digest(&call, destination, size);
	berth__call_commit(&call);
	return status;
}

cl_int CL_API_CALL berth__clEnqueueSVMMemFill(cl_command_queue queue, void *pointer,
					      const void *pattern, size_t pattern_size, size_t size,
					      cl_uint wait_count, const cl_event *wait_list,
					      cl_event *event)
{
	struct berth__call call;
	cl_int status;

	berth__call_begin(&call, BERTH_OP_FILL, BERTH_FORM_SVM);
	berth__call_queue(&call, queue);
	put_pointer(&call, pointer);
	call.op->bytes = size;
	call.op->pattern_bytes = pattern_size;
	berth__call_host(&call, pattern);
	berth__call_enter(&call);
	status = berth__layer.target.clEnqueueSVMMemFill(queue, pointer, pattern, pattern_size,
							 size, wait_count, wait_list, event);
	berth__call_leave(&call, status);
	if (berth__call_succeeded(&call))
		berth__call_digest(&call, pattern, pattern_size);
	berth__call_commit(&call);
	return status;
}

cl_int CL_API_CALL berth__clEnqueueSVMMap(cl_command_queue queue, cl_bool blocking,
					  cl_map_flags flags, void *pointer, size_t size,
					  cl_uint wait_count, const cl_event *wait_list,
					  cl_event *event)
{
	struct berth__call call;
	cl_int status;

	berth__call_begin(&call, BERTH_OP_MAP, BERTH_FORM_SVM);
	berth__call_queue(&call, queue);
	berth__call_blocking(&call, blocking);
	put_pointer(&call, pointer);
	call.op->flags = flags;
	call.op->bytes = size;
	call.op->mapping =
		atomic_fetch_add_explicit(&berth__layer.last_mapping, 1, memory_order_relaxed) + 1;
	berth__call_enter(&call);
	status = berth__layer.target.clEnqueueSVMMap(queue, blocking, flags, pointer, size,
						     wait_count, wait_list, event);
	berth__call_leave(&call, status);
	if (berth__call_succeeded(&call) &&
	    !berth__svm_mapping_add(&berth__layer.svm, pointer, call.op->mapping))
		berth__spool_count_lost(&berth__layer.spool);
	berth__call_commit(&call);
	return status;
}

cl_int CL_API_CALL berth__clEnqueueSVMUnmap(cl_command_queue queue, void *pointer,
					    cl_uint wait_count, const cl_event *wait_list,
					    cl_event *event)
{
	struct berth__call call;
	cl_int status;

	berth__call_begin(&call, BERTH_OP_UNMAP, BERTH_FORM_SVM);
	berth__call_queue(&call, queue);
	put_pointer(&call, pointer);
	call.op->mapping = berth__svm_mapping_take(&berth__layer.svm, pointer);
	/* What the program wrote there is not in the trace. */
	berth__call_host(&call, pointer);
	berth__call_enter(&call);
	status = berth__layer.target.clEnqueueSVMUnmap(queue, pointer, wait_count, wait_list, event);
	berth__call_leave(&call, status);
	if (status != CL_SUCCESS && call.op->mapping)
		berth__svm_mapping_add(&berth__layer.svm, pointer, call.op->mapping);
	berth__call_commit(&call);
	return status;
}

cl_int CL_API_CALL berth__clEnqueueSVMMigrateMem(cl_command_queue queue, cl_uint count,
						 const void **pointers, const size_t *sizes,
						 cl_mem_migration_flags flags, cl_uint wait_count,
						 const cl_event *wait_list, cl_event *event)
{
	struct berth__call call;
	struct berth__uses uses;
	cl_int status;

	list_pointers(&uses, (void *const *)pointers, count,
		      "clEnqueueSVMMigrateMem of too many pointers");
	berth__call_begin(&call, BERTH_OP_MIGRATE, BERTH_FORM_SVM);
	berth__call_queue(&call, queue);
	call.op->flags = flags;
	if (!pointers)
		call.op->absent |= BERTH_ABSENT_LIST;
	attach(&call, &uses);
	berth__call_enter(&call);
	status = berth__layer.target.clEnqueueSVMMigrateMem(queue, count, pointers, sizes, flags,
							    wait_count, wait_list, event);
	berth__call_leave(&call, status);
	berth__call_commit(&call);
	berth__uses_free(&uses);
	return status;
}

cl_mem CL_API_CALL berth__clCreatePipe(cl_context context, cl_mem_flags flags, cl_uint packet_size,
				       cl_uint max_packets, const cl_pipe_properties *properties,
				       cl_int *errcode_ret)
{
	struct berth__call call;
	const struct berth__handle entry = { .handle = NULL };
	cl_int own_status = CL_SUCCESS, *status = errcode_ret ? errcode_ret : &own_status;
	cl_mem pipe;

	berth__call_begin(&call, BERTH_OP_PIPE_CREATE, BERTH_FORM_NONE);
	berth__call_new_object(&call, context);
	call.op->flags = flags;
	call.op->pattern_bytes = packet_size; /* op_fold.h */
	call.op->other_offset_bytes = max_packets;
	if (properties && properties[0])
		call.op->absent |= BERTH_ABSENT_PROPERTY;
	berth__call_enter(&call);
	pipe = berth__layer.target.clCreatePipe(context, flags, packet_size, max_packets,
						properties, status);
	berth__call_leave(&call, berth__call_create_status(pipe, *status));
	if (berth__call_succeeded(&call))
		berth__call_enter_object(&call, pipe, &entry);
	berth__call_commit(&call);
	return pipe;
}
