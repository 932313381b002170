/* SPDX-License-Identifier: Apache-2.0 */
/* From a call to its record. */
#include "layer_call.h"

#include "clock.h"
#include "layer_event.h"
#include "layer_later.h"
#include "layer_mapping.h"
#include "payload.h"
#include "stack.h"

#include <errno.h>
#include <string.h>

/* Vendor flags change what host_ptr is: with one of them it is not looked behind. */
#define CORE_FLAGS                                                                                 \
	((cl_mem_flags)(CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY |                 \
			CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR |       \
			CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS))

bool berth__call_gives_content(cl_mem_flags flags)
{
	return (flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR)) && !(flags & ~CORE_FLAGS);
}

cl_int berth__call_create_status(const void *created, cl_int status)
{
	if (created)
		return CL_SUCCESS;
	/* Neither an object nor a reason: some reason has to stand for it. */
	return status == CL_SUCCESS ? CL_OUT_OF_RESOURCES : status;
}

/* The thread's slot, unless it has none or it holds a call that this one is made in. */
static struct berth_spool_pending *free_slot(const struct berth__thread *thread)
{
	struct berth_spool_header *header =
		atomic_load_explicit(&berth__layer.spool.header, memory_order_acquire);
	struct berth_spool_pending *slot;

	if (!header || thread->slot == BERTH__SPOOL_NO_SLOT)
		return NULL;
	slot = &header->pending[thread->slot];
	return atomic_load_explicit(&slot->in_call, memory_order_relaxed) ? NULL : slot;
}

void berth__call_begin(struct berth__call *call, berth_op_kind kind, berth_op_form form)
{
	int errno_of_program = errno;
	struct berth__thread *thread = berth__layer_thread();
	struct berth_spool_pending *slot = free_slot(thread);

	call->op = slot ? &slot->op : &call->own;
	call->in_call = slot ? &slot->in_call : NULL;
	call->generation = thread->generation;
	call->refusal = CL_SUCCESS;
	call->errno_of_program = errno_of_program;
	call->thread = thread;
	call->queue_flags = 0;
	call->queue_handle = NULL;
	call->wait_count = 0;
	call->wait_list = NULL;
	call->event = NULL;
	call->parts = 0;
	call->uses = NULL;
	*call->op = (struct berth_spool_op){
		.record.type = BERTH_SPOOL_OP,
		.kind = (uint8_t)kind,
		.form = (uint8_t)form,
		.thread = thread->id,
	};
}

void berth__call_begin_order(struct berth__call *call, const char *name)
{
	berth__call_begin(call, BERTH_OP_ORDER, BERTH_FORM_NONE);
	call->op->name = berth__layer_name(name);
}

/* Of calls that order others the stack says little, and there may be many of them. */
static bool has_stack(berth_op_kind kind)
{
	return kind != BERTH_OP_SYNC && kind != BERTH_OP_ORDER;
}

/*
 * On request, and only where it changes nothing but times: a transfer that blocks on a queue in
 * order waits for all before it anyway. Its own record, since the slot is the call's.
 */
static void wait_before(struct berth__call *call)
{
	struct berth_spool_op op = {
		.record.type = BERTH_SPOOL_OP,
		.kind = BERTH_OP_SYNC,
		.thread = call->op->thread,
		.context = call->op->context,
		.queue = call->op->queue,
		.t_ns = berth__clock_ns(CLOCK_MONOTONIC),
	};
	struct berth__spool_message message = {
		.record = &op.record,
		.parts = { { &op, sizeof(op) } },
		.part_count = 1,
	};

	call->thread->depth++;
	op.cl_status = berth__layer.target.clFinish(call->queue_handle);
	call->thread->depth--;
	op.duration_ns = berth__clock_ns(CLOCK_MONOTONIC) - op.t_ns;
	berth__spool_append(&berth__layer.spool, &message);
}

static bool waits_before(const struct berth__call *call)
{
	return berth__layer.split_waits && (call->op->bits & BERTH_OP_BLOCKING) &&
	       call->queue_handle && !(call->queue_flags & BERTH__QUEUE_OUT_OF_ORDER) &&
	       berth__layer.target.clFinish;
}

void berth__call_enter(struct berth__call *call)
{
	if (__builtin_expect(waits_before(call), 0))
		wait_before(call);
	if (__builtin_expect(berth__layer_below != NULL, 0))
		berth__layer_below->ask(call);
	if (has_stack(call->op->kind))
		call->op->stack = berth__stack_take();
	call->op->t_ns = berth__clock_ns(CLOCK_MONOTONIC);
	if (call->in_call)
		atomic_store_explicit(call->in_call, 1, memory_order_release);
	call->thread->depth++;
	errno = call->errno_of_program;
}

static bool is_of_this_process(const struct berth__call *call)
{
	return call->generation == berth__layer.generation;
}

bool berth__call_succeeded(const struct berth__call *call)
{
	return call->op->cl_status == CL_SUCCESS && is_of_this_process(call);
}

/* Of a call that succeeded the list is a list, and its event is one. */
static void take_events(struct berth__call *call)
{
	uint32_t count = 0;

	call->events[count++] =
		call->event && *call->event ? berth__event_enter(*call->event, call) : 0;
	for (cl_uint i = 0; call->wait_list && i < call->wait_count; i++) {
		if (count == BERTH_SPOOL_EVENTS_MAX) {
			berth__layer_count_untracked("a wait list of too many events");
			break;
		}
		call->events[count++] = berth__event_id(call->wait_list[i]);
	}
	call->op->event_count = count;
	call->parts |= BERTH_SPOOL_PART_EVENTS;
}

void berth__call_leave(struct berth__call *call, cl_int status)
{
	uint64_t end_ns = berth__clock_ns(CLOCK_MONOTONIC);

	call->errno_of_program = errno;
	call->thread->depth--;
	if (call->generation != berth__layer.generation) {
		/* The program forked in a callback: the slot is the parent's, not mapped here. */
		call->op = &call->own;
		call->in_call = NULL;
		call->own.t_ns = end_ns;
	}
	call->op->duration_ns = end_ns - call->op->t_ns;
	call->op->cl_status = status;
	if (__builtin_expect(berth__layer_below != NULL, 0))
		berth__layer_below->answered(call);
	if ((call->event || call->wait_count > 0) && berth__call_succeeded(call))
		take_events(call);
}

static void add_part(struct berth__call *call, struct berth__spool_message *message, uint16_t part,
		     const void *data, size_t bytes)
{
	if (call->parts & part)
		message->parts[message->part_count++] = (struct berth__spool_part){ data, bytes };
}

/* It has waited for its own command; on a queue in order that is for all before it, too. */
static bool completes_queue(const struct berth__call *call)
{
	return call->op->queue && (call->op->bits & BERTH_OP_BLOCKING) &&
	       call->op->cl_status == CL_SUCCESS &&
	       !(call->queue_flags & BERTH__QUEUE_OUT_OF_ORDER);
}

void berth__call_commit(struct berth__call *call)
{
	struct berth__spool_message message = {
		.record = &call->op->record,
		.parts = { { call->op, sizeof(*call->op) } },
		.part_count = 1,
		.in_call = call->in_call,
	};

	if (is_of_this_process(call)) {
		call->op->parts = call->parts;
		add_part(call, &message, BERTH_SPOOL_PART_REGION, &call->region,
			 sizeof(call->region));
		add_part(call, &message, BERTH_SPOOL_PART_IMAGE, &call->image, sizeof(call->image));
		add_part(call, &message, BERTH_SPOOL_PART_RESULT, &call->result,
			 sizeof(call->result));
		add_part(call, &message, BERTH_SPOOL_PART_DIGEST, call->digest,
			 sizeof(call->digest));
		add_part(call, &message, BERTH_SPOOL_PART_USES, call->uses,
			 call->op->use_count * sizeof(*call->uses));
		add_part(call, &message, BERTH_SPOOL_PART_EVENTS, call->events,
			 call->op->event_count * sizeof(*call->events));
		berth__spool_append(&berth__layer.spool, &message);
		if (completes_queue(call))
			berth__later_queue(call->op->queue);
	}
	errno = call->errno_of_program;
}

void berth__call_queue(struct berth__call *call, cl_command_queue queue)
{
	struct berth__handle entry;

	if (berth__handle_find(&berth__layer.queues, queue, &entry)) {
		call->op->queue = (uint32_t)entry.id;
		call->op->context = entry.context;
		call->queue_flags = entry.flags;
		call->queue_handle = queue;
	}
}

uint64_t berth__call_event(const struct berth__call *call)
{
	return call->parts & BERTH_SPOOL_PART_EVENTS ? call->events[0] : 0;
}

void berth__call_events(struct berth__call *call, cl_uint wait_count, const cl_event *wait_list,
			const cl_event *event)
{
	call->wait_count = wait_count;
	call->wait_list = wait_list;
	call->event = event;
}

void berth__call_blocking(struct berth__call *call, cl_bool blocking)
{
	if (blocking)
		call->op->bits |= BERTH_OP_BLOCKING;
}

void berth__call_host(struct berth__call *call, const void *host)
{
	call->op->host_address = (uint64_t)(uintptr_t)host;
}

berth_region *berth__call_region(struct berth__call *call)
{
	memset(&call->region, 0, sizeof(call->region));
	call->parts |= BERTH_SPOOL_PART_REGION;
	return &call->region;
}

void berth__call_axes(struct berth__call *call, uint64_t out[3], const size_t *axes,
		      uint32_t absent_bit)
{
	if (!axes) {
		call->op->absent |= (uint16_t)absent_bit;
		return;
	}
	for (int axis = 0; axis < 3; axis++)
		out[axis] = axes[axis];
}

void berth__call_digest(struct berth__call *call, const void *host, size_t bytes)
{
	const struct berth__rows rows = { .host = host, .row_bytes = bytes, .rows = 1, .slices = 1 };

	berth__call_digest_rows(call, &rows);
}

void berth__call_digest_rows(struct berth__call *call, const struct berth__rows *rows)
{
	if (!berth__layer.digests || !berth__digest_rows(call->digest, rows))
		return;
	call->parts |= BERTH_SPOOL_PART_DIGEST;
	berth__payload_keep(call->digest, rows, false);
}

void berth__call_digest_read(struct berth__call *call, const struct berth__rows *rows)
{
	if (call->op->bits & BERTH_OP_BLOCKING)
		berth__call_digest_rows(call, rows);
	else
		berth__later_add(call, rows);
}

void berth__call_new_object(struct berth__call *call, cl_context context)
{
	call->op->object =
		atomic_fetch_add_explicit(&berth__layer.last_object, 1, memory_order_relaxed) + 1;
	call->op->context = berth__layer_context(context);
}

void berth__call_enter_object(struct berth__call *call, cl_mem handle,
			      const struct berth__handle *entry)
{
	struct berth__handle known = *entry, replaced = { .handle = NULL };

	known.handle = handle;
	known.id = call->op->object;
	known.context = call->op->context;
	known.references = 1;
	if (!berth__handle_insert(&berth__layer.mems, &known, &replaced))
		berth__spool_count_lost(&berth__layer.spool);
	if (replaced.handle)
		berth__mappings_free(replaced.extra);
}
