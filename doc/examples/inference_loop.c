/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An inference loop on tensors of Berth: what residency saves, and what it does when the
 * device has a half or a quarter of the memory.
 *
 * Each of LAYERS layers is x' = relu(x W) + x, in two kernels. The same loop runs
 * - naive: every kernel's inputs are copied there, and its outputs back
 * - resident: what is on the device stays
 * - under a half and a quarter of that run's peak, with each policy of eviction
 * Results must be the same to the last bit. The bytes moved are set against Belady's
 * rule, which knows the future (offline_optimum.h).
 *
 *   inference_loop [PLATFORM-SUBSTRING]
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <berth/opencl.h>
#include <berth/tensor.h>

#include "offline_optimum.h"

enum { LAYERS = 12, WIDTH = 128, BATCH = 32, INFERENCES = 6 };

/* Tensors: weights, then x of each layer and the output, then x W of each layer. */
enum { WEIGHT = 0, X = LAYERS, HIDDEN = X + LAYERS + 1, TENSORS = HIDDEN + LAYERS };

enum { EVENTS_MAX = INFERENCES * (4 * LAYERS + 4) };

static const char source[] =
	"kernel void multiply(global const float *x, global const float *w, global float *out) {\n"
	"	int column = get_global_id(0), row = get_global_id(1), n = get_global_size(0);\n"
	"	float sum = 0;\n"
	"	for (int k = 0; k < n; k++)\n"
	"		sum = fma(x[row * n + k], w[k * n + column], sum);\n"
	"	out[row * n + column] = sum;\n"
	"}\n"
	"kernel void activate(global const float *h, global const float *x, global float *out) {\n"
	"	int i = get_global_id(1) * get_global_size(0) + get_global_id(0);\n"
	"	out[i] = fmax(h[i], 0.0f) + x[i];\n"
	"}\n";

struct loop {
	berth_device *device;
	cl_program program;
	bool naive;
	berth_pool *pool;
	berth_residency *residency;
	berth_tensor tensors[TENSORS];
	float outputs[INFERENCES][BATCH * WIDTH];
	struct event events[EVENTS_MAX]; /* what was used, for the offline rule */
	size_t event_count;
	double seconds;
	berth_site_stats stats;
};

static float weights[LAYERS][WIDTH * WIDTH];

static void check(berth_status st, const char *what)
{
	if (st == BERTH_OK)
		return;
	fprintf(stderr, "inference_loop: %s: %s\n", what, berth_error_get()->message);
	exit(1);
}

static void check_cl(cl_int code, const char *call)
{
	if (code == CL_SUCCESS)
		return;
	fprintf(stderr, "inference_loop: %s: %s\n", call, berth_cl_status_string(code));
	exit(1);
}

static void open_device(struct loop *loop, const char *platform)
{
	berth_opencl_options options = BERTH_OPENCL_OPTIONS_INIT;
	const char *text = source;
	cl_int code;

	if (berth_opencl_find(&options.device, platform, 0) != BERTH_OK) {
		fprintf(stderr, "inference_loop: %s\n", berth_error_get()->message);
		exit(77);
	}
	check(berth_opencl_create(&loop->device, &options), "device");
	loop->program = clCreateProgramWithSource(berth_opencl_context(loop->device), 1, &text,
						  NULL, &code);
	check_cl(code, "clCreateProgramWithSource");
	check_cl(clBuildProgram(loop->program, 0, NULL, "", NULL, NULL), "clBuildProgram");
}

static uint64_t tensor_bytes(size_t tensor)
{
	return sizeof(float) * WIDTH * (tensor < X ? WIDTH : BATCH);
}

static void open_loop(struct loop *loop, uint64_t limit_bytes, berth_evict policy)
{
	berth_site_options site = BERTH_SITE_OPTIONS_INIT;
	uint32_t index;

	site.hard_limit_bytes = limit_bytes;
	site.policy = policy;
	check(berth_pool_create(&loop->pool, loop->device, NULL), "pool");
	check(berth_residency_create(&loop->residency, NULL), "residency");
	check(berth_residency_add_site(&index, loop->residency, loop->pool, &site), "site");
	for (size_t i = 0; i < TENSORS; i++) {
		const berth_layout layout = { .element = BERTH_ELEMENT_FLOAT32,
					      .lanes = 1,
					      .axis_count = 2,
					      .shape = { i < X ? WIDTH : BATCH, WIDTH } };
		berth_tensor_options options = BERTH_TENSOR_OPTIONS_INIT;

		options.constant = i < X;
		options.host = i < X ? weights[i] : NULL;
		check(berth_tensor_create(&loop->tensors[i], loop->residency, &layout, &options),
		      "tensor");
	}
}

static void record(struct loop *loop, struct event event)
{
	if (loop->event_count == EVENTS_MAX)
		abort();
	loop->events[loop->event_count++] = event;
}

struct launch {
	struct loop *loop;
	const char *kernel;
};

static berth_status enqueue(const uint64_t *objects, size_t count, void *userdata)
{
	const struct launch *launch = userdata;
	const size_t range[2] = { WIDTH, BATCH };
	cl_int code;
	cl_kernel kernel = clCreateKernel(launch->loop->program, launch->kernel, &code);

	check_cl(code, "clCreateKernel");
	for (size_t i = 0; i < count; i++) {
		cl_mem mem = berth_opencl_mem(launch->loop->device, objects[i]);

		check_cl(clSetKernelArg(kernel, (cl_uint)i, sizeof(mem), &mem), "clSetKernelArg");
	}
	code = clEnqueueNDRangeKernel(berth_opencl_queue(launch->loop->device), kernel, 2, NULL,
				      range, NULL, 0, NULL, NULL);
	clReleaseKernel(kernel);
	return code == CL_SUCCESS ? BERTH_OK
				  : berth_error_set(BERTH_E_CL, code, "clEnqueueNDRangeKernel");
}

/* Two inputs and an output. */
static void run(struct loop *loop, const char *kernel, size_t first, size_t second, size_t out)
{
	struct launch launch = { loop, kernel };
	const size_t tensors[] = { first, second, out };
	berth_run_arg args[3];
	struct event event = { .kind = EVENT_RUN, .count = 3 };

	for (int i = 0; i < 3; i++) {
		args[i].tensor = loop->tensors[tensors[i]];
		args[i].access = i < 2 ? BERTH_ACCESS_READ : BERTH_ACCESS_WRITE;
		event.tensors[i] = tensors[i];
		event.access[i] = args[i].access;
	}
	check(berth_residency_run(loop->residency, 0, args, 3, BERTH_OUTPUTS_STAY, enqueue,
				  &launch),
	      kernel);
	record(loop, event);
	for (int i = 0; loop->naive && i < 3; i++)
		check(berth_tensor_to_host(loop->residency, args[i].tensor, false), "to host");
}

/* Used for the last time. */
static void discard(struct loop *loop, size_t tensor)
{
	check(berth_tensor_discard(loop->residency, loop->tensors[tensor]), "discard");
	record(loop, (struct event){ .kind = EVENT_DISCARD, .count = 1, .tensors = { tensor } });
}

static void infer(struct loop *loop, int inference)
{
	const size_t last = X + LAYERS;
	static float input[BATCH * WIDTH];
	void *output;

	for (size_t i = 0; i < BATCH * WIDTH; i++)
		input[i] = (float)((i * 7 + (size_t)inference * 13) % 251) / 251;
	check(berth_tensor_update(loop->residency, loop->tensors[X], input, sizeof(input)),
	      "input");
	record(loop, (struct event){ .kind = EVENT_UPDATE, .count = 1, .tensors = { X } });
	for (size_t layer = 0; layer < LAYERS; layer++) {
		run(loop, "multiply", X + layer, WEIGHT + layer, HIDDEN + layer);
		run(loop, "activate", HIDDEN + layer, X + layer, X + layer + 1);
		discard(loop, HIDDEN + layer);
		if (layer > 0)
			discard(loop, X + layer);
	}
	check(berth_tensor_ensure_on_host(loop->residency, &loop->tensors[last], 1), "output");
	record(loop, (struct event){ .kind = EVENT_HOME, .count = 1, .tensors = { last } });
	check(berth_tensor_map(&output, loop->residency, loop->tensors[last], BERTH_ACCESS_READ),
	      "map");
	memcpy(loop->outputs[inference], output, sizeof(loop->outputs[inference]));
	check(berth_tensor_unmap(loop->residency, loop->tensors[last], BERTH_ACCESS_READ), "unmap");
	discard(loop, last);
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void run_loop(struct loop *loop, uint64_t limit_bytes, berth_evict policy, bool naive)
{
	double start;

	loop->naive = naive;
	loop->event_count = 0;
	open_loop(loop, limit_bytes, policy);
	start = now();
	for (int i = 0; i < INFERENCES; i++)
		infer(loop, i);
	loop->seconds = now() - start;
	check(berth_residency_get_stats(&loop->stats, loop->residency, 0), "statistics");
	berth_residency_destroy(loop->residency);
	berth_pool_destroy(loop->pool);
}

static uint64_t moved(const struct loop *loop)
{
	return loop->stats.to_device_bytes + loop->stats.to_host_bytes;
}

/* One row of the table; whether the results are those of the first. */
static bool report(const struct loop *loop, const struct loop *naive, const char *name,
		   uint64_t optimum)
{
	bool same = memcmp(loop->outputs, naive->outputs, sizeof(loop->outputs)) == 0;

	printf("%-16s %9" PRIu64 " %9" PRIu64 " %9" PRIu64 " %8" PRIu64 " %7.1f ", name,
	       loop->stats.peak_bytes, loop->stats.to_device_bytes, loop->stats.to_host_bytes,
	       loop->stats.dropped + loop->stats.saved, loop->seconds * 1e3);
	if (optimum > 0)
		printf("%8.2f", (double)moved(loop) / (double)optimum);
	else
		printf("%8s", "-");
	printf("  %s\n", same ? "same" : "DIFFERENT");
	return same;
}

int main(int argc, char **argv)
{
	static struct loop naive, loop;
	uint64_t bytes[TENSORS], peak;
	bool same = true;

	for (size_t i = 0; i < TENSORS; i++)
		bytes[i] = tensor_bytes(i);
	for (size_t layer = 0; layer < LAYERS; layer++)
		for (size_t i = 0; i < WIDTH * WIDTH; i++)
			weights[layer][i] = (float)((i * 31 + layer * 17) % 101) / 2048 - 0.02f;
	open_device(&naive, argc > 1 ? argv[1] : "Portable Computing Language");
	loop.device = naive.device;
	loop.program = naive.program;
	printf("%-16s %9s %9s %9s %8s %7s %8s\n", "", "peak", "to device", "to host", "evicted",
	       "ms", "/optimum");
	run_loop(&naive, 0, BERTH_EVICT_LRU, true);
	report(&naive, &naive, "naive", 0);
	run_loop(&loop, 0, BERTH_EVICT_LRU, false);
	same &= report(&loop, &naive, "resident", 0);
	peak = loop.stats.peak_bytes;
	for (unsigned part = 2; part <= 4; part *= 2) {
		uint64_t optimum = offline_moved_bytes(loop.events, loop.event_count, bytes,
						       TENSORS, peak / part);

		for (unsigned policy = 0; policy < BERTH_EVICT_END; policy++) {
			char name[32];

			snprintf(name, sizeof(name), "peak/%u %s", part,
				 berth_evict_string((berth_evict)policy));
			run_loop(&loop, peak / part, (berth_evict)policy, false);
			same &= report(&loop, &naive, name, optimum);
		}
	}
	clReleaseProgram(naive.program);
	berth_device_destroy(naive.device);
	return !same;
}
