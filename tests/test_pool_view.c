/* SPDX-License-Identifier: Apache-2.0 */
/* Views on storages, on simulated devices: bounds, aliasing, the cache, releases. */
#include "pool_fixture.h"

#define TEXEL 16 /* RGBA of float32 */

struct bench {
	berth_profile profile;
	berth_device *device;
	berth_pool *pool;
};

/* A device whose images on buffers have rows and bases of so many pixels, or bytes. */
static void open_with(struct bench *bench, uint32_t pitch_align, berth_pitch_unit unit,
		      const berth_pool_options *options)
{
	bench->profile = sim_fixture_profile();
	bench->profile.caps.image2d_from_buffer = pitch_align > 0;
	bench->profile.caps.image_pitch_align = pitch_align;
	bench->profile.caps.image_base_align = pitch_align;
	bench->profile.caps.pitch_unit = unit;
	bench->device = sim_fixture_device(&bench->profile);
	bench->pool = pool_fixture_create(bench->device, options);
}

static void open_bytes(struct bench *bench)
{
	open_with(bench, 64, BERTH_PITCH_UNIT_BYTES, NULL);
}

static void close_bench(struct bench *bench)
{
	berth_pool_destroy(bench->pool);
	ASSERT_INT(sim_fixture_in_use(bench->device), 0);
	berth_device_destroy(bench->device);
}

static berth_layout texture(uint64_t height, uint64_t width)
{
	return (berth_layout){ .scope = BERTH_SCOPE_TEXTURE_WEIGHT,
			       .element = BERTH_ELEMENT_FLOAT32,
			       .lanes = 1,
			       .axis_count = 3,
			       .shape = { height, width, 4 } };
}

static berth_layout linear(uint64_t bytes)
{
	return (berth_layout){ .scope = BERTH_SCOPE_LINEAR,
			       .element = BERTH_ELEMENT_UINT8,
			       .lanes = 1,
			       .axis_count = 1,
			       .shape = { bytes } };
}

static berth_view view_at(struct bench *bench, berth_storage storage, berth_layout layout,
			  uint64_t offset_bytes)
{
	berth_view view = 0;

	ASSERT_OK(berth_view_create(&view, bench->pool, storage, &layout, offset_bytes));
	return view;
}

static berth_view_info info_of(struct bench *bench, berth_view view)
{
	berth_view_info info = { 0 };

	ASSERT_OK(berth_view_get_info(&info, bench->pool, view));
	return info;
}

static void fill(unsigned char *bytes, size_t count, unsigned seed)
{
	for (size_t i = 0; i < count; i++)
		bytes[i] = (unsigned char)(i * 7 + i / 251 + seed);
}

/* Through an image view; rows without gaps on the host. */
static void move_image(struct bench *bench, berth_op_kind kind, const berth_view_info *info,
		       void *host)
{
	ok(bench->device, .kind = kind, .form = BERTH_FORM_IMAGE, .bits = BERTH_OP_BLOCKING,
	   .object = info->object,
	   .region.extent = { info->geometry.width, info->geometry.height, 1 }, HOST(host));
}

static void move_linear(struct bench *bench, berth_op_kind kind, const berth_view_info *info,
			void *host)
{
	ok(bench->device, .kind = kind, .form = BERTH_FORM_LINEAR, .bits = BERTH_OP_BLOCKING,
	   .object = info->object, .bytes = info->geometry.bytes, HOST(host));
}

/* Row by row: where the image has a pixel, the buffer has its bytes at pitch x row. */
static void assert_same_rows(const berth_geometry *image, const unsigned char *linear_bytes,
			     const unsigned char *packed)
{
	uint64_t row_bytes = image->width * image->element_bytes;

	for (uint64_t row = 0; row < image->height; row++) {
		test_case("row %d", (int)row);
		ASSERT_INT(memcmp(linear_bytes + row * image->row_pitch_bytes,
				  packed + row * row_bytes, row_bytes),
			   0);
	}
}

/* One storage, a texture and a buffer on it, rows padded, not at offset 0. */
static void texture_and_buffer_alias(void)
{
	enum { WIDTH = 10, HEIGHT = 7, OFFSET = 4096 };
	static unsigned char packed[WIDTH * HEIGHT * TEXEL], seen[sizeof(packed)], bytes[8192];
	berth_view_info image, buffer;
	struct bench bench;
	berth_storage storage;

	open_with(&bench, 64, BERTH_PITCH_UNIT_BYTES, NULL);
	ASSERT_INT(berth_pool_image_mode(bench.pool), BERTH_IMAGES_NATIVE);
	pool_fixture_storage(bench.pool, 999);
	storage = pool_fixture_storage(bench.pool, 3 * OFFSET);
	image = info_of(&bench, view_at(&bench, storage, texture(HEIGHT, WIDTH), OFFSET));
	/* 160 bytes, padded to 192 */
	ASSERT_INT(image.geometry.row_pitch_bytes, 192);
	ASSERT_INT(image.geometry.bytes, 192 * HEIGHT);
	buffer = info_of(&bench, view_at(&bench, storage, linear(192 * HEIGHT), OFFSET));
	fill(packed, sizeof(packed), 1);
	move_image(&bench, BERTH_OP_WRITE, &image, packed);
	move_linear(&bench, BERTH_OP_READ, &buffer, bytes);
	assert_same_rows(&image.geometry, bytes, packed);
	fill(bytes, 192 * HEIGHT, 5);
	move_linear(&bench, BERTH_OP_WRITE, &buffer, bytes);
	move_image(&bench, BERTH_OP_READ, &image, seen);
	assert_same_rows(&image.geometry, bytes, seen);
	close_bench(&bench);
}

/* buffer, then image, then buffer on one backing: its peak is the largest, not the sum. */
static void one_backing_for_all(void)
{
	struct bench bench;
	berth_layout layouts[] = { linear(1000), texture(7, 10), linear(500) };
	berth_storage storage;

	open_bytes(&bench);
	ASSERT_OK(berth_storage_create_for(&storage, bench.pool, layouts, 3, NULL));
	for (int i = 0; i < 3; i++) {
		berth_view view = view_at(&bench, storage, layouts[i], 0);

		ASSERT_OK(berth_view_release(bench.pool, view));
	}
	ASSERT_INT(pool_fixture_stats(bench.pool).peak_requested_bytes, 192 * 7);
	ASSERT_INT(pool_fixture_stats(bench.pool).blocks_created, 1);
	ASSERT_INT(berth_storage_create_for(&storage, bench.pool, layouts, 0, NULL), BERTH_E_INVAL);
	layouts[1].lanes = 0;
	ASSERT_INT(berth_storage_create_for(&storage, bench.pool, layouts, 3, NULL), BERTH_E_INVAL);
	close_bench(&bench);
}

/* (1,16,16,8,4) of float32 is 32768 bytes: textures of 256 x 8 and 128 x 16, nhwc. */
static void views_of_one_shape(void)
{
	static const struct {
		const char *name;
		uint64_t shape[5];
		uint64_t width, height, pitch;
	} cases[] = {
		{ "8 x 256", { 1, 16, 16, 8, 4 }, 8, 256, 128 },
		{ "16 x 128", { 1, 8, 16, 16, 4 }, 16, 128, 256 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		berth_layout layout = { .scope = BERTH_SCOPE_TEXTURE,
					.element = BERTH_ELEMENT_FLOAT32,
					.lanes = 1,
					.axis_count = 5 };
		struct bench bench;
		berth_storage storage;
		berth_view_info info;
		berth_view view = 0;

		test_case("%s, bytes", cases[i].name);
		memcpy(layout.shape, cases[i].shape, sizeof(cases[i].shape));
		open_bytes(&bench);
		storage = pool_fixture_storage(bench.pool, 32768);
		info = info_of(&bench, view_at(&bench, storage, layout, 0));
		ASSERT_INT(info.geometry.width, cases[i].width);
		ASSERT_INT(info.geometry.height, cases[i].height);
		ASSERT_INT(info.geometry.row_pitch_bytes, cases[i].pitch);
		ASSERT_INT(info.geometry.bytes, 32768);
		close_bench(&bench);

		/* 64 pixels are 1024 bytes: 256 and 128 rows of them do not fit 32768 */
		test_case("%s, pixels", cases[i].name);
		open_with(&bench, 64, BERTH_PITCH_UNIT_PIXELS, NULL);
		storage = pool_fixture_storage(bench.pool, 32768);
		ASSERT_INT(berth_view_create(&view, bench.pool, storage, &layout, 0),
			   BERTH_E_LIMIT);
		ASSERT_CONTAINS(berth_error_get()->message, "32768");
		ASSERT_CONTAINS(berth_error_get()->message, i == 0 ? "262144" : "131072");
		close_bench(&bench);
	}
}

static void refused_views(void)
{
	static const struct {
		const char *name;
		uint64_t storage_bytes, height, width, offset;
		berth_status status;
		const char *detail;
	} cases[] = {
		/* 7 rows of 10 texels are 1120 bytes packed, and 1344 with padding */
		{ "only the padding is beyond", 1343, 7, 10, 0, BERTH_E_LIMIT, "1344 bytes" },
		{ "beyond by its offset", 1344 + 1023, 7, 10, 1024, BERTH_E_LIMIT, "at 1024" },
		{ "offset near 2^64", 4096, 7, 10, UINT64_MAX - 63, BERTH_E_LIMIT, "beyond" },
		{ "misaligned", 4096, 7, 10, 100, BERTH_E_INVAL, "the next is 128" },
		{ "too wide", 4096, 1, 16385, 0, BERTH_E_LIMIT, "16385" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct bench bench;
		struct pool_dump before, after;
		berth_storage storage;
		berth_view view = 5;
		berth_layout layout = texture(cases[i].height, cases[i].width);

		test_case("%s", cases[i].name);
		open_bytes(&bench);
		storage = pool_fixture_storage(bench.pool, cases[i].storage_bytes);
		pool_dump_take(&before, bench.pool);
		ASSERT_INT(berth_view_create(&view, bench.pool, storage, &layout, cases[i].offset),
			   cases[i].status);
		ASSERT_CONTAINS(berth_error_get()->message, cases[i].detail);
		ASSERT_INT(view, 5);
		pool_dump_take(&after, bench.pool);
		ASSERT_STRING(after.text, before.text);
		close_bench(&bench);
	}
}

/* Sub-buffers begin at what the device wants: reported in bits. */
static void origins_are_aligned(void)
{
	static const uint32_t align_bytes[] = { 64, 128, 256, 2048 };

	for (size_t i = 0; i < sizeof(align_bytes) / sizeof(align_bytes[0]); i++) {
		struct bench bench;
		berth_storage_info info;
		berth_view view;

		test_case("%d", (int)align_bytes[i]);
		bench.profile = sim_fixture_profile();
		bench.profile.caps.base_addr_align_bits = align_bytes[i] * 8;
		bench.device = sim_fixture_device(&bench.profile);
		bench.pool = pool_fixture_create(bench.device, NULL);
		for (uint64_t bytes = 1; bytes < 20000; bytes = bytes * 3 + 7) {
			berth_storage storage = pool_fixture_storage(bench.pool, bytes);

			ASSERT_OK(berth_storage_get_info(&info, bench.pool, storage));
			ASSERT_INT(info.offset_bytes % align_bytes[i], 0);
			/* the device refuses a sub-buffer elsewhere */
			view = view_at(&bench, storage, linear(bytes), 0);
			ASSERT_OK(berth_view_release(bench.pool, view));
		}
		close_bench(&bench);
	}
}

/* A view smaller than its backing has the pitch of the view, every row of it. */
static void small_view_on_a_large_backing(void)
{
	enum { WIDTH = 16, HEIGHT = 16 };
	static unsigned char packed[WIDTH * HEIGHT * TEXEL], seen[sizeof(packed)],
		all[32 * 32 * TEXEL];
	struct bench bench;
	berth_storage storage;
	berth_view_info large, small, buffer;

	open_bytes(&bench);
	storage = pool_fixture_storage(bench.pool, sizeof(all));
	large = info_of(&bench, view_at(&bench, storage, texture(32, 32), 0));
	small = info_of(&bench, view_at(&bench, storage, texture(HEIGHT, WIDTH), 0));
	buffer = info_of(&bench, view_at(&bench, storage, linear(sizeof(all)), 0));
	ASSERT_INT(large.geometry.row_pitch_bytes, 512);
	ASSERT_INT(small.geometry.row_pitch_bytes, 256);
	fill(all, sizeof(all), 3);
	move_image(&bench, BERTH_OP_WRITE, &large, all);
	fill(packed, sizeof(packed), 9);
	move_image(&bench, BERTH_OP_WRITE, &small, packed);
	move_image(&bench, BERTH_OP_READ, &small, seen);
	ASSERT_INT(memcmp(packed, seen, sizeof(seen)), 0);
	move_linear(&bench, BERTH_OP_READ, &buffer, all);
	assert_same_rows(&small.geometry, all, packed);
	close_bench(&bench);
}

static void objects_are_cached(void)
{
	berth_pool_options options = BERTH_POOL_OPTIONS_INIT;
	struct bench bench;
	berth_pool_stats stats;
	berth_storage storage;
	berth_view views[2];
	uint64_t object;

	options.view_cache_max = 3;
	open_with(&bench, 64, BERTH_PITCH_UNIT_BYTES, &options);
	storage = pool_fixture_storage(bench.pool, 65536);
	/* the same twice: one object */
	views[0] = view_at(&bench, storage, texture(7, 10), 0);
	views[1] = view_at(&bench, storage, texture(7, 10), 0);
	object = info_of(&bench, views[0]).object;
	ASSERT_INT(info_of(&bench, views[1]).object, object);
	CU_ASSERT(views[0] != views[1]);
	ASSERT_OK(berth_view_release(bench.pool, views[0]));
	ASSERT_OK(berth_view_release(bench.pool, views[1]));
	/* after its release, the storage's too, it serves again */
	ASSERT_OK(berth_storage_release(bench.pool, storage, NULL));
	storage = pool_fixture_storage(bench.pool, 65536);
	views[0] = view_at(&bench, storage, texture(7, 10), 0);
	ASSERT_INT(info_of(&bench, views[0]).object, object);
	stats = pool_fixture_stats(bench.pool);
	/* the image, and the sub-buffer it lies on */
	ASSERT_INT(stats.view_objects_created, 2);
	ASSERT_INT(stats.view_objects_reused, 2);
	/* no more than the bound are kept */
	for (uint64_t i = 1; i <= 10; i++)
		ASSERT_OK(berth_view_release(bench.pool,
					     view_at(&bench, storage, linear(64 * i), 0)));
	ASSERT_INT(pool_fixture_stats(bench.pool).cached_views, 3);
	berth_pool_trim(bench.pool);
	ASSERT_INT(pool_fixture_stats(bench.pool).cached_views, 0);
	ASSERT_INT(info_of(&bench, views[0]).object, object);
	close_bench(&bench);
}

static void release_with_live_views(void)
{
	struct bench bench;
	berth_storage storage;
	berth_view views[2];
	char name[32];

	open_bytes(&bench);
	storage = pool_fixture_storage(bench.pool, 4096);
	views[0] = view_at(&bench, storage, texture(7, 10), 0);
	views[1] = view_at(&bench, storage, linear(100), 2048);
	ASSERT_INT(berth_storage_release(bench.pool, storage, NULL), BERTH_E_STATE);
	ASSERT_CONTAINS(berth_error_get()->message, "2 live views");
	ASSERT_CONTAINS(berth_error_get()->message, "texture-weight at 0");
	ASSERT_CONTAINS(berth_error_get()->message, "linear at 2048");
	for (int i = 0; i < 2; i++) {
		snprintf(name, sizeof(name), "0x%" PRIx64, views[i]);
		ASSERT_CONTAINS(berth_error_get()->message, name);
	}
	ASSERT_OK(berth_view_release(bench.pool, views[0]));
	ASSERT_INT(berth_storage_release(bench.pool, storage, NULL), BERTH_E_STATE);
	ASSERT_OK(berth_view_release(bench.pool, views[1]));
	ASSERT_INT(berth_view_release(bench.pool, views[1]), BERTH_E_STATE);
	ASSERT_OK(berth_storage_release(bench.pool, storage, NULL));
	close_bench(&bench);
}

static void deferred_release(void)
{
	berth_pool_options options = BERTH_POOL_OPTIONS_INIT;
	struct bench bench;
	berth_storage storage;
	berth_view views[2], view;
	berth_layout layout = linear(100);

	options.defer_release = true;
	open_with(&bench, 64, BERTH_PITCH_UNIT_BYTES, &options);
	storage = pool_fixture_storage(bench.pool, 4096);
	views[0] = view_at(&bench, storage, texture(7, 10), 0);
	views[1] = view_at(&bench, storage, layout, 2048);
	ASSERT_OK(berth_storage_release(bench.pool, storage, NULL));
	ASSERT_INT(berth_storage_release(bench.pool, storage, NULL), BERTH_E_STATE);
	ASSERT_INT(berth_view_create(&view, bench.pool, storage, &layout, 0), BERTH_E_STATE);
	ASSERT_OK(berth_view_release(bench.pool, views[0]));
	ASSERT_INT(pool_fixture_stats(bench.pool).in_use_bytes, 4096);
	ASSERT_OK(berth_view_release(bench.pool, views[1]));
	ASSERT_INT(pool_fixture_stats(bench.pool).in_use_bytes, 0);
	close_bench(&bench);
}

/* A device without images on buffers: an error, or copies when the caller says so. */
static void copied_images(void)
{
	enum { WIDTH = 10, HEIGHT = 7 };
	static unsigned char packed[WIDTH * HEIGHT * TEXEL], seen[sizeof(packed)];
	berth_pool_options options = BERTH_POOL_OPTIONS_INIT;
	berth_layout layout = texture(HEIGHT, WIDTH);
	berth_view_info image, buffer;
	struct bench bench;
	berth_storage storage;
	berth_view view = 0;

	open_with(&bench, 0, BERTH_PITCH_UNIT_PIXELS, NULL);
	ASSERT_INT(berth_pool_image_mode(bench.pool), BERTH_IMAGES_NONE);
	storage = pool_fixture_storage(bench.pool, 65536);
	ASSERT_INT(berth_view_create(&view, bench.pool, storage, &layout, 0), BERTH_E_UNSUPPORTED);
	close_bench(&bench);

	options.copied_images = true;
	open_with(&bench, 0, BERTH_PITCH_UNIT_PIXELS, &options);
	ASSERT_INT(berth_pool_image_mode(bench.pool), BERTH_IMAGES_COPIED);
	/* rows are not padded: a storage of the packed bytes suffices */
	storage = pool_fixture_storage(bench.pool, sizeof(packed));
	view = view_at(&bench, storage, layout, 0);
	image = info_of(&bench, view);
	buffer = info_of(&bench, view_at(&bench, storage, linear(sizeof(packed)), 0));
	ASSERT_INT(image.geometry.bytes, sizeof(packed));
	CU_ASSERT(pool_fixture_stats(bench.pool).copied_image_bytes >= sizeof(packed));
	fill(packed, sizeof(packed), 4);
	move_linear(&bench, BERTH_OP_WRITE, &buffer, packed);
	ASSERT_OK(berth_view_load(bench.pool, view));
	move_image(&bench, BERTH_OP_READ, &image, seen);
	ASSERT_INT(memcmp(packed, seen, sizeof(seen)), 0);
	fill(packed, sizeof(packed), 8);
	move_image(&bench, BERTH_OP_WRITE, &image, packed);
	ASSERT_OK(berth_view_store(bench.pool, view));
	move_linear(&bench, BERTH_OP_READ, &buffer, seen);
	ASSERT_INT(memcmp(packed, seen, sizeof(seen)), 0);
	ASSERT_INT(berth_view_store(bench.pool, 0), BERTH_E_STATE);
	close_bench(&bench);
}

static void handles_of_views(void)
{
	struct bench bench;
	berth_view_info info;
	berth_view view = 0;
	berth_layout layout = linear(8);

	open_bytes(&bench);
	ASSERT_INT(berth_view_create(&view, bench.pool, 0, &layout, 0), BERTH_E_STATE);
	ASSERT_INT(berth_view_release(bench.pool, 0), BERTH_E_STATE);
	ASSERT_INT(berth_view_get_info(&info, bench.pool, UINT64_MAX), BERTH_E_STATE);
	ASSERT_INT(berth_view_load(bench.pool, 77), BERTH_E_STATE);
	close_bench(&bench);
}

int main(void)
{
	static const struct test tests[] = {
		{ "texture and buffer alias", texture_and_buffer_alias },
		{ "one backing for all", one_backing_for_all },
		{ "views of one shape", views_of_one_shape },
		{ "refused views", refused_views },
		{ "origins are aligned", origins_are_aligned },
		{ "small view on a large backing", small_view_on_a_large_backing },
		{ "objects are cached", objects_are_cached },
		{ "release with live views", release_with_live_views },
		{ "deferred release", deferred_release },
		{ "copied images", copied_images },
		{ "handles of views", handles_of_views },
		{ NULL, NULL },
	};

	return test_main("pool views", tests);
}
