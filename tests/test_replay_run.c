/* SPDX-License-Identifier: Apache-2.0 */
/* Whole traces on simulated devices, under a checker, stopped, and damaged. */
#include "test_main.h"

#include "sample_trace.h"

#include <berth/replay.h>
#include <berth/sim.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <CL/cl.h>
#include <sqlite3.h>

#define SMALL_MOVED_BYTES 4067328 /* written 1 MiB + 921600, copied 1 MiB, read 1 MiB */

static char folder[64];
static char path[96];

static berth_trace *open_small(void)
{
	berth_trace *trace = NULL;

	unlink(path);
	ASSERT_OK(sample_small(path));
	ASSERT_OK(berth_trace_open(&trace, path));
	CU_ASSERT_FATAL(trace != NULL);
	return trace;
}

static berth_device *open_sim(bool ghost, uint64_t capacity_bytes)
{
	const berth_sim_options options = { sizeof(options), ghost, capacity_bytes };
	berth_device *device = NULL;
	berth_profile profile;

	ASSERT_OK(berth_profile_load(&profile, "spec-minimum"));
	ASSERT_OK(berth_sim_create(&device, &profile, &options));
	CU_ASSERT_FATAL(device != NULL);
	return device;
}

static void fits(void)
{
	static const struct {
		const char *name;
		bool ghost;
	} cases[] = { { "with bytes", false }, { "ghost", true } };
	berth_trace *trace = open_small();

	/* One trace for both: each run starts at its first op. */
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		berth_device *device = open_sim(cases[i].ghost, 0);
		berth_replay_options options = BERTH_REPLAY_OPTIONS_INIT;
		berth_replay_report report;

		test_case("%s", cases[i].name);
		options.ghost = cases[i].ghost;
		ASSERT_OK(berth_replay_run(trace, device, &options, &report));
		ASSERT_INT(report.ops, SAMPLE_SMALL_OPS);
		ASSERT_INT(report.executed, SAMPLE_SMALL_OPS);
		ASSERT_INT(report.diverged, false);
		ASSERT_INT(report.bytes_moved, SMALL_MOVED_BYTES);
		ASSERT_INT(report.memory.peak_bytes, SAMPLE_SMALL_PEAK_BYTES);
		/* object 2 is never released */
		ASSERT_INT(report.memory.live_objects, 1);
		berth_device_destroy(device);
	}
	berth_trace_close(trace);
}

/* 1 + 2 MiB of buffers fill 3 MiB; the image of 921600 bytes is refused. */
static void does_not_fit(void)
{
	berth_trace *trace = open_small();
	berth_device *device = open_sim(false, 3145728);
	berth_replay_report report;

	test_case("3 MiB");
	ASSERT_OK(berth_replay_run(trace, device, NULL, &report));
	ASSERT_INT(report.divergences, 1);
	ASSERT_INT(report.first.seq, 6);
	ASSERT_INT(report.first.recorded, CL_SUCCESS);
	ASSERT_INT(report.first.replayed, CL_MEM_OBJECT_ALLOCATION_FAILURE);
	ASSERT_CONTAINS(report.first.op, "image_create object 3, 640x360");
	ASSERT_CONTAINS(report.first.text, "921600");
	ASSERT_CONTAINS(report.first.text, "3145728");
	/* its write and its release */
	ASSERT_INT(report.consequences, 2);
	ASSERT_INT(report.executed, 8);
	berth_device_destroy(device);
	berth_trace_close(trace);
}

static void checked(void)
{
	berth_trace *trace = open_small();
	berth_device *checker = NULL;
	berth_replay_report report;

	test_case("two simulators");
	ASSERT_OK(berth_checker_create(&checker, open_sim(false, 0), open_sim(false, 0)));
	CU_ASSERT_FATAL(checker != NULL);
	ASSERT_OK(berth_replay_run(trace, checker, NULL, &report));
	ASSERT_INT(report.diverged, false);
	/* The one read: its first MiB was written, copied there, and is known. */
	ASSERT_INT(report.content_compared, 1);
	ASSERT_INT(report.content_unknown, 0);
	berth_device_destroy(checker);
	berth_trace_close(trace);
}

/* A device on which each op takes a while, so that progress is told. */
static berth_status slow_execute(berth_device *device, const berth_op *op, berth_result *result)
{
	(void)device;
	(void)op;
	(void)result;
	usleep(2000);
	return BERTH_OK;
}

static void slow_memory(const berth_device *device, berth_memory *memory)
{
	(void)device;
	(void)memory;
}

static void slow_destroy(berth_device *device)
{
	(void)device;
}

static bool stop(const berth_replay_progress *progress, void *userdata)
{
	*(berth_replay_progress *)userdata = *progress;
	return false;
}

static void stopped(void)
{
	static const berth_device_ops ops = { BERTH_DEVICE_OPS_VERSION, slow_execute, slow_memory,
					      slow_destroy, NULL };
	berth_caps caps;
	berth_device device = { &ops, &caps, "slow" };
	berth_replay_progress seen = { 0 };
	berth_replay_options options = { .size = sizeof(options),
					 .ghost = true,
					 .progress = stop,
					 .userdata = &seen };
	berth_replay_report report = { .ops = 4711 };
	berth_trace *trace = NULL;

	test_case("stopped by the callback");
	berth_caps_init_minimum(&caps, 300);
	unlink(path);
	ASSERT_OK(sample_large(path, 800));
	ASSERT_OK(berth_trace_open(&trace, path));
	CU_ASSERT_FATAL(trace != NULL);
	ASSERT_INT(berth_replay_run(trace, &device, &options, &report), BERTH_E_STATE);
	/* one op more than asked: the buffer that lives throughout */
	ASSERT_INT(seen.ops_total, 801);
	CU_ASSERT(seen.ops_done > 0 && seen.ops_done < 801);
	ASSERT_INT(report.ops, 4711);

	test_case("options of another size");
	options.size--;
	ASSERT_INT(berth_replay_run(trace, &device, &options, &report), BERTH_E_INVAL);
	ASSERT_INT(report.ops, 4711);
	berth_trace_close(trace);
}

static void damaged(void)
{
	static const char spoil[] = "update op set kind = 4711 where seq = 4";
	berth_device *device = open_sim(true, 0);
	berth_replay_report report = { .ops = 4711 };
	berth_trace *trace = open_small();
	sqlite3 *database = NULL;

	test_case("a row that is no op");
	berth_trace_close(trace);
	ASSERT_INT(sqlite3_open(path, &database), SQLITE_OK);
	ASSERT_INT(sqlite3_exec(database, spoil, NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(database);
	ASSERT_OK(berth_trace_open(&trace, path));
	ASSERT_INT(berth_replay_run(trace, device, NULL, &report), BERTH_E_FORMAT);
	ASSERT_CONTAINS(berth_error_get()->message, "row 4");
	ASSERT_INT(report.ops, 4711);
	berth_trace_close(trace);
	berth_device_destroy(device);
}

int main(void)
{
	static const struct test tests[] = {
		{ "a trace that fits", fits },
		{ "a trace that does not", does_not_fit },
		{ "under a checker", checked },
		{ "stopped", stopped },
		{ "a damaged trace", damaged },
		{ NULL, NULL },
	};
	const char *tmp = getenv("TMPDIR");
	int status;

	snprintf(folder, sizeof(folder), "%s/berth-replay.XXXXXX", tmp ? tmp : "/tmp");
	if (!mkdtemp(folder))
		return 99;
	snprintf(path, sizeof(path), "%s/t.db", folder);
	status = test_main("replay_run", tests);
	unlink(path);
	rmdir(folder);
	return status;
}
