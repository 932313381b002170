/* SPDX-License-Identifier: Apache-2.0 */
#include "sample_trace.h"

#include "replay/trace_write.h"

#include <CL/cl.h>

#define MIB UINT64_C(1048576)
#define BATCH_OPS 65536

static const berth_object_use sample_use = { .object = 1, .access = BERTH_ACCESS_READ };

static berth_op buffer(uint64_t id, uint64_t bytes)
{
	return (berth_op){ .kind = BERTH_OP_BUFFER_CREATE, .object = id,
			   .flags = CL_MEM_READ_WRITE, .bytes = bytes };
}

static berth_op linear(berth_op_kind kind, uint64_t id, uint64_t other, uint64_t bytes)
{
	return (berth_op){
		.kind = kind,
		.form = BERTH_FORM_LINEAR,
		.bits = kind == BERTH_OP_COPY ? 0 : BERTH_OP_BLOCKING,
		.object = id,
		.other = other,
		.queue = 1,
		.bytes = bytes,
		.host_address = kind == BERTH_OP_COPY ? 0 : 0x7f0000001000,
	};
}

static berth_op image(uint64_t id, uint64_t width, uint64_t height)
{
	return (berth_op){
		.kind = BERTH_OP_IMAGE_CREATE,
		.object = id,
		.flags = CL_MEM_READ_WRITE,
		.image = { .type = CL_MEM_OBJECT_IMAGE2D, .order = CL_RGBA,
			   .channel_type = CL_UNORM_INT8, .width = width, .height = height },
	};
}

static berth_op write_image(uint64_t id, uint64_t width, uint64_t height)
{
	return (berth_op){
		.kind = BERTH_OP_WRITE,
		.form = BERTH_FORM_IMAGE,
		.bits = BERTH_OP_BLOCKING,
		.object = id,
		.queue = 1,
		.host_address = 0x7f0000001000,
		.region = { .extent = { width, height, 1 } },
	};
}

static berth_op release(uint64_t id)
{
	return (berth_op){ .kind = BERTH_OP_RELEASE, .object = id };
}

static berth_op use(void)
{
	return (berth_op){ .kind = BERTH_OP_USE, .queue = 1, .uses = &sample_use, .use_count = 1 };
}

static berth_status start(struct berth__trace_writer **writer, const char *path)
{
	static const char *const texts[][2] = {
		{ "program", "/usr/bin/fixture" },
		{ "command", "fixture --small" },
	};
	berth_caps caps;
	berth_status st;

	berth_caps_init_minimum(&caps, 300);
	__builtin_strcpy(caps.name, "Fixture GPU");
	__builtin_strcpy(caps.platform, "Fixture Platform");
	st = berth__trace_writer_open(writer, path);
	if (st == BERTH_OK)
		st = berth__trace_writer_begin(*writer);
	for (size_t i = 0; st == BERTH_OK && i < sizeof(texts) / sizeof(texts[0]); i++)
		st = berth__trace_write_text(*writer, texts[i][0], texts[i][1]);
	if (st == BERTH_OK)
		st = berth__trace_write_device(*writer, 1, &caps);
	if (st == BERTH_OK)
		st = berth__trace_write_queue(*writer, 1, 1, 1, 0);
	if (st == BERTH_OK)
		st = berth__trace_write_name(*writer, 1, "kernel");
	return st;
}

static berth_status append(struct berth__trace_writer *writer, const berth_op *op, uint64_t number,
			   int32_t cl_status)
{
	const uint64_t row_pitch = op->image.width * 4; /* CL_RGBA, CL_UNORM_INT8 */
	const berth_trace_op row = {
		.t_ns = number * 1000,
		.thread = 1,
		.context = 1,
		.answered = true,
		.op = *op,
		.result = {
			.cl_status = cl_status,
			.duration_ns = 500,
			.bytes = op->kind == BERTH_OP_IMAGE_CREATE ? op->image.height * row_pitch
								   : op->bytes,
			.row_pitch_bytes = row_pitch,
		},
	};

	return berth__trace_write_op(writer, &row, op->kind == BERTH_OP_USE ? 1 : 0);
}

static berth_status finish(struct berth__trace_writer *writer, berth_status st)
{
	if (st == BERTH_OK)
		st = berth__trace_writer_finish(writer, "exit");
	if (st == BERTH_OK)
		st = berth__trace_writer_seal(writer);
	berth__trace_writer_close(writer);
	return st;
}

berth_status sample_small(const char *path)
{
	const struct {
		berth_op op;
		int32_t cl_status;
	} rows[SAMPLE_SMALL_OPS] = {
		{ buffer(1, MIB), CL_SUCCESS },
		{ linear(BERTH_OP_WRITE, 1, 0, MIB), CL_SUCCESS },
		{ buffer(2, 2 * MIB), CL_SUCCESS },
		{ linear(BERTH_OP_COPY, 1, 2, MIB), CL_SUCCESS },
		{ linear(BERTH_OP_READ, 2, 0, MIB), CL_SUCCESS },
		{ image(3, 640, 360), CL_SUCCESS },
		{ write_image(3, 640, 360), CL_SUCCESS },
		{ buffer(BERTH_ID_NONE, 0), CL_INVALID_BUFFER_SIZE },
		{ release(1), CL_SUCCESS },
		{ release(3), CL_SUCCESS },
	};
	struct berth__trace_writer *writer = NULL;
	berth_status st = start(&writer, path);

	for (size_t i = 0; st == BERTH_OK && i < SAMPLE_SMALL_OPS; i++)
		st = append(writer, &rows[i].op, i, rows[i].cl_status);
	return finish(writer, st);
}

berth_status sample_large(const char *path, uint64_t op_count)
{
	struct berth__trace_writer *writer = NULL;
	berth_status st = start(&writer, path);

	for (uint64_t i = 0; st == BERTH_OK && i < op_count; i++) {
		uint64_t id = 2 + i / 8 * 2;
		const berth_op round[8] = {
			buffer(id, 65536),
			linear(BERTH_OP_WRITE, id, 0, 65536),
			buffer(id + 1, 65536),
			linear(BERTH_OP_COPY, id, id + 1, 4096),
			use(),
			linear(BERTH_OP_READ, id + 1, 0, 65536),
			release(id),
			release(id + 1),
		};
		/* Object 1 lives throughout; the first op makes it. */
		const berth_op first = buffer(1, MIB);

		if (i > 0 && i % BATCH_OPS == 0) {
			st = berth__trace_writer_commit(writer);
			if (st == BERTH_OK)
				st = berth__trace_writer_begin(writer);
		}
		if (st == BERTH_OK && i == 0)
			st = append(writer, &first, 0, CL_SUCCESS);
		if (st == BERTH_OK)
			st = append(writer, &round[i % 8], i, CL_SUCCESS);
	}
	return finish(writer, st);
}
