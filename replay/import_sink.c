/* SPDX-License-Identifier: Apache-2.0 */
#include "import_sink.h"

#include "whole_file.h"

#include <CL/cl.h>
#include <errno.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Ops of one transaction. */
#define BATCH_OPS 65536u

enum { DEVICE_ID = 1, CONTEXT_ID = 1, QUEUE_ID = 1 };

struct name {
	uint32_t id;
	char text[];
};

static int compare_names(const void *a, const void *b)
{
	return strcmp(((const struct name *)a)->text, ((const struct name *)b)->text);
}

static berth_status no_memory(void)
{
	return berth_error_set(BERTH_E_NOMEM, 0, "no memory for an import");
}

/* Id of a text, which is written when it is new; 0 for none. */
static berth_status find_name(uint32_t *out, struct berth__import_sink *sink, const char *text)
{
	size_t bytes = text ? strlen(text) + 1 : 0;
	struct name *name, **found;

	*out = 0;
	if (!text)
		return BERTH_OK;
	name = malloc(sizeof(*name) + bytes);
	if (!name)
		return no_memory();
	memcpy(name->text, text, bytes);
	name->id = sink->name_count + 1;
	found = tsearch(name, &sink->names, compare_names);
	if (!found || *found != name)
		free(name);
	if (!found)
		return no_memory();
	*out = (*found)->id;
	if (*out <= sink->name_count)
		return BERTH_OK;
	sink->name_count++;
	return berth__trace_write_name(sink->writer, *out, text);
}

static berth_status write_head(struct berth__import_sink *sink, const char *program,
			       const berth_caps *caps)
{
	struct berth__trace_writer *writer = sink->writer;
	berth_status st;

	if ((st = berth__trace_writer_begin(writer)) != BERTH_OK ||
	    (st = berth__trace_write_text(writer, "program", program)) != BERTH_OK ||
	    (st = berth__trace_write_text(writer, "berth_version", berth_version())) != BERTH_OK ||
	    !caps)
		return st;
	if ((st = berth__trace_write_device(writer, DEVICE_ID, caps)) != BERTH_OK)
		return st;
	return berth__trace_write_queue(writer, QUEUE_ID, CONTEXT_ID, DEVICE_ID, 0);
}

berth_status berth__import_sink_begin(struct berth__import_sink *sink, const char *trace_path,
				      const char *program, const berth_caps *caps)
{
	berth_status st;

	*sink = (struct berth__import_sink){ 0 };
	if (berth__is_special_file(trace_path))
		return berth_error_set(BERTH_E_IO, 0,
				       "cannot write '%s': it is a device or a pipe, and a trace is "
				       "a file",
				       trace_path);
	if (asprintf(&sink->beside, "%s.tmp%ld", trace_path, (long)getpid()) < 0) {
		sink->beside = NULL;
		return no_memory();
	}
	unlink(sink->beside);
	st = berth__trace_writer_open(&sink->writer, sink->beside);
	if (st == BERTH_OK)
		st = write_head(sink, program, caps);
	return st;
}

berth_status berth__import_sink_finish(struct berth__import_sink *sink, const char *trace_path,
				       const char *end, uint64_t started_ns)
{
	struct berth__trace_writer *writer = sink->writer;
	berth_status st = BERTH_OK;

	if (started_ns)
		st = berth__trace_write_number(writer, "started_ns", started_ns);
	if (st == BERTH_OK && sink->result.before)
		st = berth__trace_write_number(writer, "before", sink->result.before);
	if (st == BERTH_OK)
		st = berth__trace_writer_finish(writer, end);
	if (st == BERTH_OK)
		st = berth__trace_writer_seal(writer);
	berth__trace_writer_close(writer);
	sink->writer = NULL;
	if (st == BERTH_OK && rename(sink->beside, trace_path) != 0)
		st = berth_error_set(BERTH_E_IO, 0, "cannot write '%s': %s", trace_path,
				     strerror(errno));
	if (st != BERTH_OK)
		return st;
	free(sink->beside);
	sink->beside = NULL;
	return BERTH_OK;
}

/* The files that SQLite keeps beside a database, and it. */
static void remove_files(const char *path)
{
	static const char *const ends[] = { "", "-wal", "-shm", "-journal" };
	char *name;

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		if (asprintf(&name, "%s%s", path, ends[i]) < 0)
			return;
		unlink(name);
		free(name);
	}
}

void berth__import_sink_free(struct berth__import_sink *sink)
{
	berth__trace_writer_close(sink->writer);
	if (sink->beside)
		remove_files(sink->beside);
	free(sink->beside);
	tdestroy(sink->names, free);
	*sink = (struct berth__import_sink){ 0 };
}

static void count(berth_import_result *result, const berth_trace_op *row)
{
	bool done = row->answered && row->result.cl_status == CL_SUCCESS;

	result->ops++;
	if (!berth_op_kind_creates(row->op.kind))
		return;
	if (done)
		result->objects++;
	else
		result->failures++;
}

berth_status berth__import_op(struct berth__import_sink *sink, const berth_trace_op *row)
{
	uint32_t name;
	berth_status st = find_name(&name, sink, row->op.name);

	if (st == BERTH_OK)
		st = berth__trace_write_op(sink->writer, row, name);
	if (st != BERTH_OK)
		return st;
	count(&sink->result, row);
	if (++sink->in_batch < BATCH_OPS)
		return BERTH_OK;
	sink->in_batch = 0;
	st = berth__trace_writer_commit(sink->writer);
	return st == BERTH_OK ? berth__trace_writer_begin(sink->writer) : st;
}

static berth_status write_op(struct berth__import_sink *sink,
			     const struct berth__import_place *place, const berth_op *op,
			     const berth_result *result)
{
	const berth_trace_op row = { .t_ns = place->t_ns,
				     .thread = place->thread,
				     .context = place->context,
				     .answered = true,
				     .op = *op,
				     .result = *result };

	return berth__import_op(sink, &row);
}

berth_status berth__import_create(uint64_t *id, struct berth__import_sink *sink,
				  const struct berth__import_place *place, uint64_t bytes)
{
	const berth_op op = { .kind = BERTH_OP_BUFFER_CREATE,
			      .object = sink->result.objects + sink->result.failures + 1,
			      .flags = CL_MEM_READ_WRITE,
			      .bytes = bytes };
	const berth_result result = { .bytes = bytes };
	berth_status st = write_op(sink, place, &op, &result);

	if (st == BERTH_OK) {
		*id = op.object;
		sink->result.unreleased++;
	}
	return st;
}

berth_status berth__import_failure(struct berth__import_sink *sink,
				   const struct berth__import_place *place, uint64_t bytes)
{
	const berth_op op = { .kind = BERTH_OP_BUFFER_CREATE,
			      .object = sink->result.objects + sink->result.failures + 1,
			      .flags = CL_MEM_READ_WRITE,
			      .bytes = bytes };
	const berth_result result = { .cl_status = CL_MEM_OBJECT_ALLOCATION_FAILURE };

	return write_op(sink, place, &op, &result);
}

berth_status berth__import_release(struct berth__import_sink *sink,
				   const struct berth__import_place *place, uint64_t id)
{
	const berth_op op = { .kind = BERTH_OP_RELEASE, .object = id };
	const berth_result result = { 0 };
	berth_status st = write_op(sink, place, &op, &result);

	if (st == BERTH_OK)
		sink->result.unreleased--;
	return st;
}

berth_status berth__import_label(struct berth__import_sink *sink,
				 const struct berth__import_place *place, uint64_t id,
				 const char *text)
{
	const berth_op op = { .kind = BERTH_OP_LABEL, .object = id, .name = text };
	const berth_result result = { 0 };

	return write_op(sink, place, &op, &result);
}
