/* SPDX-License-Identifier: Apache-2.0 */
#include "spool_store.h"

#include "shell_quote.h"

#include <stdlib.h>
#include <string.h>

/* What is left of a record while it is taken apart. */
struct rest {
	const unsigned char *at;
	size_t bytes;
};

static struct rest rest_after(const struct berth_spool_record *record, size_t fixed_bytes)
{
	return (struct rest){ (const unsigned char *)record + fixed_bytes,
			      record->bytes - fixed_bytes };
}

/* The next `bytes`, padded to 8; NULL: the record is too short for them. */
static const void *take(struct rest *rest, size_t bytes)
{
	size_t padded = (bytes + 7) / 8 * 8;
	const void *part = rest->at;

	if (padded > rest->bytes)
		return NULL;
	rest->at += padded;
	rest->bytes -= padded;
	return part;
}

/* The next string; NULL: it does not end within the record. */
static const char *take_string(struct rest *rest)
{
	const char *text = (const char *)rest->at;
	size_t length = strnlen(text, rest->bytes);

	if (length == rest->bytes)
		return NULL;
	rest->at += length + 1;
	rest->bytes -= length + 1;
	return text;
}

static berth_status no_strings(const struct berth__spool *spool)
{
	return berth__spool_damaged(spool, "a process record without its strings");
}

/* argv as one would type it; *out is NULL when there is none. free(), also on failure. */
static berth_status command_line(char **out, const struct berth__spool *spool, struct rest rest,
				 uint32_t argc)
{
	struct berth__shell_line line = { 0 };
	berth_status st = BERTH_OK;

	for (uint32_t i = 0; st == BERTH_OK && i < argc; i++) {
		const char *argument = take_string(&rest);

		if (!argument)
			st = no_strings(spool);
		else if (!berth__shell_line_add(&line, argument))
			st = berth_error_set(BERTH_E_NOMEM, 0, "out of memory draining '%s'",
					     spool->path);
	}
	*out = line.text;
	return st;
}

static berth_status store_process(struct berth__trace_writer *writer,
				  const struct berth__spool *spool,
				  const struct berth_spool_record *record)
{
	const struct berth_spool_process *process = (const void *)record;
	struct rest rest = rest_after(record, sizeof(*process));
	const char *program = take_string(&rest);
	const char *directory = program ? take_string(&rest) : NULL;
	char *command;
	berth_status st;

	if (!directory)
		return no_strings(spool);
	if ((st = command_line(&command, spool, rest, process->argc)) == BERTH_OK &&
	    (st = berth__trace_write_text(writer, "program", program)) == BERTH_OK &&
	    (st = berth__trace_write_text(writer, "directory", directory)) == BERTH_OK &&
	    (st = berth__trace_write_text(writer, "command", command ? command : "")) == BERTH_OK &&
	    (st = berth__trace_write_text(writer, "berth_version", berth_version())) == BERTH_OK &&
	    (st = berth__trace_write_number(writer, "pid", process->pid)) == BERTH_OK &&
	    (st = berth__trace_write_number(writer, "parent_pid", process->parent_pid)) ==
		    BERTH_OK &&
	    (st = berth__trace_write_number(writer, "forked", process->forked != 0)) == BERTH_OK &&
	    (st = berth__trace_write_number(writer, "started_ns", process->realtime_ns)) ==
		    BERTH_OK)
		st = berth__trace_write_start(writer, process->monotonic_ns);
	free(command);
	return st;
}

static berth_status store_device(struct berth__trace_writer *writer,
				 const struct berth__spool *spool,
				 const struct berth_spool_record *record)
{
	const struct berth_spool_device *device = (const void *)record;
	struct rest rest = rest_after(record, sizeof(*device));
	const berth_caps *caps = take(&rest, sizeof(*caps));

	if (!caps || device->caps_bytes != sizeof(*caps))
		return berth__spool_damaged(spool, "a device record without its capabilities");
	return berth__trace_write_device(writer, device->device, caps);
}

static berth_status store_queue(struct berth__trace_writer *writer,
				const struct berth__spool *spool,
				const struct berth_spool_record *record)
{
	const struct berth_spool_queue *queue = (const void *)record;

	(void)spool;
	return berth__trace_write_queue(writer, queue->queue, queue->context, queue->device,
					queue->properties);
}

static berth_status store_name(struct berth__trace_writer *writer, const struct berth__spool *spool,
			       const struct berth_spool_record *record)
{
	const struct berth_spool_name *name = (const void *)record;
	struct rest rest = rest_after(record, sizeof(*name));
	const char *text = take_string(&rest);

	if (!text || name->name == 0)
		return berth__spool_damaged(spool, "a name record without its text");
	return berth__trace_write_name(writer, name->name, text);
}

static berth_status store_untracked(struct berth__trace_writer *writer,
				    const struct berth__spool *spool,
				    const struct berth_spool_record *record)
{
	const struct berth_spool_untracked *untracked = (const void *)record;
	struct rest rest = rest_after(record, sizeof(*untracked));
	const char *text = take_string(&rest);

	if (!text || untracked->index >= BERTH_SPOOL_UNTRACKED_MAX)
		return berth__spool_damaged(spool, "an untracked record without its name");
	return berth__trace_write_untracked_name(writer, untracked->index, text);
}

/* ---- ops ---- */

static bool call_is_valid(const struct berth_spool_op *call)
{
	return berth_op_kind_is_known(call->kind) && call->form < BERTH_FORM_END;
}

static void fill_row(berth_trace_op *row, const struct berth__trace_writer *writer,
		     const struct berth_spool_op *call)
{
	uint64_t start_ns = berth__trace_writer_start(writer);

	memset(row, 0, sizeof(*row));
	/* A call may begin before the process record is written, by a hair. */
	row->t_ns = call->t_ns > start_ns ? call->t_ns - start_ns : 0;
	row->thread = call->thread;
	row->context = call->context;
	row->op.kind = (berth_op_kind)call->kind;
	row->op.form = (berth_op_form)call->form;
	row->op.bits =
		call->bits & ~(BERTH_SPOOL_OP_DIGEST_LATER | BERTH_SPOOL_OP_EVENTS_COMPLETE);
	row->op.absent = call->absent;
	row->op.object = call->object;
	row->op.other = call->other;
	row->op.mapping = call->mapping;
	row->op.queue = call->queue;
	row->op.flags = call->flags;
	row->op.offset_bytes = call->offset_bytes;
	row->op.other_offset_bytes = call->other_offset_bytes;
	row->op.bytes = call->bytes;
	row->op.pattern_bytes = call->pattern_bytes;
	if (call->kind == BERTH_OP_SVM_ALLOC)
		row->op.alignment_bytes = call->pattern_bytes;
	if (call->kind == BERTH_OP_PIPE_CREATE) {
		row->op.packet_bytes = (uint32_t)call->pattern_bytes;
		row->op.packet_count = (uint32_t)call->other_offset_bytes;
	}
	if (call->kind == BERTH_OP_ARG)
		row->op.image.type = (uint32_t)call->flags;
	row->op.host_address = call->host_address;
	row->stack = call->stack;
}

/* A read has no mapping: its number is for the digest that follows. */
static void drop_transfer(berth_trace_op *row)
{
	if (row->op.kind != BERTH_OP_MAP && row->op.kind != BERTH_OP_UNMAP)
		row->op.mapping = 0;
}

static void fill_result(berth_trace_op *row, const struct berth_spool_op *call,
			const struct berth_spool_result *result)
{
	row->answered = true;
	row->result.cl_status = call->cl_status;
	row->result.duration_ns = call->duration_ns;
	if (result) {
		row->result.bytes = result->bytes;
		row->result.row_pitch_bytes = result->row_pitch_bytes;
		row->result.slice_pitch_bytes = result->slice_pitch_bytes;
	}
}

/* False: there are none, or more than there may be. */
static bool fill_events(berth_trace_op *row, berth_op_event *events,
			const struct berth_spool_op *call, const void *part)
{
	const bool finds_complete = call->bits & BERTH_SPOOL_OP_EVENTS_COMPLETE;
	uint32_t count = 0;

	if (!part)
		return true;
	if (call->event_count == 0 || call->event_count > BERTH_SPOOL_EVENTS_MAX)
		return false;
	for (uint32_t i = 0; i < call->event_count; i++) {
		uint64_t event;

		memcpy(&event, (const unsigned char *)part + i * sizeof(event), sizeof(event));
		if (i > 0 || event)
			events[count++] = (berth_op_event){
				event, i == 0	       ? BERTH_EVENT_GIVEN
				       : finds_complete ? BERTH_EVENT_COMPLETE
							: BERTH_EVENT_AWAITED,
			};
	}
	row->events = events;
	row->event_count = count;
	return true;
}

/* False: a part does not fit into the record. */
static bool fill_parts(berth_trace_op *row, berth_op_event *events,
		       const struct berth_spool_op *call)
{
	struct rest rest = rest_after(&call->record, sizeof(*call));
	/* In the order of the format: the bits from the lowest up. */
	const size_t part_bytes[] = {
		sizeof(berth_region),
		sizeof(berth_image),
		sizeof(struct berth_spool_result),
		sizeof(row->digest),
		(size_t)call->use_count * sizeof(berth_object_use),
		(size_t)call->event_count * sizeof(uint64_t),
	};
	const void *parts[sizeof(part_bytes) / sizeof(part_bytes[0])] = { NULL };

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		if ((call->parts & (1u << i)) && !(parts[i] = take(&rest, part_bytes[i])))
			return false;
	}
	if (parts[0])
		memcpy(&row->op.region, parts[0], sizeof(row->op.region));
	if (parts[1])
		memcpy(&row->op.image, parts[1], sizeof(row->op.image));
	fill_result(row, call, parts[2]);
	row->has_digest = parts[3] != NULL;
	if (parts[3])
		memcpy(row->digest, parts[3], sizeof(row->digest));
	row->op.uses = parts[4];
	row->op.use_count = parts[4] ? call->use_count : 0;
	return row->op.use_count <= BERTH__USES_MAX && fill_events(row, events, call, parts[5]);
}

static berth_status store_op(struct berth__trace_writer *writer, const struct berth__spool *spool,
			     const struct berth_spool_record *record)
{
	const struct berth_spool_op *call = (const void *)record;
	berth_op_event events[BERTH_SPOOL_EVENTS_MAX];
	berth_trace_op row;
	berth_status st;

	if (!call_is_valid(call))
		return berth__spool_damaged(spool, "an op of a kind or form that is not defined");
	fill_row(&row, writer, call);
	if (!fill_parts(&row, events, call))
		return berth__spool_damaged(spool, "an op with parts that do not fit its record");
	drop_transfer(&row);
	st = berth__trace_write_op(writer, &row, call->name);
	if (st == BERTH_OK && call->bits & BERTH_SPOOL_OP_DIGEST_LATER)
		st = berth__trace_write_transfer(writer, call->mapping);
	return st;
}

static berth_status store_digest(struct berth__trace_writer *writer,
				 const struct berth__spool *spool,
				 const struct berth_spool_record *record)
{
	const struct berth_spool_digest *digest = (const void *)record;

	(void)spool;
	return berth__trace_write_digest(writer, digest->transfer, digest->digest);
}

static berth_status store_payload(struct berth__trace_writer *writer,
				  const struct berth__spool *spool,
				  const struct berth_spool_record *record)
{
	const struct berth_spool_payload *payload = (const void *)record;
	struct rest rest = rest_after(record, sizeof(*payload));
	const void *bytes = take(&rest, payload->piece_bytes);

	if (!bytes)
		return berth__spool_damaged(spool, "a payload record without its bytes");
	return berth__trace_write_payload(writer, payload->digest, payload->offset_bytes, bytes,
					  payload->piece_bytes);
}

static berth_status store_time(struct berth__trace_writer *writer, const struct berth__spool *spool,
			       const struct berth_spool_record *record)
{
	const struct berth_spool_time *time = (const void *)record;
	const uint64_t times_ns[] = { time->queued_ns, time->submitted_ns, time->started_ns,
				      time->ended_ns };

	(void)spool;
	return berth__trace_write_time(writer, time->event, times_ns);
}

static berth_status store_stack(struct berth__trace_writer *writer,
				const struct berth__spool *spool,
				const struct berth_spool_record *record)
{
	const struct berth_spool_stack *stack = (const void *)record;
	struct rest rest = rest_after(record, sizeof(*stack));
	const uint64_t *addresses = take(&rest, (size_t)stack->frame_count * sizeof(*addresses));

	if (!addresses || stack->stack == 0)
		return berth__spool_damaged(spool, "a stack record without its frames");
	return berth__trace_write_stack(writer, stack->stack, addresses, stack->frame_count);
}

static berth_status store_module(struct berth__trace_writer *writer,
				 const struct berth__spool *spool,
				 const struct berth_spool_record *record)
{
	const struct berth_spool_module *module = (const void *)record;
	struct rest rest = rest_after(record, sizeof(*module));
	const char *path = take_string(&rest);
	const struct berth__trace_module row = {
		.path = path,
		.start = module->start,
		.end = module->end,
		.bias = module->bias,
		.build_id = module->build_id,
		.build_id_bytes = module->build_id_bytes,
	};

	if (!path || module->build_id_bytes > sizeof(module->build_id))
		return berth__spool_damaged(spool, "a module record without its path");
	return berth__trace_write_module(writer, &row);
}

berth_status berth__spool_store_pending(struct berth__trace_writer *writer,
					const struct berth_spool_op *call)
{
	berth_trace_op row;

	if (!call_is_valid(call))
		return BERTH_OK;
	fill_row(&row, writer, call);
	drop_transfer(&row);
	return berth__trace_write_op(writer, &row, call->name);
}

berth_status berth__spool_store(struct berth__trace_writer *writer,
				const struct berth__spool *spool,
				const struct berth_spool_record *record)
{
	static const struct {
		size_t least_bytes;
		berth_status (*store)(struct berth__trace_writer *writer,
				      const struct berth__spool *spool,
				      const struct berth_spool_record *record);
	} types[] = {
		[BERTH_SPOOL_PROCESS] = { sizeof(struct berth_spool_process), store_process },
		[BERTH_SPOOL_DEVICE] = { sizeof(struct berth_spool_device), store_device },
		[BERTH_SPOOL_QUEUE] = { sizeof(struct berth_spool_queue), store_queue },
		[BERTH_SPOOL_NAME] = { sizeof(struct berth_spool_name), store_name },
		[BERTH_SPOOL_UNTRACKED] = { sizeof(struct berth_spool_untracked), store_untracked },
		[BERTH_SPOOL_OP] = { sizeof(struct berth_spool_op), store_op },
		[BERTH_SPOOL_DIGEST] = { sizeof(struct berth_spool_digest), store_digest },
		[BERTH_SPOOL_PAYLOAD] = { sizeof(struct berth_spool_payload), store_payload },
		[BERTH_SPOOL_TIME] = { sizeof(struct berth_spool_time), store_time },
		[BERTH_SPOOL_STACK] = { sizeof(struct berth_spool_stack), store_stack },
		[BERTH_SPOOL_MODULE] = { sizeof(struct berth_spool_module), store_module },
	};

	if (record->type >= sizeof(types) / sizeof(types[0]) || !types[record->type].store)
		return berth__spool_damaged(spool, "a record of a type that is not defined");
	if (record->bytes < types[record->type].least_bytes)
		return berth__spool_damaged(spool, "a record shorter than its type");
	return types[record->type].store(writer, spool, record);
}
