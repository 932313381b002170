/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A small graph runtime on a Berth pool: what to copy into yours.
 *
 *   input (buffer) -> blur -> texture A -> scale -> texture B -> rows -> output (buffer)
 *
 * Its tensors have lifetimes: A is dead when B exists, so A's storage serves the
 * output, a buffer where there was a texture. Nothing here knows whether the
 * device makes images on buffers: the pool does.
 *
 *   graph_runtime [PLATFORM-SUBSTRING]
 */
#include <stdio.h>
#include <stdlib.h>

#include <berth/opencl.h>
#include <berth/pool.h>

/* An odd width, so that rows of textures are padded on most devices. */
enum { WIDTH = 101, HEIGHT = 40, CHANNELS = 4, TEXEL_BYTES = CHANNELS * sizeof(float) };

static const char source[] =
	"constant sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE |\n"
	"	CLK_FILTER_NEAREST;\n"
	"kernel void blur(global const float4 *in, write_only image2d_t out) {\n"
	"	int x = get_global_id(0), y = get_global_id(1), w = get_global_size(0);\n"
	"	float4 left = in[y * w + max(x - 1, 0)], right = in[y * w + min(x + 1, w - 1)];\n"
	"	write_imagef(out, (int2)(x, y), (left + 2 * in[y * w + x] + right) * 0.25f);\n"
	"}\n"
	"kernel void scale(read_only image2d_t in, write_only image2d_t out) {\n"
	"	int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
	"	write_imagef(out, at, read_imagef(in, s, at) * 3);\n"
	"}\n"
	"kernel void rows(read_only image2d_t in, global float4 *out) {\n"
	"	int x = get_global_id(0), y = get_global_id(1), w = get_global_size(0);\n"
	"	out[y * w + x] = read_imagef(in, s, (int2)(x, y));\n"
	"}\n";

struct runtime {
	berth_device *device;
	berth_pool *pool;
	cl_program program;
};

/* A view, and the cl_mem to set as a kernel argument. */
struct tensor {
	berth_view view;
	uint64_t object; /* on the pool's device */
	cl_mem mem;
};

static void die(const char *what)
{
	fprintf(stderr, "graph_runtime: %s: %s\n", what, berth_error_get()->message);
	exit(1);
}

static void check_cl(cl_int code, const char *call)
{
	if (code == CL_SUCCESS)
		return;
	fprintf(stderr, "graph_runtime: %s: %s\n", call, berth_cl_status_string(code));
	exit(1);
}

static void open_runtime(struct runtime *runtime, const char *platform)
{
	berth_opencl_options device_options = BERTH_OPENCL_OPTIONS_INIT;
	berth_pool_options pool_options = BERTH_POOL_OPTIONS_INIT;
	const char *text = source;
	cl_int code;

	if (berth_opencl_find(&device_options.device, platform, 0) != BERTH_OK) {
		fprintf(stderr, "graph_runtime: %s\n", berth_error_get()->message);
		exit(77);
	}
	/* A runtime that has a context and a queue sets them here. */
	if (berth_opencl_create(&runtime->device, &device_options) != BERTH_OK)
		die("device");
	pool_options.copied_images = true;
	if (berth_pool_create(&runtime->pool, runtime->device, &pool_options) != BERTH_OK)
		die("pool");
	runtime->program = clCreateProgramWithSource(berth_opencl_context(runtime->device), 1,
						     &text, NULL, &code);
	check_cl(code, "clCreateProgramWithSource");
	check_cl(clBuildProgram(runtime->program, 0, NULL, "", NULL, NULL), "clBuildProgram");
}

static struct tensor view_as(struct runtime *runtime, berth_storage storage,
			     const berth_layout *layout)
{
	struct tensor tensor;
	berth_view_info info;

	if (berth_view_create(&tensor.view, runtime->pool, storage, layout, 0) != BERTH_OK ||
	    berth_view_get_info(&info, runtime->pool, tensor.view) != BERTH_OK)
		die("view");
	tensor.object = info.object;
	tensor.mem = berth_opencl_mem(runtime->device, info.object);
	return tensor;
}

/*
 * A tensor is read in the scope it was written in. To read a texture's bytes through a
 * buffer view, or the other way round, berth_view_store() and berth_view_load() go
 * between; they cost nothing but where images are copied.
 */
static void run(struct runtime *runtime, const char *name, const struct tensor *in,
		const struct tensor *out)
{
	const size_t range[2] = { WIDTH, HEIGHT };
	cl_int code;
	cl_kernel kernel = clCreateKernel(runtime->program, name, &code);

	check_cl(code, "clCreateKernel");
	check_cl(clSetKernelArg(kernel, 0, sizeof(cl_mem), &in->mem), "clSetKernelArg");
	check_cl(clSetKernelArg(kernel, 1, sizeof(cl_mem), &out->mem), "clSetKernelArg");
	check_cl(clEnqueueNDRangeKernel(berth_opencl_queue(runtime->device), kernel, 2, NULL, range,
					NULL, 0, NULL, NULL),
		 "clEnqueueNDRangeKernel");
	clReleaseKernel(kernel);
}

static void transfer(struct runtime *runtime, berth_op_kind kind, const struct tensor *tensor,
		     float *host, size_t bytes)
{
	berth_op op = { .kind = kind,
			.form = BERTH_FORM_LINEAR,
			.bits = BERTH_OP_BLOCKING,
			.object = tensor->object,
			.bytes = bytes };
	berth_result result;

	berth_op_set_host(&op, host);
	if (berth_pool_execute(runtime->pool, &op, &result) != BERTH_OK)
		die("transfer");
	check_cl(result.cl_status, berth_op_kind_string(kind));
}

static berth_storage take(struct runtime *runtime, const berth_layout *layouts, size_t count)
{
	berth_storage storage;

	if (berth_storage_create_for(&storage, runtime->pool, layouts, count, NULL) != BERTH_OK)
		die("storage");
	return storage;
}

static void give_back(struct runtime *runtime, const struct tensor *tensors, size_t count,
		      berth_storage storage)
{
	/* Its kernels may still run; what is taken next runs after them in the same queue. */
	const berth_in_flight in_flight = { .queue = 0, .in_order = true };

	for (size_t i = 0; i < count; i++)
		if (berth_view_release(runtime->pool, tensors[i].view) != BERTH_OK)
			die("view release");
	if (berth_storage_release(runtime->pool, storage, &in_flight) != BERTH_OK)
		die("storage release");
}

static void run_graph(struct runtime *runtime, float *input, float *output, size_t bytes)
{
	const berth_layout row_layout = { .scope = BERTH_SCOPE_LINEAR,
					  .element = BERTH_ELEMENT_FLOAT32,
					  .lanes = 1,
					  .axis_count = 3,
					  .shape = { HEIGHT, WIDTH, CHANNELS } };
	berth_layout texture_layout = row_layout;
	berth_storage first, second, third;
	struct tensor in, a, b, out;

	texture_layout.scope = BERTH_SCOPE_TEXTURE_WEIGHT;
	/* One storage for A and, when A is dead, for the output: large enough for both. */
	const berth_layout either[] = { texture_layout, row_layout };

	first = take(runtime, &row_layout, 1);
	second = take(runtime, either, 2);
	third = take(runtime, &texture_layout, 1);
	in = view_as(runtime, first, &row_layout);
	a = view_as(runtime, second, &texture_layout);
	b = view_as(runtime, third, &texture_layout);
	out = view_as(runtime, second, &row_layout);

	transfer(runtime, BERTH_OP_WRITE, &in, input, bytes);
	run(runtime, "blur", &in, &a);
	run(runtime, "scale", &a, &b);
	run(runtime, "rows", &b, &out);
	transfer(runtime, BERTH_OP_READ, &out, output, bytes);

	give_back(runtime, &in, 1, first);
	give_back(runtime, (struct tensor[]){ a, out }, 2, second);
	give_back(runtime, &b, 1, third);
}

/* What the graph computes, on the host. */
static unsigned count_wrong(const float *input, const float *output)
{
	unsigned wrong = 0;

	for (int y = 0; y < HEIGHT; y++) {
		for (int x = 0; x < WIDTH; x++) {
			const float *row = input + (size_t)y * WIDTH * CHANNELS;
			int left = x > 0 ? x - 1 : 0, right = x < WIDTH - 1 ? x + 1 : x;

			for (int c = 0; c < CHANNELS; c++) {
				/* Small whole numbers: exact in any order. */
				float sum = row[left * CHANNELS + c] + 2 * row[x * CHANNELS + c] +
					    row[right * CHANNELS + c];

				wrong += output[(y * WIDTH + x) * CHANNELS + c] != sum * 0.25f * 3;
			}
		}
	}
	return wrong;
}

int main(int argc, char **argv)
{
	static float input[HEIGHT * WIDTH * CHANNELS], output[HEIGHT * WIDTH * CHANNELS];
	struct runtime runtime;
	berth_pool_stats stats;
	unsigned wrong = 0;

	open_runtime(&runtime, argc > 1 ? argv[1] : "Portable Computing Language");
	for (int inference = 0; inference < 10; inference++) {
		for (size_t i = 0; i < HEIGHT * WIDTH * CHANNELS; i++)
			input[i] = (float)((i * 7 + (size_t)inference * 13) % 251);
		run_graph(&runtime, input, output, sizeof(input));
		wrong += count_wrong(input, output);
	}
	berth_pool_get_stats(&stats, runtime.pool);
	printf("images: %s\n", berth_image_mode_string(berth_pool_image_mode(runtime.pool)));
	printf("wrong values: %u\n", wrong);
	printf("device allocations: %llu for %llu tensors\n",
	       (unsigned long long)stats.blocks_created,
	       (unsigned long long)stats.storages_created);
	printf("view objects: %llu made, %llu reused\n",
	       (unsigned long long)stats.view_objects_created,
	       (unsigned long long)stats.view_objects_reused);
	clReleaseProgram(runtime.program);
	berth_pool_destroy(runtime.pool);
	berth_device_destroy(runtime.device);
	return wrong != 0;
}
