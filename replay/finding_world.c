/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is alive while the ops go by: objects with their uses, memory and its peak, queues.
 * Rows that do not fit (an id twice, a parent that is not known) are left out: a trace is
 * untrusted, and may begin late.
 */
#include "finding.h"

#include <stdlib.h>
#include <string.h>

#include <CL/cl.h>

/* ---- telling the rules ---- */

#define TELL(scan, slot, ...)                                                                      \
	do {                                                                                       \
		for (size_t i_ = 0; i_ < berth__finding_checker_count; i_++)                       \
			if (berth__finding_checkers[i_]->slot)                                     \
				berth__finding_checkers[i_]->slot(scan, (scan)->states[i_],        \
								  ##__VA_ARGS__);                  \
	} while (0)

/* ---- objects ---- */

static bool owns(const struct berth__finding_object *object)
{
	return object->root == object;
}

static void end_object(berth_object *object, void *userdata)
{
	struct berth__finding_scan *scan = userdata;
	struct berth__finding_object *ended = object->user;

	if (!ended)
		return;
	if (!scan->closing) {
		TELL(scan, ended, ended);
		if (owns(ended))
			scan->alive_bytes -= ended->bytes;
	}
	free(ended->label);
	free(ended);
	object->user = NULL;
}

berth_status berth__finding_world_open(struct berth__finding_scan *scan)
{
	return berth_objects_create(&scan->objects, end_object, scan);
}

void berth__finding_world_close(struct berth__finding_scan *scan)
{
	scan->closing = true;
	berth_objects_destroy(scan->objects);
}

struct berth__finding_object *berth__finding_find(struct berth__finding_scan *scan, uint64_t id)
{
	berth_object *object = berth_objects_find(scan->objects, id);

	return object ? object->user : NULL;
}

static void add_memory(struct berth__finding_scan *scan, struct berth__finding_object *object)
{
	/* A sum that does not fit is of forged sizes: it stops, and goes down as far. */
	if (object->bytes > UINT64_MAX - scan->alive_bytes)
		object->bytes = UINT64_MAX - scan->alive_bytes;
	scan->alive_bytes += object->bytes;
	if (scan->alive_bytes > scan->peak_bytes) {
		scan->peak_bytes = scan->alive_bytes;
		scan->peak_op = scan->op;
	}
}

static void make_object(struct berth__finding_scan *scan, berth_object *object)
{
	const berth_trace_op *row = scan->row;
	struct berth__finding_object *made = calloc(1, sizeof(*made));

	object->user = made;
	if (!made) {
		scan->status = berth_error_set(BERTH_E_NOMEM, 0, "out of memory at op %llu",
					       (unsigned long long)scan->op);
		return;
	}
	made->object = object;
	made->root = object->parent ? ((struct berth__finding_object *)object->parent->user)->root
				    : made;
	made->id = object->id;
	made->bytes = row->result.bytes ? row->result.bytes : object->bytes;
	made->context = row->context;
	made->external = row->op.bits & BERTH_OP_EXTERNAL;
	made->made_op = scan->op;
	made->made_ns = row->t_ns;
	made->stack = row->stack;
	scan->made++;
	if (owns(made))
		add_memory(scan, made);
	TELL(scan, made, made);
}

/* ---- uses ---- */

static void use_object(struct berth__finding_scan *scan, uint64_t id, unsigned access)
{
	struct berth__finding_object *object = berth__finding_find(scan, id);

	if (!object)
		return;
	for (berth_object *one = object->object; one; one = one->parent) {
		struct berth__finding_object *used = one->user;

		if (used->uses++ == 0)
			used->first_use_op = scan->op;
		used->last_use_op = scan->op;
		used->last_use_ns =
			berth__finding_add(scan->row->t_ns, scan->row->result.duration_ns);
		used->last_queue = scan->row->op.queue;
	}
	TELL(scan, used, object, access);
}

static unsigned kernel_access(struct berth__finding_scan *scan, const berth_object_use *use)
{
	const berth_object *object = berth_objects_find(scan->objects, use->object);

	if (use->access)
		return use->access;
	if (object && object->flags & CL_MEM_READ_ONLY)
		return FINDING_READ;
	return FINDING_READ | FINDING_MAYBE_WRITE;
}

static unsigned map_access(uint64_t flags)
{
	unsigned access = flags & CL_MAP_READ ? FINDING_READ : 0;

	return flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION) ? access | FINDING_WRITE
								       : access;
}

static void use_objects(struct berth__finding_scan *scan)
{
	const berth_op *op = &scan->row->op;

	switch (op->kind) {
	case BERTH_OP_WRITE:
	case BERTH_OP_FILL:
		use_object(scan, op->object, FINDING_WRITE);
		break;
	case BERTH_OP_READ:
		use_object(scan, op->object, FINDING_READ);
		break;
	case BERTH_OP_COPY:
		use_object(scan, op->object, FINDING_READ);
		use_object(scan, op->other, FINDING_WRITE);
		break;
	case BERTH_OP_MAP:
		use_object(scan, op->object, map_access(op->flags));
		break;
	case BERTH_OP_UNMAP:
		use_object(scan, op->object, 0);
		break;
	case BERTH_OP_USE:
		for (uint32_t i = 0; i < op->use_count; i++)
			use_object(scan, op->uses[i].object, kernel_access(scan, &op->uses[i]));
		break;
	case BERTH_OP_MIGRATE:
		for (uint32_t i = 0; i < op->use_count; i++)
			use_object(scan, op->uses[i].object,
				   op->flags & CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED
					   ? FINDING_WRITE
					   : 0);
		break;
	default:
		break;
	}
}

/* ---- queues ---- */

struct berth__finding_queue *berth__finding_queue_of(struct berth__finding_scan *scan, uint64_t id)
{
	if (id == 0)
		return NULL;
	for (size_t i = 0; i < FINDING_QUEUES; i++) {
		struct berth__finding_queue *queue = &scan->queues[(id + i) % FINDING_QUEUES];

		if (queue->id == 0)
			queue->id = id;
		if (queue->id == id)
			return queue;
	}
	return NULL;
}

static bool is_command(berth_op_kind kind)
{
	return (kind >= BERTH_OP_WRITE && kind <= BERTH_OP_USE);
}

/* A call that returns when all before it on an in-order queue is done. */
static bool waits(const berth_op *op)
{
	return op->kind == BERTH_OP_SYNC ||
	       ((op->kind == BERTH_OP_WRITE || op->kind == BERTH_OP_READ ||
		 op->kind == BERTH_OP_MAP) &&
		op->bits & BERTH_OP_BLOCKING);
}

static void count_command(struct berth__finding_scan *scan)
{
	const berth_op *op = &scan->row->op;
	struct berth__finding_queue *queue = berth__finding_queue_of(scan, op->queue);

	/* A wait that names no queue may be for any. */
	for (size_t i = 0; op->kind == BERTH_OP_SYNC && !queue && i < FINDING_QUEUES; i++) {
		scan->queues[i].synced_op = scan->op;
		scan->queues[i].commands = 0;
	}
	if (!queue)
		return;
	if (waits(op)) {
		queue->synced_op = scan->op;
		queue->commands = 0;
	} else if (is_command(op->kind)) {
		queue->commands++;
		if (op->kind == BERTH_OP_USE)
			queue->last_kernel_op = scan->op;
	}
}

/* An event that is found complete says that its command is done, and all before it in order. */
static void take_events(struct berth__finding_scan *scan)
{
	const berth_trace_op *row = scan->row;

	for (uint32_t i = 0; i < row->event_count; i++) {
		uint64_t event = row->events[i].event;
		struct berth__finding_event *kept = &scan->events[event % FINDING_EVENTS];
		struct berth__finding_queue *queue;

		if (row->events[i].role == BERTH_EVENT_GIVEN)
			*kept = (struct berth__finding_event){ event, row->op.queue, scan->op };
		if (row->events[i].role != BERTH_EVENT_COMPLETE || kept->event != event ||
		    !(queue = berth__finding_queue_of(scan, kept->queue)))
			continue;
		queue->synced_op = kept->op > queue->synced_op ? kept->op : queue->synced_op;
	}
}

/* ---- ops ---- */

static void let_go_of(struct berth__finding_scan *scan, uint64_t id)
{
	struct berth__finding_object *object = berth__finding_find(scan, id);

	if (!object || object->object->references != 1)
		return;
	object->let_go_op = scan->op;
	object->let_go_ns = scan->row->t_ns;
	scan->let_go++;
	TELL(scan, let_go, object);
}

static void let_go(struct berth__finding_scan *scan)
{
	const berth_op *op = &scan->row->op;

	if (op->kind != BERTH_OP_RELEASE && op->kind != BERTH_OP_SVM_FREE)
		return;
	let_go_of(scan, op->object);
	for (uint32_t i = 0; op->kind == BERTH_OP_SVM_FREE && i < op->use_count; i++)
		let_go_of(scan, op->uses[i].object);
}

static void set_label(struct berth__finding_scan *scan)
{
	const berth_op *op = &scan->row->op;
	struct berth__finding_object *object = berth__finding_find(scan, op->object);
	char *label;

	if (op->kind != BERTH_OP_LABEL || !object || !op->name)
		return;
	label = strdup(op->name);
	if (!label) {
		scan->status = berth_error_set(BERTH_E_NOMEM, 0, "out of memory for a label");
		return;
	}
	free(object->label);
	object->label = label;
}

void berth__finding_world_take(struct berth__finding_scan *scan)
{
	const berth_trace_op *row = scan->row;
	bool accepted = row->answered && row->result.cl_status == CL_SUCCESS;
	berth_object *created = NULL;
	berth_status st;

	scan->op = row->seq;
	scan->now_ns = row->t_ns;
	TELL(scan, op);
	if (!accepted)
		return;
	use_objects(scan);
	count_command(scan);
	take_events(scan);
	let_go(scan);
	set_label(scan);
	st = berth_objects_apply(scan->objects, &row->op, &created);
	if (st == BERTH_E_NOMEM)
		scan->status = st;
	else if (st == BERTH_OK && created)
		make_object(scan, created);
}

static void tell_ended(berth_object *object, void *userdata)
{
	struct berth__finding_scan *scan = userdata;

	TELL(scan, ended, (struct berth__finding_object *)object->user);
}

void berth__finding_world_end(struct berth__finding_scan *scan)
{
	scan->ending = true;
	scan->op++;
	berth_objects_each(scan->objects, tell_ended, scan);
}
