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
	row->op.bits = call->bits;
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

/* False: a part does not fit into the record. */
static bool fill_parts(berth_trace_op *row, const struct berth_spool_op *call)
{
	struct rest rest = rest_after(&call->record, sizeof(*call));
	/* In the order of the format: the bits from the lowest up. */
	const size_t part_bytes[] = {
		sizeof(berth_region),
		sizeof(berth_image),
		sizeof(struct berth_spool_result),
		sizeof(row->digest),
		(size_t)call->use_count * sizeof(berth_object_use),
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
	return row->op.use_count <= BERTH__USES_MAX;
}

static berth_status store_op(struct berth__trace_writer *writer, const struct berth__spool *spool,
			     const struct berth_spool_record *record)
{
	const struct berth_spool_op *call = (const void *)record;
	berth_trace_op row;

	if (!call_is_valid(call))
		return berth__spool_damaged(spool, "an op of a kind or form that is not defined");
	fill_row(&row, writer, call);
	if (!fill_parts(&row, call))
		return berth__spool_damaged(spool, "an op with parts that do not fit its record");
	return berth__trace_write_op(writer, &row, call->name);
}

berth_status berth__spool_store_pending(struct berth__trace_writer *writer,
					const struct berth_spool_op *call)
{
	berth_trace_op row;

	if (!call_is_valid(call))
		return BERTH_OK;
	fill_row(&row, writer, call);
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
	};

	if (record->type >= sizeof(types) / sizeof(types[0]) || !types[record->type].store)
		return berth__spool_damaged(spool, "a record of a type that is not defined");
	if (record->bytes < types[record->type].least_bytes)
		return berth__spool_damaged(spool, "a record shorter than its type");
	return types[record->type].store(writer, spool, record);
}
