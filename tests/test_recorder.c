/* SPDX-License-Identifier: Apache-2.0 */
/* The recorder and the meter: the device contract on them, and what they write down. */
#include "contract.h"
#include "scratch.h"
#include "test_main.h"

#include <berth/meter.h>
#include <berth/open.h>
#include <berth/recorder.h>
#include <berth/replay.h>
#include <berth/sim.h>
#include <berth/tensor.h>
#include <berth/trace.h>

#include <CL/cl.h>
#include <stdio.h>
#include <string.h>
#include <xxhash.h>

enum over { RECORDER, METER };

static berth_status open_over(berth_device **out, void *userdata)
{
	enum over over = *(enum over *)userdata;
	berth_device *inner;
	berth_status st = berth_device_open(&inner, "sim:spec-minimum", NULL);

	if (st != BERTH_OK)
		return st;
	st = over == METER ? berth_meter_create(out, inner)
			   : berth_recorder_create(out, inner, scratch_path("contract.db"), NULL);
	if (st != BERTH_OK)
		berth_device_destroy(inner);
	return st;
}

static berth_device *simulator(void)
{
	berth_device *device = NULL;

	ASSERT_OK(berth_device_open(&device, "sim:adreno-650", NULL));
	CU_ASSERT_PTR_NOT_NULL_FATAL(device);
	return device;
}

static void run(berth_device *device, const berth_op *op, int32_t expected)
{
	berth_result result;

	ASSERT_OK(berth_device_execute(device, op, &result));
	ASSERT_INT(result.cl_status, expected);
}

static void run_program(berth_device *device, char *bytes)
{
	const berth_object_use use = { .object = 1, .arg_index = 2 };
	berth_op write = { BERTH_OP_WRITE, BERTH_FORM_LINEAR, .bits = BERTH_OP_BLOCKING, .object = 1,
			   .bytes = 64 };

	berth_op_set_host(&write, bytes);
	run(device, &(berth_op){ BERTH_OP_BUFFER_CREATE, .object = 1, .bytes = 4096 }, CL_SUCCESS);
	run(device, &(berth_op){ BERTH_OP_LABEL, .object = 1, .name = "weights" }, CL_SUCCESS);
	run(device, &write, CL_SUCCESS);
	run(device, &(berth_op){ BERTH_OP_USE, .uses = &use, .use_count = 1, .name = "blur" },
	    CL_SUCCESS);
	run(device, &(berth_op){ BERTH_OP_LABEL, .object = 1, .name = "weights" }, CL_SUCCESS);
	run(device, &(berth_op){ BERTH_OP_BUFFER_CREATE, .object = 2 }, CL_INVALID_BUFFER_SIZE);
	run(device, &(berth_op){ BERTH_OP_RELEASE, .object = 1 }, CL_SUCCESS);
}

static void what_is_recorded(void)
{
	static const struct {
		berth_op_kind kind;
		int32_t status;
		const char *name;
		bool digest;
	} expected[] = {
		{ BERTH_OP_BUFFER_CREATE, 0, NULL, false },
		{ BERTH_OP_LABEL, 0, "weights", false },
		{ BERTH_OP_WRITE, 0, NULL, true },
		{ BERTH_OP_USE, 0, "blur", false },
		{ BERTH_OP_LABEL, 0, "weights", false },
		{ BERTH_OP_BUFFER_CREATE, CL_INVALID_BUFFER_SIZE, NULL, false },
		{ BERTH_OP_RELEASE, 0, NULL, false },
	};
	const char *path = scratch_path("program.db");
	char bytes[64] = "content";
	XXH128_canonical_t digest;
	const berth_trace_op *row;
	berth_trace *trace = NULL;
	berth_device *device = NULL, *replayed;

	ASSERT_OK(berth_recorder_create(&device, simulator(), path, "a runtime"));
	ASSERT_CONTAINS(berth_device_name(device), "recorder:sim:adreno-650");
	run_program(device, bytes);
	/* What the inner device said of the refusal is still there. */
	ASSERT_INT(berth_recorder_op_count(device), 7);
	ASSERT_OK(berth_recorder_finish(device));
	ASSERT_OK(berth_recorder_finish(device));
	/* Not recorded any more, but passed on. */
	run(device, &(berth_op){ BERTH_OP_BUFFER_CREATE, .object = 3, .bytes = 16 }, CL_SUCCESS);
	berth_device_destroy(device);

	ASSERT_OK(berth_trace_open(&trace, path));
	CU_ASSERT_PTR_NOT_NULL_FATAL(trace);
	ASSERT_STRING(berth_trace_get_info(trace)->program, "a runtime");
	XXH128_canonicalFromHash(&digest, XXH3_128bits(bytes, sizeof(bytes)));
	for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
		test_case("op %zu", i + 1);
		ASSERT_OK(berth_trace_next(&row, trace));
		CU_ASSERT_PTR_NOT_NULL_FATAL(row);
		ASSERT_INT(row->op.kind, expected[i].kind);
		ASSERT_INT(row->result.cl_status, expected[i].status);
		ASSERT_STRING(row->op.name, expected[i].name);
		ASSERT_INT(row->has_digest, expected[i].digest);
		if (row->has_digest)
			ASSERT_INT(memcmp(row->digest, digest.digest, sizeof(row->digest)), 0);
	}
	ASSERT_OK(berth_trace_next(&row, trace));
	CU_ASSERT_PTR_NULL(row);
	berth_trace_close(trace);

	/* And it can be replayed: nothing diverges. */
	replayed = simulator();
	ASSERT_OK(berth_trace_open(&trace, path));
	{
		berth_replay_report report;

		ASSERT_OK(berth_replay_run(trace, replayed, NULL, &report));
		ASSERT_INT(report.divergences, 0);
		ASSERT_INT(report.executed, 7);
	}
	berth_trace_close(trace);
	berth_device_destroy(replayed);
}

/* In a budget of 100 bytes the second tensor of 100 evicts the first: the trace says so. */
static void decisions_are_labels(void)
{
	const berth_layout layout = { .element = BERTH_ELEMENT_UINT8, .lanes = 1, .axis_count = 1,
				      .shape = { 100 } };
	berth_residency_options options = BERTH_RESIDENCY_OPTIONS_INIT;
	berth_site_options site = BERTH_SITE_OPTIONS_INIT;
	berth_tensor_options content = BERTH_TENSOR_OPTIONS_INIT;
	const char *path = scratch_path("decisions.db");
	static char bytes[100];
	berth_device *device = NULL;
	berth_pool *pool = NULL;
	berth_residency *residency = NULL;
	berth_trace *trace = NULL;
	const berth_trace_op *row;
	uint32_t number;
	int evictions = 0;

	options.label = true;
	site.hard_limit_bytes = sizeof(bytes);
	content.host = bytes;
	ASSERT_OK(berth_recorder_create(&device, simulator(), path, NULL));
	ASSERT_OK(berth_pool_create(&pool, device, NULL));
	ASSERT_OK(berth_residency_create(&residency, &options));
	ASSERT_OK(berth_residency_add_site(&number, residency, pool, &site));
	for (int i = 0; i < 2; i++) {
		berth_tensor tensor = 0;

		ASSERT_OK(berth_tensor_create(&tensor, residency, &layout, &content));
		ASSERT_OK(berth_tensor_to_device(residency, tensor, number, 0));
	}
	berth_residency_destroy(residency);
	berth_pool_destroy(pool);
	ASSERT_OK(berth_recorder_finish(device));
	berth_device_destroy(device);

	ASSERT_OK(berth_trace_open(&trace, path));
	while (berth_trace_next(&row, trace) == BERTH_OK && row) {
		if (row->op.kind != BERTH_OP_LABEL)
			continue;
		evictions++;
		ASSERT_CONTAINS(row->op.name, "\"action\":\"drop\",\"site\":0,\"need_bytes\":100,"
					      "\"tensor\":1,\"bytes\":100");
	}
	ASSERT_INT(evictions, 1);
	berth_trace_close(trace);
}

static void a_trace_that_cannot_be_written(void)
{
	berth_device *inner = simulator(), *device = NULL;

	ASSERT_INT(berth_recorder_create(&device, inner, scratch_path("no/such/folder.db"), NULL),
		   BERTH_E_IO);
	CU_ASSERT_PTR_NULL(device);
	ASSERT_INT(berth_recorder_finish(inner), BERTH_E_INVAL);
	ASSERT_INT(berth_recorder_op_count(inner), 0);
	CU_ASSERT_PTR_NULL(berth_meter_get_counts(inner));
	berth_device_destroy(inner);
}

static void what_is_counted(void)
{
	const berth_meter_counts *counts;
	berth_device *device = NULL;
	char bytes[64] = "content";

	ASSERT_OK(berth_meter_create(&device, simulator()));
	run_program(device, bytes);
	counts = berth_meter_get_counts(device);
	ASSERT_INT(counts->calls[BERTH_OP_BUFFER_CREATE], 2);
	ASSERT_INT(counts->refused[BERTH_OP_BUFFER_CREATE], 1);
	ASSERT_INT(counts->calls[BERTH_OP_LABEL], 2);
	ASSERT_INT(counts->moved_bytes[BERTH_OP_WRITE], 64);
	ASSERT_INT(counts->created_bytes, 4096);
	CU_ASSERT(counts->peak_in_use_bytes >= 4096);
	ASSERT_INT(counts->peak_live_objects, 1);
	berth_device_destroy(device);
}

int main(void)
{
	static const struct test tests[] = {
		{ "what is recorded", what_is_recorded },
		{ "decisions are labels", decisions_are_labels },
		{ "a trace that cannot be written", a_trace_that_cannot_be_written },
		{ "what is counted", what_is_counted },
		{ NULL, NULL },
	};
	static const char *const suites[] = { "contract: recorder", "contract: meter" };
	int worst;

	scratch_make();
	worst = test_main("recorder and meter", tests);
	for (enum over over = RECORDER; over <= METER; over++) {
		const struct contract_device device = { .open = open_over,
							.userdata = &over,
							.conforms = true };
		int status = contract_main(suites[over], &device);

		worst = status > worst ? status : worst;
	}
	scratch_remove();
	return worst;
}
