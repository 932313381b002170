/* SPDX-License-Identifier: Apache-2.0 */
/* The replayer, op by op, on a device that answers by a script. */
#include "alloc_fault.h"
#include "test_main.h"

#include "replay/player.h"

#include <stdlib.h>
#include <string.h>

#include <CL/cl.h>

#define MAX_OPS 16

/* Answers op i with answers[i], CL_SUCCESS past its end, and keeps what it was asked. */
struct scripted {
	berth_device base;
	berth_caps caps;
	const berth_result *answers;
	size_t answer_count;
	berth_status no_answer; /* for every op, when not BERTH_OK */
	berth_op seen[MAX_OPS];
	size_t seen_count;
	uint8_t bytes[MAX_OPS][16]; /* the first of what was to be written */
};

static berth_status scripted_execute(berth_device *device, const berth_op *op, berth_result *result)
{
	struct scripted *scripted = (struct scripted *)device;
	size_t index = scripted->seen_count++;

	CU_ASSERT_FATAL(index < MAX_OPS);
	scripted->seen[index] = *op;
	if (op->host && op->kind != BERTH_OP_READ)
		memcpy(scripted->bytes[index], op->host, sizeof(scripted->bytes[index]));
	if (scripted->no_answer != BERTH_OK)
		return berth_error_set(scripted->no_answer, 0, "no answer");
	if (index < scripted->answer_count)
		*result = scripted->answers[index];
	if (result->cl_status != CL_SUCCESS)
		berth_error_set(BERTH_E_CL, result->cl_status, "refused op %zu", index);
	return BERTH_OK;
}

static void scripted_memory(const berth_device *device, berth_memory *memory)
{
	(void)device;
	*memory = (berth_memory){ .peak_bytes = 77, .capacity_bytes = 99 };
}

static void scripted_destroy(berth_device *device)
{
	(void)device;
}

static const berth_device_ops scripted_ops = {
	.version = BERTH_DEVICE_OPS_VERSION,
	.execute = scripted_execute,
	.memory = scripted_memory,
	.destroy = scripted_destroy,
};

static void scripted_init(struct scripted *scripted, const berth_result *answers, size_t count)
{
	memset(scripted, 0, sizeof(*scripted));
	berth_caps_init_minimum(&scripted->caps, 300);
	scripted->base = (berth_device){ &scripted_ops, &scripted->caps, "scripted" };
	scripted->answers = answers;
	scripted->answer_count = count;
}

static berth_trace_op row_of(berth_op op, int32_t recorded)
{
	return (berth_trace_op){ .answered = true, .op = op, .result = { .cl_status = recorded } };
}

static berth_op buffer(uint64_t id, uint64_t bytes)
{
	return (berth_op){ .kind = BERTH_OP_BUFFER_CREATE, .object = id,
			   .flags = CL_MEM_READ_WRITE, .bytes = bytes };
}

static berth_op on_object(berth_op_kind kind, uint64_t id)
{
	return (berth_op){ .kind = kind, .object = id };
}

static berth_op transfer(berth_op_kind kind, uint64_t id, uint64_t bytes)
{
	return (berth_op){ .kind = kind, .form = BERTH_FORM_LINEAR, .object = id, .bytes = bytes,
			   .host_address = 0x1000 };
}

/* Play rows numbered from 1; returns the first status that is not BERTH_OK. */
static berth_status play(struct scripted *device, bool ghost, const berth_trace_op *rows,
			 size_t count, berth_replay_report *report)
{
	struct berth__player player;
	const berth_replay_options options = { .size = sizeof(options), .ghost = ghost };
	berth_status st = berth__player_init(&player, &device->base, NULL, &options);

	if (st != BERTH_OK)
		return st;
	for (size_t i = 0; i < count && st == BERTH_OK; i++) {
		berth_trace_op row = rows[i];

		row.seq = i + 1;
		st = berth__player_step(&player, &row);
	}
	berth__player_fini(&player);
	*report = player.report;
	return st;
}

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void verdicts(void)
{
	static const struct {
		const char *name;
		int32_t recorded;
		berth_result answer;
		bool diverged;
		uint64_t code_differences;
	} cases[] = {
		{ "both accept", CL_SUCCESS, { .cl_status = CL_SUCCESS }, false, 0 },
		{ "the device refuses", CL_SUCCESS, { .cl_status = CL_INVALID_VALUE }, true, 0 },
		{ "the device accepts", CL_INVALID_VALUE, { .cl_status = CL_SUCCESS }, true, 0 },
		{ "both refuse", CL_INVALID_VALUE, { .cl_status = CL_INVALID_VALUE }, false, 0 },
		{ "other codes, spec not known", CL_INVALID_VALUE,
		  { .cl_status = CL_INVALID_BUFFER_SIZE }, false, 1 },
		{ "other code that the spec allows", CL_INVALID_VALUE,
		  { .cl_status = CL_INVALID_BUFFER_SIZE, .rule = "R1", .code_count = 2,
		    .codes = { CL_INVALID_CONTEXT, CL_INVALID_VALUE } }, false, 1 },
		{ "other code that it does not", CL_INVALID_VALUE,
		  { .cl_status = CL_INVALID_BUFFER_SIZE, .rule = "R1", .code_count = 1,
		    .codes = { CL_INVALID_CONTEXT } }, true, 1 },
		{ "out of resources is allowed anywhere", CL_OUT_OF_RESOURCES,
		  { .cl_status = CL_INVALID_BUFFER_SIZE, .rule = "R1" }, false, 1 },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		berth_trace_op row = row_of(buffer(1, 64), cases[i].recorded);
		struct scripted device;
		berth_replay_report report;

		test_case("%s", cases[i].name);
		scripted_init(&device, &cases[i].answer, 1);
		ASSERT_OK(play(&device, true, &row, 1, &report));
		ASSERT_INT(report.diverged, cases[i].diverged);
		ASSERT_INT(report.divergences, cases[i].diverged);
		ASSERT_INT(report.code_differences, cases[i].code_differences);
		ASSERT_INT(report.executed, 1);
	}
}

static void first_divergence(void)
{
	static const berth_result answers[] = {
		{ .cl_status = CL_SUCCESS },
		{ .cl_status = CL_INVALID_VALUE, .rule = "R100" },
		{ .cl_status = CL_INVALID_CONTEXT },
	};
	const berth_trace_op rows[] = {
		row_of(buffer(1, 64), CL_SUCCESS),
		row_of(transfer(BERTH_OP_WRITE, 1, 65), CL_SUCCESS),
		row_of(transfer(BERTH_OP_READ, 1, 8), CL_SUCCESS),
	};
	struct scripted device;
	berth_replay_report report;

	scripted_init(&device, answers, COUNT(answers));
	ASSERT_OK(play(&device, true, rows, COUNT(rows), &report));
	ASSERT_INT(report.divergences, 2);
	ASSERT_INT(report.first.seq, 2);
	ASSERT_INT(report.first.recorded, CL_SUCCESS);
	ASSERT_INT(report.first.replayed, CL_INVALID_VALUE);
	ASSERT_STRING(report.first.rule, "R100");
	ASSERT_STRING(report.first.text, "refused op 1");
	ASSERT_CONTAINS(report.first.op, "write linear object 1");
	ASSERT_INT(report.memory.peak_bytes, 77);
	ASSERT_INT(report.memory.capacity_bytes, 99);
}

/* What the device got and the program did not is given back at once. */
static void undone(void)
{
	const struct {
		const char *name;
		berth_op op;
		berth_op_kind opposite;
	} cases[] = {
		{ "create", buffer(2, 64), BERTH_OP_RELEASE },
		{ "retain", on_object(BERTH_OP_RETAIN, 1), BERTH_OP_RELEASE },
		{ "map", { .kind = BERTH_OP_MAP, .form = BERTH_FORM_LINEAR, .object = 1,
			   .mapping = 5, .flags = CL_MAP_READ, .bytes = 64 }, BERTH_OP_UNMAP },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		const berth_trace_op rows[] = {
			row_of(buffer(1, 64), CL_SUCCESS),
			row_of(cases[i].op, CL_INVALID_VALUE),
		};
		struct scripted device;
		berth_replay_report report;

		test_case("%s", cases[i].name);
		scripted_init(&device, NULL, 0);
		ASSERT_OK(play(&device, true, rows, COUNT(rows), &report));
		ASSERT_INT(device.seen_count, 3);
		ASSERT_INT(device.seen[2].kind, cases[i].opposite);
		ASSERT_INT(device.seen[2].object, cases[i].op.object);
		ASSERT_INT(device.seen[2].mapping, cases[i].op.mapping);
		ASSERT_CONTAINS(report.first.text, "scripted accepts it");
	}
}

static void consequences(void)
{
	static const berth_object_use uses[] = { { .object = 1 } };
	static const berth_result refused = { .cl_status = CL_MEM_OBJECT_ALLOCATION_FAILURE };
	const berth_op left_out[] = {
		transfer(BERTH_OP_WRITE, 1, 8),
		{ .kind = BERTH_OP_COPY, .form = BERTH_FORM_LINEAR, .object = 2, .other = 1,
		  .bytes = 8 },
		{ .kind = BERTH_OP_SUBBUFFER_CREATE, .object = 3, .other = 1, .bytes = 8 },
		on_object(BERTH_OP_RELEASE, 3),
		{ .kind = BERTH_OP_USE, .uses = uses, .use_count = 1 },
		on_object(BERTH_OP_RELEASE, 1),
	};
	berth_trace_op rows[2 + COUNT(left_out)];
	struct scripted device;
	berth_replay_report report;

	rows[0] = row_of(buffer(1, 64), CL_SUCCESS);
	rows[1] = row_of(buffer(2, 64), CL_SUCCESS);
	for (size_t i = 0; i < COUNT(left_out); i++)
		rows[2 + i] = row_of(left_out[i], CL_SUCCESS);
	scripted_init(&device, &refused, 1);
	ASSERT_OK(play(&device, true, rows, COUNT(rows), &report));
	ASSERT_INT(report.ops, 8);
	ASSERT_INT(report.executed, 2);
	ASSERT_INT(report.divergences, 1);
	ASSERT_INT(report.consequences, 6);
}

static void refused_map(void)
{
	static const berth_result answers[] = { { 0 }, { .cl_status = CL_MAP_FAILURE } };
	berth_op map = { .kind = BERTH_OP_MAP, .form = BERTH_FORM_LINEAR, .object = 1,
			 .mapping = 5, .flags = CL_MAP_READ, .bytes = 64 };
	berth_op unmap = { .kind = BERTH_OP_UNMAP, .object = 1, .mapping = 5 };
	const berth_trace_op rows[] = {
		row_of(buffer(1, 64), CL_SUCCESS),
		row_of(map, CL_SUCCESS),
		row_of(unmap, CL_SUCCESS),
	};
	struct scripted device;
	berth_replay_report report;

	scripted_init(&device, answers, COUNT(answers));
	ASSERT_OK(play(&device, true, rows, COUNT(rows), &report));
	ASSERT_INT(report.executed, 2);
	ASSERT_INT(report.consequences, 1);
}

static void not_replayable(void)
{
	const struct {
		const char *name;
		bool answered;
		berth_op op;
		int32_t recorded;
		uint64_t executed, left_out;
	} cases[] = {
		{ "the process ended in it", false, buffer(1, 64), CL_SUCCESS, 0, 1 },
		{ "unknown handle", true, on_object(BERTH_OP_RELEASE, BERTH_ID_UNKNOWN),
		  CL_INVALID_MEM_OBJECT, 0, 1 },
		/* clFinish(NULL): an op of every queue would succeed */
		{ "wrong queue", true, { .kind = BERTH_OP_SYNC }, CL_INVALID_COMMAND_QUEUE, 0, 1 },
		{ "wrong event", true, { .kind = BERTH_OP_SYNC }, CL_INVALID_EVENT, 0, 1 },
		{ "wrong work size", true, { .kind = BERTH_OP_USE }, CL_INVALID_WORK_GROUP_SIZE, 0,
		  1 },
		{ "no context", true, buffer(BERTH_ID_NONE, 64), CL_INVALID_CONTEXT, 0, 1 },
		/* a NULL handle can be passed again */
		{ "NULL handle", true, on_object(BERTH_OP_RELEASE, BERTH_ID_NONE), CL_SUCCESS, 1,
		  0 },
		/* a failed creation has no id; the device gets one */
		{ "creation without id", true, buffer(BERTH_ID_NONE, 64), CL_SUCCESS, 1, 0 },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		berth_trace_op row = row_of(cases[i].op, cases[i].recorded);
		struct scripted device;
		berth_replay_report report;

		test_case("%s", cases[i].name);
		row.answered = cases[i].answered;
		scripted_init(&device, NULL, 0);
		ASSERT_OK(play(&device, true, &row, 1, &report));
		ASSERT_INT(report.executed, cases[i].executed);
		ASSERT_INT(report.not_replayable, cases[i].left_out);
		ASSERT_INT(report.diverged, false);
		if (cases[i].op.kind == BERTH_OP_BUFFER_CREATE && cases[i].executed)
			CU_ASSERT(device.seen[0].object != BERTH_ID_NONE);
	}
}

static void device_without_answer(void)
{
	static const struct {
		const char *name;
		berth_status device, expected;
		uint64_t left_out, consequences;
	} cases[] = {
		{ "not supported", BERTH_E_UNSUPPORTED, BERTH_OK, 1, 1 },
		{ "not valid", BERTH_E_INVAL, BERTH_OK, 1, 1 },
		{ "id alive already", BERTH_E_STATE, BERTH_E_FORMAT, 0, 0 },
		{ "no memory", BERTH_E_NOMEM, BERTH_E_NOMEM, 0, 0 },
		{ "device lost", BERTH_E_CL, BERTH_E_CL, 0, 0 },
	};
	const berth_trace_op rows[] = {
		row_of(buffer(1, 64), CL_SUCCESS),
		row_of(on_object(BERTH_OP_RELEASE, 1), CL_SUCCESS),
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct scripted device;
		berth_replay_report report;

		test_case("%s", cases[i].name);
		scripted_init(&device, NULL, 0);
		device.no_answer = cases[i].device;
		ASSERT_INT(play(&device, true, rows, COUNT(rows), &report), cases[i].expected);
		ASSERT_INT(report.not_replayable, cases[i].left_out);
		ASSERT_INT(report.consequences, cases[i].consequences);
		if (cases[i].expected == BERTH_E_FORMAT)
			ASSERT_CONTAINS(berth_error_get()->message, "op 1 of the trace");
	}
}

static void stand_in_bytes(void)
{
	const berth_trace_op rows[] = {
		row_of(buffer(1, 1 << 20), CL_SUCCESS),
		row_of(transfer(BERTH_OP_WRITE, 1, 1000), CL_SUCCESS),
		row_of(transfer(BERTH_OP_WRITE, 1, 1000), CL_SUCCESS),
		row_of(transfer(BERTH_OP_READ, 1, 1 << 20), CL_SUCCESS),
	};
	struct scripted first, again, ghost;
	berth_replay_report report;

	scripted_init(&first, NULL, 0);
	ASSERT_OK(play(&first, false, rows, COUNT(rows), &report));
	scripted_init(&again, NULL, 0);
	ASSERT_OK(play(&again, false, rows, COUNT(rows), &report));
	scripted_init(&ghost, NULL, 0);
	ASSERT_OK(play(&ghost, true, rows, COUNT(rows), &report));

	test_case("other bytes in each op, the same in each run");
	CU_ASSERT(memcmp(first.bytes[1], first.bytes[2], 16) != 0);
	CU_ASSERT(memcmp(first.bytes[1], again.bytes[1], 16) == 0);
	CU_ASSERT(memcmp(first.bytes[2], again.bytes[2], 16) == 0);
	for (size_t i = 1; i < COUNT(rows); i++) {
		test_case("op %zu", i);
		CU_ASSERT(first.seen[i].host != NULL);
		ASSERT_INT(first.seen[i].bits & BERTH_OP_BLOCKING, BERTH_OP_BLOCKING);
		CU_ASSERT(ghost.seen[i].host == NULL);
		ASSERT_INT(ghost.seen[i].bits, 0);
		ASSERT_INT(ghost.seen[i].host_address, 0x1000);
	}
	/* 1000 + 1000 + 2^20 */
	ASSERT_INT(report.bytes_moved, 1050576);
}

/* What the program wrote through a mapping is not in the trace, and the device is told so. */
static void mapped_bytes(void)
{
	const berth_op map = { .kind = BERTH_OP_MAP, .form = BERTH_FORM_LINEAR, .object = 1,
			       .mapping = 5, .flags = CL_MAP_WRITE, .bytes = 64 };
	const berth_op unmap = { .kind = BERTH_OP_UNMAP, .object = 1, .mapping = 5 };
	const berth_trace_op rows[] = {
		row_of(buffer(1, 64), CL_SUCCESS),
		row_of(map, CL_SUCCESS),
		row_of(unmap, CL_SUCCESS),
	};
	struct scripted device;
	berth_replay_report report;

	test_case("map and unmap");
	scripted_init(&device, NULL, 0);
	ASSERT_OK(play(&device, false, rows, COUNT(rows), &report));
	ASSERT_INT(report.executed, 3);
	ASSERT_INT(device.seen[1].bits & BERTH_OP_BLOCKING, BERTH_OP_BLOCKING);
	CU_ASSERT(device.seen[2].host_address != 0);
	CU_ASSERT(device.seen[2].host == NULL);
}

static berth_op host_buffer(uint64_t id, uint64_t bytes, uint64_t address)
{
	berth_op op = buffer(id, bytes);

	op.flags |= CL_MEM_USE_HOST_PTR;
	op.host_address = address;
	return op;
}

static void host_memory_of_objects(void)
{
	berth_op subbuffer = { .kind = BERTH_OP_SUBBUFFER_CREATE, .object = 2, .other = 1,
			       .bytes = 64 };
	const berth_trace_op rows[] = {
		row_of(host_buffer(1, 8192, 0x7f0000000a40), CL_SUCCESS),
		row_of(subbuffer, CL_SUCCESS),
		row_of(on_object(BERTH_OP_RELEASE, 1), CL_SUCCESS),
		row_of(on_object(BERTH_OP_RELEASE, 2), CL_SUCCESS),
	};
	static const berth_op_kind expected[] = {
		BERTH_OP_BUFFER_CREATE, BERTH_OP_SUBBUFFER_CREATE, BERTH_OP_SYNC,
		BERTH_OP_RELEASE,	BERTH_OP_SYNC,		   BERTH_OP_RELEASE,
	};
	struct scripted device;
	berth_replay_report report;

	scripted_init(&device, NULL, 0);
	ASSERT_OK(play(&device, false, rows, COUNT(rows), &report));
	ASSERT_INT(device.seen[0].host_address % 4096, 0xa40);
	ASSERT_INT(device.seen_count, COUNT(expected));
	for (size_t i = 0; i < COUNT(expected) && i < device.seen_count; i++) {
		test_case("op %zu", i);
		ASSERT_INT(device.seen[i].kind, expected[i]);
	}
	/* syncs of the player's own do not count */
	ASSERT_INT(report.executed, 4);
}

/* Left alive by the program on the player's memory: ended before that is freed. */
static void host_memory_never_released(void)
{
	berth_op map = { .kind = BERTH_OP_MAP, .form = BERTH_FORM_LINEAR, .object = 1,
			 .mapping = 5, .flags = CL_MAP_READ, .bytes = 64 };
	const berth_trace_op rows[] = {
		row_of(buffer(9, 64), CL_SUCCESS),
		row_of(host_buffer(1, 64, 0x1000), CL_SUCCESS),
		row_of(on_object(BERTH_OP_RETAIN, 1), CL_SUCCESS),
		row_of(map, CL_SUCCESS),
	};
	static const berth_op_kind expected[] = { BERTH_OP_SYNC, BERTH_OP_UNMAP, BERTH_OP_RELEASE,
						  BERTH_OP_RELEASE, BERTH_OP_SYNC };
	struct scripted device;
	berth_replay_report report;

	scripted_init(&device, NULL, 0);
	ASSERT_OK(play(&device, false, rows, COUNT(rows), &report));
	ASSERT_INT(device.seen_count, COUNT(rows) + COUNT(expected));
	for (size_t i = 0; i < COUNT(expected); i++) {
		test_case("op %zu after the trace", i);
		ASSERT_INT(device.seen[COUNT(rows) + i].kind, expected[i]);
		CU_ASSERT(device.seen[COUNT(rows) + i].object != 9);
	}
}

static void more_bytes_than_there_are(void)
{
	static const struct {
		const char *name;
		int32_t recorded;
		berth_status expected;
	} cases[] = {
		{ "accepted in the program", CL_SUCCESS, BERTH_E_NOMEM },
		/* the device may refuse it too, without bytes */
		{ "refused in the program", CL_INVALID_VALUE, BERTH_OK },
	};
	static const berth_result answers[] = { { 0 }, { .cl_status = CL_INVALID_VALUE } };

	for (size_t i = 0; i < COUNT(cases); i++) {
		const berth_trace_op rows[] = {
			row_of(buffer(1, 64), CL_SUCCESS),
			row_of(transfer(BERTH_OP_WRITE, 1, UINT64_C(1) << 62), cases[i].recorded),
		};
		struct scripted device;
		berth_replay_report report;

		test_case("%s", cases[i].name);
		scripted_init(&device, answers, COUNT(answers));
		ASSERT_INT(play(&device, false, rows, COUNT(rows), &report), cases[i].expected);
		if (cases[i].expected == BERTH_OK)
			CU_ASSERT(device.seen[1].host == NULL && device.seen[1].host_address != 0);
	}
}

/* Each allocation fails in turn; a sanitizer finds what is then not freed. */
static void allocations_fail(void)
{
	const berth_op map = { .kind = BERTH_OP_MAP, .form = BERTH_FORM_LINEAR, .object = 1,
			       .mapping = 5, .flags = CL_MAP_READ, .bytes = 64 };
	const berth_trace_op rows[] = {
		row_of(buffer(1, 64), CL_SUCCESS),
		row_of(host_buffer(2, 64, 0x1000), CL_SUCCESS),
		row_of(transfer(BERTH_OP_WRITE, 1, 2 << 20), CL_SUCCESS),
		row_of(transfer(BERTH_OP_READ, 1, 2 << 20), CL_SUCCESS),
		row_of(map, CL_SUCCESS),
		row_of(on_object(BERTH_OP_RELEASE, 2), CL_SUCCESS),
	};
	unsigned n = 0;
	bool failed;

	do {
		struct scripted device;
		berth_replay_report report;
		berth_status st;

		test_case("allocation %u", ++n);
		scripted_init(&device, NULL, 0);
		alloc_fault_arm(n);
		st = play(&device, false, rows, COUNT(rows), &report);
		failed = alloc_fault_disarm();
		ASSERT_INT(st, failed ? BERTH_E_NOMEM : BERTH_OK);
	} while (failed);
	/* at least: the table, an object each, the bytes to write, and those to read */
	CU_ASSERT(n > 5);
}

static void fill_colours(void)
{
	static const struct {
		const char *name;
		uint32_t channel_type;
		uint32_t largest; /* of a component, as bits: 1.0f, or 127 */
	} cases[] = {
		{ "normalised", CL_UNORM_INT8, 0x3f800000 },
		{ "float", CL_FLOAT, 0x3f800000 },
		{ "signed integers", CL_SIGNED_INT8, 127 },
		{ "unsigned integers", CL_UNSIGNED_INT32, 127 },
	};
	uint32_t colour[4];

	for (size_t i = 0; i < COUNT(cases); i++) {
		test_case("%s", cases[i].name);
		for (uint64_t seq = 0; seq < 100; seq++) {
			berth__stand_in_colour(colour, seq, cases[i].channel_type);
			for (int c = 0; c < 4; c++)
				CU_ASSERT(colour[c] <= cases[i].largest &&
					  (cases[i].largest == 127 || colour[c] == 0 ||
					   colour[c] == cases[i].largest));
		}
	}
}

int main(void)
{
	static const struct test tests[] = {
		{ "verdicts", verdicts },
		{ "first divergence", first_divergence },
		{ "what only the device gave is undone", undone },
		{ "consequences", consequences },
		{ "a refused map", refused_map },
		{ "not replayable", not_replayable },
		{ "a device without an answer", device_without_answer },
		{ "stand-in bytes", stand_in_bytes },
		{ "mapped bytes", mapped_bytes },
		{ "host memory of objects", host_memory_of_objects },
		{ "host memory never released", host_memory_never_released },
		{ "more bytes than there are", more_bytes_than_there_are },
		{ "allocations fail", allocations_fail },
		{ "fill colours", fill_colours },
		{ NULL, NULL },
	};

	return test_main("replay", tests);
}
