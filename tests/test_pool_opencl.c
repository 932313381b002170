/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pools on real drivers: what kernels write through one view of a storage, the
 * others see; and memory in flight stays with its commands. Built once for each
 * driver; DRIVER is a name of opencl_drivers, or "" to use the platform PLATFORM
 * where the environment has it. IMAGE_MODE and ROW_PITCH are what is expected there.
 */
#include "opencl_driver.h"
#include "pool_fixture.h"

#include <time.h>

#include <berth/opencl.h>

/*
 * A row of 101 pixels is 1616 bytes: 1664 in host memory (a multiple of 64 bytes), 2048 on
 * Intel's runtime (64 pixels), not padded in images that are copied.
 */
enum { WIDTH = 101, HEIGHT = 33, PIXEL = 16 };

static const char source[] =
	"kernel void write_image(write_only image2d_t image, float seed) {\n"
	"	int x = get_global_id(0), y = get_global_id(1);\n"
	"	write_imagef(image, (int2)(x, y), (float4)(x, y, seed, x * 1000 + y));\n"
	"}\n"
	"kernel void write_rows(global float4 *rows, uint pitch, float seed) {\n"
	"	int x = get_global_id(0), y = get_global_id(1);\n"
	"	rows[y * pitch + x] = (float4)(x, y, seed, x * 1000 + y);\n"
	"}\n"
	"kernel void read_image_to(read_only image2d_t image, global float4 *rows) {\n"
	"	int x = get_global_id(0), y = get_global_id(1);\n"
	"	const sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_NONE | "
	"CLK_FILTER_NEAREST;\n"
	"	rows[y * get_image_width(image) + x] = read_imagef(image, s, (int2)(x, y));\n"
	"}\n";

static berth_device *device;
static cl_program program;

static bool open_device(void)
{
	berth_opencl_options options = BERTH_OPENCL_OPTIONS_INIT;
	const char *text = source;
	cl_int code;

	if (berth_opencl_find(&options.device, PLATFORM, 0) != BERTH_OK) {
		test_skip("no platform '%s': %s", PLATFORM, berth_error_get()->message);
		return false;
	}
	ASSERT_OK(berth_opencl_create(&device, &options));
	CU_ASSERT_PTR_NOT_NULL_FATAL(device);
	program = clCreateProgramWithSource(berth_opencl_context(device), 1, &text, NULL, &code);
	ASSERT_INT(code, CL_SUCCESS);
	ASSERT_INT(clBuildProgram(program, 0, NULL, "", NULL, NULL), CL_SUCCESS);
	return true;
}

static void close_device(void)
{
	clReleaseProgram(program);
	berth_device_destroy(device);
}

static cl_mem mem_of(berth_pool *pool, berth_view view, berth_geometry *geometry)
{
	berth_view_info info = { 0 };
	cl_mem mem;

	ASSERT_OK(berth_view_get_info(&info, pool, view));
	mem = berth_opencl_mem(device, info.object);
	CU_ASSERT_PTR_NOT_NULL_FATAL(mem);
	if (geometry)
		*geometry = info.geometry;
	return mem;
}

/* Enqueue a kernel over the picture; arguments are (size, address) pairs up to a size of 0. */
static void enqueue(cl_command_queue queue, const char *name, cl_uint waits, const cl_event *wait,
		    cl_event *event, const size_t *sizes, const void *const *values)
{
	const size_t range[2] = { WIDTH, HEIGHT };
	cl_int code;
	cl_kernel kernel = clCreateKernel(program, name, &code);

	ASSERT_INT(code, CL_SUCCESS);
	for (cl_uint i = 0; sizes[i]; i++)
		ASSERT_INT(clSetKernelArg(kernel, i, sizes[i], values[i]), CL_SUCCESS);
	ASSERT_INT(clEnqueueNDRangeKernel(queue, kernel, 2, NULL, range, NULL, waits, wait, event),
		   CL_SUCCESS);
	clReleaseKernel(kernel);
}

static void run_kernel(const char *name, const size_t *sizes, const void *const *values)
{
	enqueue(berth_opencl_queue(device), name, 0, NULL, NULL, sizes, values);
}

static berth_layout texture(void)
{
	return (berth_layout){ .scope = BERTH_SCOPE_TEXTURE_WEIGHT,
			       .element = BERTH_ELEMENT_FLOAT32,
			       .lanes = 1,
			       .axis_count = 3,
			       .shape = { HEIGHT, WIDTH, 4 } };
}

static berth_layout linear(uint64_t bytes)
{
	return (berth_layout){ .scope = BERTH_SCOPE_LINEAR,
			       .element = BERTH_ELEMENT_UINT8,
			       .lanes = 1,
			       .axis_count = 1,
			       .shape = { bytes } };
}

static berth_view view_at(berth_pool *pool, berth_storage storage, berth_layout layout,
			  uint64_t offset_bytes)
{
	berth_view view = 0;

	ASSERT_OK(berth_view_create(&view, pool, storage, &layout, offset_bytes));
	return view;
}

/* How many pixels are not what a kernel with this seed writes. */
static unsigned wrong_pixels(const char *rows, uint64_t pitch_bytes, float seed)
{
	unsigned wrong = 0;

	for (int y = 0; y < HEIGHT; y++) {
		for (int x = 0; x < WIDTH; x++) {
			const float expected[4] = { (float)x, (float)y, seed,
						    (float)(x * 1000 + y) };

			wrong += memcmp(rows + (uint64_t)y * pitch_bytes + (size_t)x * PIXEL,
					expected, sizeof(expected)) != 0;
		}
	}
	return wrong;
}

static void read_linear(berth_pool *pool, berth_view view, char *bytes)
{
	berth_view_info info = { 0 };
	berth_result result;

	ASSERT_OK(berth_view_get_info(&info, pool, view));
	ASSERT_OK(berth_pool_execute(pool,
				     &(berth_op){ .kind = BERTH_OP_READ,
						  .form = BERTH_FORM_LINEAR,
						  .bits = BERTH_OP_BLOCKING,
						  .object = info.object,
						  .bytes = info.geometry.bytes,
						  HOST(bytes) },
				     &result));
	ASSERT_INT(result.cl_status, CL_SUCCESS);
}

/* The three views of the test: an image, its bytes, and room for what a kernel reads of it. */
struct scene {
	berth_pool *pool;
	berth_view image, rows, seen;
	berth_geometry geometry;
	char *bytes;
};

static void make_scene(struct scene *scene, bool copied)
{
	berth_pool_options options = BERTH_POOL_OPTIONS_INIT;
	berth_layout layout = texture();
	uint64_t offset;
	berth_storage storage = 0, other = 0;

	options.copied_images = copied;
	scene->pool = pool_fixture_create(device, &options);
	/* not at offset 0, neither of the block nor of the storage */
	pool_fixture_storage(scene->pool, 1000);
	ASSERT_OK(berth_layout_compute(&scene->geometry, berth_pool_caps(scene->pool), &layout));
	offset = 4096;
	storage = pool_fixture_storage(scene->pool, offset + scene->geometry.bytes);
	other = pool_fixture_storage(scene->pool, WIDTH * HEIGHT * PIXEL);
	scene->image = view_at(scene->pool, storage, layout, offset);
	scene->rows = view_at(scene->pool, storage, linear(scene->geometry.bytes), offset);
	scene->seen = view_at(scene->pool, other, linear(WIDTH * HEIGHT * PIXEL), 0);
	scene->bytes = calloc(1, scene->geometry.bytes + WIDTH * HEIGHT * PIXEL);
	CU_ASSERT_PTR_NOT_NULL_FATAL(scene->bytes);
}

static void end_scene(struct scene *scene)
{
	free(scene->bytes);
	berth_pool_destroy(scene->pool);
}

static void image_to_rows(struct scene *scene, float seed)
{
	cl_mem image = mem_of(scene->pool, scene->image, NULL);

	run_kernel("write_image", (size_t[]){ sizeof(image), sizeof(seed), 0 },
		   (const void *[]){ &image, &seed });
	ASSERT_OK(berth_view_store(scene->pool, scene->image));
	read_linear(scene->pool, scene->rows, scene->bytes);
	ASSERT_INT(wrong_pixels(scene->bytes, scene->geometry.row_pitch_bytes, seed), 0);
}

static void rows_to_image(struct scene *scene, float seed)
{
	cl_mem rows = mem_of(scene->pool, scene->rows, NULL);
	cl_mem image = mem_of(scene->pool, scene->image, NULL);
	cl_mem seen = mem_of(scene->pool, scene->seen, NULL);
	cl_uint pitch = (cl_uint)(scene->geometry.row_pitch_bytes / PIXEL);

	run_kernel("write_rows", (size_t[]){ sizeof(rows), sizeof(pitch), sizeof(seed), 0 },
		   (const void *[]){ &rows, &pitch, &seed });
	ASSERT_OK(berth_view_load(scene->pool, scene->image));
	run_kernel("read_image_to", (size_t[]){ sizeof(image), sizeof(seen), 0 },
		   (const void *[]){ &image, &seen });
	read_linear(scene->pool, scene->seen, scene->bytes);
	ASSERT_INT(wrong_pixels(scene->bytes, WIDTH * PIXEL, seed), 0);
}

static void image_mode(void)
{
	berth_pool *pool;

	if (!open_device())
		return;
	pool = pool_fixture_create(device, NULL);
	ASSERT_STRING(berth_image_mode_string(berth_pool_image_mode(pool)), IMAGE_MODE);
	berth_pool_destroy(pool);
	close_device();
}

/* Both directions, twice, so that a copy made at the first use would show. */
static void kernels_see_each_other(void)
{
	struct scene scene;

	if (!open_device())
		return;
	make_scene(&scene, true);
	ASSERT_INT(scene.geometry.row_pitch_bytes, ROW_PITCH);
	for (int round = 0; round < 2; round++) {
		image_to_rows(&scene, 1.0f + (float)round);
		rows_to_image(&scene, 5.0f + (float)round);
	}
	end_scene(&scene);
	close_device();
}

/* An image of as many texels, of another element; a buffer on its bytes, padding included. */
static void assert_texels(berth_pool *pool, berth_element element, uint32_t texel_bytes)
{
	const uint64_t channels = texel_bytes / berth_element_bytes(element);
	berth_layout layout = texture();
	berth_view_info image = { 0 };
	berth_view view, rows;
	berth_storage storage = 0;
	berth_result result;
	berth_status st;
	char *packed, *bytes;
	unsigned wrong = 0;

	layout.element = element;
	layout.shape[2] = channels;
	st = berth_storage_create_for(&storage, pool, &layout, 1, NULL);
	if (st == BERTH_E_UNSUPPORTED && channels == 2)
		return; /* no device has to have two channels */
	ASSERT_OK(st);
	packed = malloc((size_t)WIDTH * HEIGHT * texel_bytes);
	view = view_at(pool, storage, layout, 0);
	ASSERT_OK(berth_view_get_info(&image, pool, view));
	rows = view_at(pool, storage, linear(image.geometry.bytes), 0);
	bytes = calloc(1, image.geometry.bytes);
	CU_ASSERT_FATAL(packed != NULL && bytes != NULL);
	for (size_t i = 0; i < (size_t)WIDTH * HEIGHT * texel_bytes; i++)
		packed[i] = (char)(i * 7 % 120); /* no NaN of any type */
	ASSERT_OK(berth_pool_execute(pool,
				     &(berth_op){ .kind = BERTH_OP_WRITE,
						  .form = BERTH_FORM_IMAGE,
						  .bits = BERTH_OP_BLOCKING,
						  .object = image.object,
						  .region.extent = { WIDTH, HEIGHT, 1 },
						  HOST(packed) },
				     &result));
	ASSERT_INT(result.cl_status, CL_SUCCESS);
	ASSERT_OK(berth_view_store(pool, view));
	read_linear(pool, rows, bytes);
	for (size_t y = 0; y < HEIGHT; y++)
		wrong += memcmp(bytes + y * image.geometry.row_pitch_bytes,
				packed + y * WIDTH * texel_bytes, WIDTH * texel_bytes) != 0;
	ASSERT_INT(wrong, 0);
	free(packed);
	free(bytes);
}

static void texels_of_all_widths(void)
{
	static const berth_element elements[] = { BERTH_ELEMENT_INT8, BERTH_ELEMENT_INT16,
						  BERTH_ELEMENT_INT32, BERTH_ELEMENT_FLOAT16,
						  BERTH_ELEMENT_FLOAT32 };
	berth_pool_options options = BERTH_POOL_OPTIONS_INIT;
	berth_pool *pool;

	if (!open_device())
		return;
	options.copied_images = true;
	pool = pool_fixture_create(device, &options);
	for (size_t i = 0; i < sizeof(elements) / sizeof(elements[0]); i++) {
		test_case("%s", berth_element_string(elements[i]));
		assert_texels(pool, elements[i], 8);
		assert_texels(pool, elements[i], 16);
	}
	berth_pool_destroy(pool);
	close_device();
}

static berth_storage storage_for(berth_pool *pool, uint64_t bytes, uint64_t queue)
{
	const berth_storage_options options = { sizeof(options), queue };
	berth_storage storage = 0;

	ASSERT_OK(berth_storage_create(&storage, pool, bytes, &options));
	return storage;
}

static bool same_place(berth_pool *pool, berth_storage storage, const berth_storage_info *place)
{
	berth_storage_info info = { 0 };

	ASSERT_OK(berth_storage_get_info(&info, pool, storage));
	return info.object == place->object && info.offset_bytes == place->offset_bytes;
}

/* A kernel that waits for @gate writes to the storage, which is released meanwhile. */
static void release_under_kernel(berth_pool *pool, berth_storage storage, cl_event gate,
				 berth_storage_info *place)
{
	berth_view view = view_at(pool, storage, linear(WIDTH * HEIGHT * PIXEL), 0);
	cl_mem rows = mem_of(pool, view, NULL);
	cl_uint pitch = WIDTH;
	float seed = 9;
	cl_event event = NULL;
	berth_in_flight in_flight = { .queue = 7, .in_order = true };

	enqueue(berth_opencl_queue(device), "write_rows", 1, &gate, &event,
		(size_t[]){ sizeof(rows), sizeof(pitch), sizeof(seed), 0 },
		(const void *[]){ &rows, &pitch, &seed });
	clFlush(berth_opencl_queue(device));
	ASSERT_OK(berth_opencl_fence(&in_flight.fence, event));
	clReleaseEvent(event);
	ASSERT_OK(berth_storage_get_info(place, pool, storage));
	ASSERT_OK(berth_view_release(pool, view));
	ASSERT_OK(berth_storage_release(pool, storage, &in_flight));
}

/* A driver (rusticl) may tell an event's state a little after the queue is finished. */
static void poll_until_free(berth_pool *pool)
{
	const struct timespec pause = { .tv_nsec = 10000000 };

	for (int rounds = 0; rounds < 500; rounds++) {
		berth_pool_poll(pool);
		if (pool_fixture_stats(pool).in_flight_bytes == 0)
			return;
		nanosleep(&pause, NULL);
	}
}

static void in_flight_stays(void)
{
	enum { BYTES = WIDTH * HEIGHT * PIXEL };
	berth_storage_info place;
	berth_pool *pool;
	cl_event gate;
	cl_int code;

	if (!open_device())
		return;
	pool = pool_fixture_create(device, NULL);
	gate = clCreateUserEvent(berth_opencl_context(device), &code);
	ASSERT_INT(code, CL_SUCCESS);
	release_under_kernel(pool, storage_for(pool, BYTES, 7), gate, &place);
	berth_pool_poll(pool);
	ASSERT_INT(pool_fixture_stats(pool).in_flight_bytes > 0, 1);
	CU_ASSERT_FALSE(same_place(pool, storage_for(pool, BYTES, 8), &place));
	ASSERT_INT(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
	clFinish(berth_opencl_queue(device));
	poll_until_free(pool);
	ASSERT_INT(pool_fixture_stats(pool).in_flight_bytes, 0);
	CU_ASSERT(same_place(pool, storage_for(pool, BYTES, 8), &place));
	clReleaseEvent(gate);

	/* the queue that is in order may have it at once */
	gate = clCreateUserEvent(berth_opencl_context(device), &code);
	release_under_kernel(pool, storage_for(pool, BYTES, 7), gate, &place);
	CU_ASSERT(same_place(pool, storage_for(pool, BYTES, 7), &place));
	ASSERT_INT(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
	clFinish(berth_opencl_queue(device));
	clReleaseEvent(gate);
	berth_pool_destroy(pool);
	close_device();
}

static void not_an_event(void)
{
	berth_fence fence = { 0 };

	if (!open_device())
		return;
	ASSERT_INT(berth_opencl_fence(&fence, NULL), BERTH_E_CL);
	CU_ASSERT(fence.drop == NULL);
	close_device();
}

int main(void)
{
	static const struct test tests[] = {
		{ "image mode", image_mode },
		{ "kernels see each other", kernels_see_each_other },
		{ "texels of all widths", texels_of_all_widths },
		{ "in flight stays", in_flight_stays },
		{ "not an event", not_an_event },
		{ NULL, NULL },
	};
	const struct opencl_driver *driver = opencl_drivers;

	while (driver->name && strcmp(driver->name, DRIVER) != 0)
		driver++;
	if (driver->name && !opencl_driver_select(driver))
		return 77;
	return test_main("pool on " PLATFORM, tests);
}
