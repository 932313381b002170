/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The creations and releases of recorded programs on the suballocator, a plain best
 * fit tree, malloc(), and, where there is an OpenCL device, clCreateBuffer() with
 * clReleaseMemObject(). Arguments: traces, tables or allocation lists; without any,
 * the golden traces. BERTH_BENCH_PLATFORM: part of the platform's name.
 *
 * A file is run through again and again in one arena, so that the peak is what
 * remains after many rounds. Rounds alternate between the allocators.
 */
#include "config.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <CL/cl.h>

#include <berth/device.h>
#include <berth/opencl.h>

#include "allocators.h"
#include "recorded.h"

#define ROUNDS 9
#define LEAST_STEPS 50000

static berth_device *device; /* NULL: there is none */

#ifdef BERTH_WITH_OPENCL
static void open_device(void)
{
	const char *platform = getenv("BERTH_BENCH_PLATFORM");
	berth_opencl_options options = BERTH_OPENCL_OPTIONS_INIT;

	if (berth_opencl_find(&options.device, platform ? platform : "", 0) != BERTH_OK ||
	    berth_opencl_create(&device, &options) != BERTH_OK)
		printf("  the driver is left out: %s\n", berth_error_get()->message);
}

/* Wall time, untouched. */
static int run_driver(const struct workload *workload, struct outcome *out)
{
	cl_mem *buffers = calloc(workload->slot_count, sizeof(cl_mem));
	cl_context context = berth_opencl_context(device);
	struct timespec began, ended;
	cl_int code = buffers ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;

	clock_gettime(CLOCK_MONOTONIC, &began);
	for (size_t i = 0; i < workload->step_count && code == CL_SUCCESS; i++) {
		const struct step *step = &workload->steps[i];

		if (step->bytes > 0) {
			buffers[step->slot] = clCreateBuffer(context, CL_MEM_READ_WRITE,
							     step->bytes, NULL, &code);
		} else {
			code = clReleaseMemObject(buffers[step->slot]);
			buffers[step->slot] = NULL;
		}
	}
	clock_gettime(CLOCK_MONOTONIC, &ended);
	for (uint32_t slot = 0; buffers && slot < workload->slot_count; slot++)
		if (buffers[slot])
			clReleaseMemObject(buffers[slot]);
	free(buffers);
	out->ns = ((double)(ended.tv_sec - began.tv_sec) * 1e9 +
		   (double)(ended.tv_nsec - began.tv_nsec)) /
		  (double)workload->step_count;
	return code == CL_SUCCESS ? 0 : -1;
}
#else
static void open_device(void)
{
}

static int run_driver(const struct workload *workload, struct outcome *out)
{
	(void)workload;
	(void)out;
	return -1;
}
#endif

/* The order of the columns. */
enum { SUBALLOC, TREE, MALLOC, DRIVER, ALLOCATORS };

static run_fn *const runs[ALLOCATORS] = { run_suballoc, run_tree, run_malloc, run_driver };

/* The worst of all files. */
struct worst {
	double ns, p99_ns, peak;
};

static void raise(double *worst, double value)
{
	if (value > *worst)
		*worst = value;
}

static int measure(struct outcome out[ALLOCATORS], const struct workload *workload)
{
	double ns[ALLOCATORS][ROUNDS];
	int allocators = device ? ALLOCATORS : DRIVER;

	for (int round = 0; round < ROUNDS; round++) {
		for (int i = 0; i < allocators; i++) {
			out[i] = (struct outcome){ 0 };
			if (runs[i](workload, &out[i]) != 0)
				return -1;
			ns[i][round] = out[i].ns;
		}
	}
	for (int i = 0; i < allocators; i++)
		out[i].ns = median(ns[i], ROUNDS);
	return 0;
}

static int bench(const char *name, const struct workload *workload, struct worst *worst)
{
	struct outcome out[ALLOCATORS] = { 0 };
	double bound = (double)workload->bound_bytes, live = workload->end_live, p99_ns;

	if (measure(out, workload) != 0 || suballoc_p99_ns(workload, &p99_ns) != 0)
		return -1;
	printf("  %-28.28s %6u %6.1f %6.1f %6.3f %5.0f %7.1f %6.3f %5.0f %7.1f", name,
	       workload->end_live, out[SUBALLOC].ns, p99_ns, out[SUBALLOC].peak_bytes / bound,
	       out[SUBALLOC].metadata_bytes / live, out[TREE].ns, out[TREE].peak_bytes / bound,
	       out[TREE].metadata_bytes / live, out[MALLOC].ns);
	if (device)
		printf(" %8.1f\n", out[DRIVER].ns);
	else
		printf(" %8s\n", "-");
	raise(&worst->ns, out[SUBALLOC].ns);
	raise(&worst->p99_ns, p99_ns);
	raise(&worst->peak, out[SUBALLOC].peak_bytes / bound);
	return 0;
}

static int bench_file(const char *path, struct worst *worst)
{
	const char *slash = strrchr(path, '/'), *file = slash ? slash + 1 : path;
	berth_plan_source *source;
	int status = 0;

	if (berth_plan_source_load(&source, path, NULL) != BERTH_OK) {
		fprintf(stderr, "bench_recorded: %s: %s\n", path, berth_error_get()->message);
		return -1;
	}
	for (size_t i = 0; i < source->model_count && status == 0; i++) {
		const berth_plan_model *model = &source->models[i];
		struct workload workload;

		if (workload_from_model(&workload, model, LEAST_STEPS) != 0)
			printf("  %-28.28s nothing to place, or more than there is memory for\n",
			       *model->name ? model->name : file);
		else
			status = bench(*model->name ? model->name : file, &workload, worst);
		workload_free(&workload);
	}
	if (status != 0)
		fprintf(stderr, "bench_recorded: %s: an allocation failed\n", path);
	berth_plan_source_destroy(source);
	return status;
}

static int bench_golden(struct worst *worst)
{
	glob_t found;
	int status = 0;

	if (glob(TRACE_DIR "/*.db", 0, NULL, &found) != 0) {
		fprintf(stderr, "bench_recorded: no traces in " TRACE_DIR "\n");
		return -1;
	}
	for (size_t i = 0; i < found.gl_pathc && status == 0; i++)
		status = bench_file(found.gl_pathv[i], worst);
	globfree(&found);
	return status;
}

int main(int argc, char **argv)
{
	struct worst worst = { 0 };
	int status = 0;

	printf("recorded creations and releases: ns of each, median of %d alternating rounds "
	       "(the driver: wall time, untouched);\n"
	       "  peak over the largest sum of live bytes; host bytes a live block where most "
	       "are\n",
	       ROUNDS);
	open_device();
	printf("  %-28s %6s %6s %6s %6s %5s %7s %6s %5s %7s %8s\n", "", "blocks", "suball", "p99",
	       "peak", "meta", "tree", "peak", "meta", "malloc", "driver");
	if (argc < 2)
		status = bench_golden(&worst);
	for (int i = 1; i < argc && status == 0; i++)
		status = bench_file(argv[i], &worst);
	if (status == 0)
		printf("  worst of suballoc: %.1f ns, p99 %.1f ns, peak %.3f (targets: 15, 100, "
		       "1.05)\n",
		       worst.ns, worst.p99_ns, worst.peak);
	berth_device_destroy(device);
	return status != 0;
}
