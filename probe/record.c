/* SPDX-License-Identifier: Apache-2.0 */
/* The cases and their answers as a trace. */
#include "probe.h"

#include <string.h>
#include <unistd.h>

#include "trace_write.h"

/* In place of a list that is NULL: its length is kept. */
static const berth_object_use no_objects[PROBE_USES_MAX];

static berth_status write_step(struct berth__trace_writer *writer, const struct probe_step *step,
			       const struct probe_reply *reply, uint64_t *time_ns)
{
	berth_trace_op row = {
		.t_ns = *time_ns, .thread = 1, .context = 1, .answered = true, .op = step->op
	};

	if (!reply->done || reply->status != BERTH_OK)
		return BERTH_OK;
	row.op.host = NULL;
	if (!row.op.uses)
		row.op.uses = no_objects;
	row.op.queue = 1;
	row.result.cl_status = reply->cl_status;
	row.result.bytes = reply->bytes;
	row.result.row_pitch_bytes = reply->row_pitch_bytes;
	row.result.slice_pitch_bytes = reply->slice_pitch_bytes;
	row.result.duration_ns = reply->duration_ns;
	*time_ns += reply->duration_ns;
	return berth__trace_write_op(writer, &row, 0);
}

static berth_status write_case(struct berth__trace_writer *writer, const struct probe_run *run,
			       uint64_t *time_ns)
{
	berth_status st = BERTH_OK;

	if (!run->applicable || run->answer.outcome >= BERTH_PROBE_HANGS)
		return BERTH_OK;
	for (int i = 0; i < run->step_count && st == BERTH_OK; i++)
		st = write_step(writer, &run->steps[i], &run->replies[i], time_ns);
	return st;
}

static berth_status write_all(struct berth__trace_writer *writer, const berth_probe *probe)
{
	uint64_t time_ns = 0;
	berth_status st = berth__trace_writer_begin(writer);

	if (st == BERTH_OK)
		st = berth__trace_write_text(writer, "program", "berth probe");
	if (st == BERTH_OK)
		st = berth__trace_write_device(writer, 1, &probe->caps);
	if (st == BERTH_OK)
		st = berth__trace_write_queue(writer, 1, 1, 1, 0);
	for (size_t i = 0; i < probe->count && st == BERTH_OK; i++)
		st = write_case(writer, &probe->runs[i], &time_ns);
	return st == BERTH_OK ? berth__trace_writer_finish(writer, "exit") : st;
}

berth_status berth_probe_record(const berth_probe *probe, const char *path)
{
	struct berth__trace_writer *writer;
	berth_status st;

	unlink(path);
	st = berth__trace_writer_open(&writer, path);
	if (st != BERTH_OK)
		return st;
	st = write_all(writer, probe);
	if (st == BERTH_OK)
		st = berth__trace_writer_seal(writer);
	berth__trace_writer_close(writer);
	return st;
}
