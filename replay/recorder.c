/* SPDX-License-Identifier: Apache-2.0 */
/* The recorder: a device over another that writes a trace. */
#include <berth/recorder.h>

#include <CL/cl.h>
#include <inttypes.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "clock.h"
#include "trace_write.h"

/* Ops of one transaction: what an end without finish may lose. */
#define BATCH_OPS 4096u

/* Ids of the one queue, context and device that a trace of ours has. */
enum { DEVICE_ID = 1, CONTEXT_ID = 1, QUEUE_ID = 1 };

struct name {
	uint32_t id;
	char text[];
};

struct recorder {
	berth_device base;
	char *name;
	berth_device *inner;
	struct berth__trace_writer *writer; /* NULL: finished, or given up */
	berth_status status;		    /* why it was given up */
	char reason[BERTH_ERROR_MESSAGE_BYTES];
	uint64_t begun_ns;
	uint64_t op_count, in_batch;
	void *names; /* tsearch(3) tree of struct name by text */
	uint32_t name_count;
};

static int compare_names(const void *a, const void *b)
{
	return strcmp(((const struct name *)a)->text, ((const struct name *)b)->text);
}

/* Id of a text, which is written when it is new; 0 for none. */
static berth_status find_name(uint32_t *out, struct recorder *recorder, const char *text)
{
	size_t bytes = text ? strlen(text) + 1 : 0;
	struct name *name, **found;

	*out = 0;
	if (!text)
		return BERTH_OK;
	name = malloc(sizeof(*name) + bytes);
	if (!name)
		return berth_error_set(BERTH_E_NOMEM, 0, "no memory for a name");
	memcpy(name->text, text, bytes);
	name->id = recorder->name_count + 1;
	found = tsearch(name, &recorder->names, compare_names);
	if (!found || *found != name)
		free(name);
	if (!found)
		return berth_error_set(BERTH_E_NOMEM, 0, "no memory for a name");
	*out = (*found)->id;
	if (*out <= recorder->name_count)
		return BERTH_OK;
	recorder->name_count++;
	return berth__trace_write_name(recorder->writer, *out, text);
}

/* Bytes of the host behind an op without gaps; 0: not that simple, or none. */
static uint64_t plain_bytes(const berth_op *op)
{
	if (!op->host)
		return 0;
	if (op->kind == BERTH_OP_BUFFER_CREATE)
		return op->flags & CL_MEM_COPY_HOST_PTR ? op->bytes : 0;
	if (!berth_op_form_is_linear(op->form))
		return 0;
	if (op->kind == BERTH_OP_FILL)
		return op->pattern_bytes;
	if (op->kind == BERTH_OP_WRITE ||
	    (op->kind == BERTH_OP_READ && (op->bits & BERTH_OP_BLOCKING)))
		return op->bytes;
	return 0;
}

static void add_digest(berth_trace_op *row, const berth_op *op)
{
	XXH128_canonical_t canonical;
	uint64_t bytes = plain_bytes(op);

	if (bytes == 0 || bytes > SIZE_MAX || row->result.cl_status != CL_SUCCESS)
		return;
	XXH128_canonicalFromHash(&canonical, XXH3_128bits(op->host, (size_t)bytes));
	memcpy(row->digest, canonical.digest, sizeof(row->digest));
	row->has_digest = true;
}

static berth_status write_row(struct recorder *recorder, const berth_op *op,
			      const berth_result *result, uint64_t begun_ns, uint64_t duration_ns)
{
	berth_trace_op row = { .t_ns = begun_ns - recorder->begun_ns,
			       .thread = (uint32_t)gettid(),
			       .context = CONTEXT_ID,
			       .answered = true,
			       .op = *op,
			       .result = *result };
	uint32_t name;
	berth_status st = find_name(&name, recorder, op->name);

	row.op.queue = QUEUE_ID;
	row.op.host = NULL;
	row.result.duration_ns = duration_ns;
	if (!row.op.uses)
		row.op.use_count = 0;
	add_digest(&row, op);
	if (st == BERTH_OK)
		st = berth__trace_write_op(recorder->writer, &row, name);
	if (st == BERTH_OK && ++recorder->in_batch == BATCH_OPS) {
		recorder->in_batch = 0;
		st = berth__trace_writer_commit(recorder->writer);
		if (st == BERTH_OK)
			st = berth__trace_writer_begin(recorder->writer);
	}
	return st;
}

/* The device goes on without: the first reason is kept. */
static void give_up(struct recorder *recorder, berth_status st)
{
	recorder->status = st;
	snprintf(recorder->reason, sizeof(recorder->reason), "%s", berth_error_get()->message);
	berth__trace_writer_close(recorder->writer);
	recorder->writer = NULL;
}

static berth_status execute(berth_device *base, const berth_op *op, berth_result *result)
{
	struct recorder *recorder = (struct recorder *)base;
	uint64_t begun_ns = berth__clock_ns(CLOCK_MONOTONIC);
	berth_status st = berth_device_execute(recorder->inner, op, result);
	uint64_t duration_ns = berth__clock_ns(CLOCK_MONOTONIC) - begun_ns;
	berth_error why;

	if (st != BERTH_OK || !recorder->writer)
		return st;
	/* The detail of a refusal is the inner device's. */
	why = *berth_error_get();
	st = write_row(recorder, op, result, begun_ns, duration_ns);
	if (st == BERTH_OK)
		recorder->op_count++;
	else
		give_up(recorder, st);
	if (result->cl_status != CL_SUCCESS)
		berth_error_set(why.status, why.cl_status, "%s", why.message);
	return BERTH_OK;
}

static void memory(const berth_device *base, berth_memory *out)
{
	berth_device_memory(((const struct recorder *)base)->inner, out);
}

static berth_status finish(struct recorder *recorder)
{
	berth_status st;

	if (!recorder->writer)
		return recorder->status == BERTH_OK ? BERTH_OK
						    : berth_error_set(recorder->status, 0, "%s",
								      recorder->reason);
	st = berth__trace_writer_finish(recorder->writer, "exit");
	if (st == BERTH_OK)
		st = berth__trace_writer_seal(recorder->writer);
	berth__trace_writer_close(recorder->writer);
	recorder->writer = NULL;
	return st;
}

static void destroy(berth_device *base)
{
	struct recorder *recorder = (struct recorder *)base;
	berth_status st = finish(recorder);

	(void)st; /* berth_recorder_finish() is for who wants to know. */
	tdestroy(recorder->names, free);
	berth_device_destroy(recorder->inner);
	free(recorder->name);
	free(recorder);
}

static const berth_device_ops device_ops = {
	.version = BERTH_DEVICE_OPS_VERSION,
	.execute = execute,
	.memory = memory,
	.destroy = destroy,
};

static berth_status write_head(struct recorder *recorder, const char *program)
{
	struct berth__trace_writer *writer = recorder->writer;
	berth_status st;

	if ((st = berth__trace_writer_begin(writer)) != BERTH_OK ||
	    (st = berth__trace_write_text(writer, "program", program ? program : "berth")) !=
		    BERTH_OK ||
	    (st = berth__trace_write_number(writer, "pid", (uint64_t)getpid())) != BERTH_OK ||
	    (st = berth__trace_write_number(writer, "started_ns",
					    berth__clock_ns(CLOCK_REALTIME))) != BERTH_OK ||
	    (st = berth__trace_write_start(writer, recorder->begun_ns)) != BERTH_OK ||
	    (st = berth__trace_write_device(writer, DEVICE_ID, berth_device_caps(recorder->inner))) !=
		    BERTH_OK)
		return st;
	return berth__trace_write_queue(writer, QUEUE_ID, CONTEXT_ID, DEVICE_ID, 0);
}

static berth_status open_trace(struct recorder *recorder, const char *path, const char *program)
{
	berth_status st;

	recorder->begun_ns = berth__clock_ns(CLOCK_MONOTONIC);
	unlink(path);
	st = berth__trace_writer_open(&recorder->writer, path);
	return st == BERTH_OK ? write_head(recorder, program) : st;
}

berth_status berth_recorder_create(berth_device **out, berth_device *inner, const char *path,
				   const char *program)
{
	const char *inner_name = berth_device_name(inner);
	size_t name_bytes = sizeof("recorder:") + strlen(inner_name);
	struct recorder *recorder = calloc(1, sizeof(*recorder));
	berth_status st = BERTH_E_NOMEM;

	if (recorder)
		recorder->name = malloc(name_bytes);
	if (!recorder || !recorder->name) {
		free(recorder);
		return berth_error_set(st, 0, "no memory for a recorder");
	}
	recorder->inner = inner;
	snprintf(recorder->name, name_bytes, "recorder:%s", inner_name);
	recorder->base = (berth_device){ &device_ops, berth_device_caps(inner), recorder->name };
	st = open_trace(recorder, path, program);
	if (st != BERTH_OK) {
		berth__trace_writer_close(recorder->writer);
		free(recorder->name);
		free(recorder);
		return st;
	}
	*out = &recorder->base;
	return BERTH_OK;
}

berth_status berth_recorder_finish(berth_device *recorder)
{
	if (recorder->ops != &device_ops)
		return berth_error_set(BERTH_E_INVAL, 0, "%s is not a recorder",
				       berth_device_name(recorder));
	return finish((struct recorder *)recorder);
}

uint64_t berth_recorder_op_count(const berth_device *recorder)
{
	return recorder->ops == &device_ops ? ((const struct recorder *)recorder)->op_count : 0;
}
