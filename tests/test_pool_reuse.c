/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What TVM's tests of its texture planner, its 2D pool, its allocators and its views do,
 * on one pool: shapes of different scopes serve each other by their bytes. And what those
 * of Glow's pool of tensors do, whose types are sizes here.
 */
#include "pool_fixture.h"

enum {
	LINEAR = BERTH_SCOPE_LINEAR,
	TEXTURE = BERTH_SCOPE_TEXTURE,
	WEIGHT = BERTH_SCOPE_TEXTURE_WEIGHT,
	NHWC = BERTH_SCOPE_TEXTURE_NHWC,
	F16 = BERTH_ELEMENT_FLOAT16,
	F32 = BERTH_ELEMENT_FLOAT32,
};

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

struct bench {
	berth_profile profile;
	berth_device *device;
	berth_pool *pool;
};

/* Rows and bases of 64 units; none where there are no images on buffers. */
static void open_with(struct bench *bench, berth_pool_policy policy, bool images,
		      berth_pitch_unit unit)
{
	const berth_pool_options options = pool_fixture_options(policy);

	bench->profile = sim_fixture_profile();
	bench->profile.caps.image2d_from_buffer = images;
	bench->profile.caps.image_pitch_align = images ? 64 : 0;
	bench->profile.caps.image_base_align = images ? 64 : 0;
	bench->profile.caps.pitch_unit = unit;
	bench->profile.caps.format_count = 0;
	bench->device = sim_fixture_device(&bench->profile);
	bench->pool = pool_fixture_create(bench->device, &options);
}

static void close_bench(struct bench *bench)
{
	berth_pool_destroy(bench->pool);
	ASSERT_INT(sim_fixture_in_use(bench->device), 0);
	berth_device_destroy(bench->device);
}

struct tensor {
	int scope, element;
	uint64_t shape[6]; /* ended by a 0 */
};

static berth_layout layout_of(const struct tensor *tensor)
{
	berth_layout layout = { .scope = (berth_scope)tensor->scope,
				.element = (berth_element)tensor->element,
				.lanes = 1 };

	for (; tensor->shape[layout.axis_count] > 0; layout.axis_count++)
		layout.shape[layout.axis_count] = tensor->shape[layout.axis_count];
	return layout;
}

static berth_storage storage_for(struct bench *bench, const berth_layout *layout)
{
	berth_storage storage = 0;

	ASSERT_OK(berth_storage_create_for(&storage, bench->pool, layout, 1, NULL));
	return storage;
}

static berth_view_info view_of(struct bench *bench, berth_storage storage,
			       const berth_layout *layout)
{
	berth_view_info info = { 0 };
	berth_view view = 0;

	ASSERT_OK(berth_view_create(&view, bench->pool, storage, layout, 0));
	ASSERT_OK(berth_view_get_info(&info, bench->pool, view));
	return info;
}

/* A tensor is placed, seen and released. */
static void pass(struct bench *bench, const struct tensor *tensor)
{
	const berth_layout layout = layout_of(tensor);
	berth_storage storage = storage_for(bench, &layout);
	berth_view view = 0;

	ASSERT_OK(berth_view_create(&view, bench->pool, storage, &layout, 0));
	ASSERT_OK(berth_view_release(bench->pool, view));
	ASSERT_OK(berth_storage_release(bench->pool, storage, NULL));
}

/*
 * One tensor after the other. Where TVM grows its token before anything is placed, the
 * pool replaces the free block; else the same one serves. Bytes in blocks are rounded
 * to 4096: 140800 are 35 pages, 576000 are 141, 302848 are 74; with rows of 64 pixels
 * 157696 are 39, 614400 are 150 and 315392 are 77.
 */
static const struct {
	const char *name;
	struct tensor tensors[3]; /* ended by an empty shape */
	uint64_t pages, pixel_pages;
	uint64_t blocks_created; /* best-fit */
} passes[] = {
	{ "alone", { { NHWC, F32, { 1, 22, 20, 20, 4 } } }, 35, 39, 1 },
	{ "again",
	  { { NHWC, F32, { 1, 22, 20, 20, 4 } }, { NHWC, F32, { 1, 22, 20, 20, 4 } } },
	  35,
	  39,
	  1 },
	{ "then as a buffer",
	  { { NHWC, F32, { 1, 22, 20, 20, 4 } }, { LINEAR, F32, { 1, 22, 20, 20, 4 } } },
	  35,
	  39,
	  1 },
	{ "then half of it",
	  { { NHWC, F32, { 1, 22, 20, 20, 4 } }, { NHWC, F16, { 1, 22, 20, 20, 4 } } },
	  35,
	  39,
	  1 },
	{ "then larger, then in between",
	  { { NHWC, F32, { 1, 22, 20, 20, 4 } },
	    { NHWC, F32, { 1, 40, 30, 30, 4 } },
	    { NHWC, F32, { 1, 25, 30, 30, 4 } } },
	  141,
	  150,
	  2 },
	{ "then wider and smaller",
	  { { NHWC, F32, { 1, 22, 20, 20, 4 } }, { NHWC, F32, { 1, 5, 30, 20, 4 } } },
	  35,
	  39,
	  1 },
	{ "weights, then activations",
	  { { WEIGHT, F32, { 28, 676, 1, 1, 4 } }, { NHWC, F32, { 1, 28, 26, 26, 4 } } },
	  74,
	  77,
	  1 },
};

static void assert_pass(size_t row, berth_pool_policy policy, berth_pitch_unit unit, bool plain)
{
	bool best_fit = policy == BERTH_POOL_BEST_FIT;
	uint64_t pages = unit == BERTH_PITCH_UNIT_PIXELS && !plain ? passes[row].pixel_pages
								   : passes[row].pages;
	berth_pool_stats stats;
	struct bench bench;

	open_with(&bench, policy, true, unit);
	for (size_t i = 0; i < COUNT(passes[row].tensors); i++) {
		struct tensor tensor = passes[row].tensors[i];

		if (plain)
			tensor.scope = LINEAR;
		if (tensor.shape[0] > 0)
			pass(&bench, &tensor);
	}
	stats = pool_fixture_stats(bench.pool);
	ASSERT_INT(stats.blocks, 1);
	ASSERT_INT(stats.blocks_created, best_fit ? passes[row].blocks_created : 1);
	ASSERT_INT(stats.held_bytes, best_fit ? pages * 4096 : MIB);
	ASSERT_INT(stats.in_use_bytes, 0);
	close_bench(&bench);
}

static void one_after_the_other(void)
{
	static const berth_pool_policy policies[] = { BERTH_POOL_BEST_FIT, BERTH_POOL_SUBALLOC };
	static const berth_pitch_unit units[] = { BERTH_PITCH_UNIT_BYTES, BERTH_PITCH_UNIT_PIXELS };

	for (size_t i = 0; i < COUNT(passes) * 8; i++) {
		const size_t row = i / 8;

		test_case("%s: %s, unit %zu%s", passes[row].name,
			  berth_pool_policy_string(policies[i % 2]), i / 2 % 2,
			  i / 4 % 2 ? ", as buffers" : "");
		assert_pass(row, policies[i % 2], units[i / 2 % 2], i / 4 % 2);
	}
}

/*
 * Texels of 4 half floats, width x height. TVM's 2D pool had to grow sides and refused
 * what is too unlike; bytes have no sides.
 */
static void sides_do_not_count(void)
{
	static const struct {
		const char *name;
		struct tensor kept; /* empty: none */
		struct tensor first, second;
		uint64_t blocks, blocks_created;
	} cases[] = {
		{ "1024x768, then 768x1024, beside 64x12455",
		  { TEXTURE, F16, { 12455, 64, 4 } },
		  { TEXTURE, F16, { 768, 1024, 4 } },
		  { TEXTURE, F16, { 1024, 768, 4 } },
		  2,
		  2 },
		{ "12455x64, then 1024x768",
		  { 0 },
		  { TEXTURE, F16, { 64, 12455, 4 } },
		  { TEXTURE, F16, { 768, 1024, 4 } },
		  1,
		  1 },
		{ "1024x64, then 12544x64: it is replaced",
		  { 0 },
		  { TEXTURE, F16, { 64, 1024, 4 } },
		  { TEXTURE, F16, { 64, 12544, 4 } },
		  1,
		  2 },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		const berth_layout kept = layout_of(&cases[i].kept);
		struct bench bench;

		test_case("%s", cases[i].name);
		open_with(&bench, BERTH_POOL_BEST_FIT, true, BERTH_PITCH_UNIT_BYTES);
		if (kept.axis_count > 0)
			storage_for(&bench, &kept);
		pass(&bench, &cases[i].first);
		pass(&bench, &cases[i].second);
		ASSERT_INT(pool_fixture_stats(bench.pool).blocks, cases[i].blocks);
		ASSERT_INT(pool_fixture_stats(bench.pool).blocks_created, cases[i].blocks_created);
		close_bench(&bench);
	}
}

/* Two pools of one device count on their own. */
static void pools_side_by_side(void)
{
	berth_pool_options options = pool_fixture_options(BERTH_POOL_NAIVE);
	berth_storage pooled, plain;
	berth_pool *other;
	struct bench bench;

	open_with(&bench, BERTH_POOL_EXACT, true, BERTH_PITCH_UNIT_BYTES);
	options.first_id = UINT64_C(1) << 61;
	other = pool_fixture_create(bench.device, &options);
	plain = pool_fixture_storage(other, 64);
	ASSERT_INT(pool_fixture_stats(bench.pool).held_bytes, 0);
	pooled = pool_fixture_storage(bench.pool, 64);
	ASSERT_INT(pool_fixture_stats(other).held_bytes, 64);
	ASSERT_INT(pool_fixture_stats(bench.pool).held_bytes, 4096);
	ASSERT_OK(berth_storage_release(other, plain, NULL));
	ASSERT_INT(pool_fixture_stats(other).held_bytes, 0);
	ASSERT_INT(pool_fixture_stats(bench.pool).in_use_bytes, 4096);
	ASSERT_OK(berth_storage_release(bench.pool, pooled, NULL));
	ASSERT_INT(pool_fixture_stats(bench.pool).held_bytes, 4096);
	berth_pool_destroy(other);
	close_bench(&bench);
}

/* Without images on buffers, each policy refuses a texture, and says so. */
static void no_textures(void)
{
	static const berth_pool_policy policies[] = { BERTH_POOL_NAIVE, BERTH_POOL_EXACT,
						      BERTH_POOL_BEST_FIT, BERTH_POOL_SUBALLOC };
	static const struct tensor tensor = { TEXTURE, F32, { 3, 6, 4 } };
	const berth_layout layout = layout_of(&tensor);

	for (size_t i = 0; i < COUNT(policies); i++) {
		struct bench bench;
		berth_storage storage;
		berth_view view = 7;

		test_case("%s", berth_pool_policy_string(policies[i]));
		open_with(&bench, policies[i], false, BERTH_PITCH_UNIT_BYTES);
		storage = pool_fixture_storage(bench.pool, 4096);
		ASSERT_INT(berth_view_create(&view, bench.pool, storage, &layout, 0),
			   BERTH_E_UNSUPPORTED);
		ASSERT_INT(view, 7);
		ASSERT_INT(berth_storage_create_for(&storage, bench.pool, &layout, 1, NULL),
			   BERTH_E_UNSUPPORTED);
		ASSERT_INT(pool_fixture_stats(bench.pool).storages, 1);
		close_bench(&bench);
	}
}

/* All bytes of a view, image rows without gaps. */
static void move(struct bench *bench, berth_op_kind kind, const berth_view_info *info, void *host)
{
	if (info->geometry.scope == BERTH_SCOPE_LINEAR)
		ok(bench->device, .kind = kind, .form = BERTH_FORM_LINEAR,
		   .bits = BERTH_OP_BLOCKING, .object = info->object, .bytes = info->geometry.bytes,
		   HOST(host));
	else
		ok(bench->device, .kind = kind, .form = BERTH_FORM_IMAGE, .bits = BERTH_OP_BLOCKING,
		   .object = info->object,
		   .region.extent = { info->geometry.width, info->geometry.height, 1 }, HOST(host));
}

/* Written through the one, read through the other; no row has padding here. */
static void assert_round_trip(const struct tensor *written, const struct tensor *read,
			      uint64_t bytes)
{
	const berth_layout layouts[] = { layout_of(written), layout_of(read) };
	unsigned char *out = malloc(bytes), *in = calloc(1, bytes);
	berth_view_info infos[2];
	berth_storage storage;
	struct bench bench;

	CU_ASSERT_FATAL(out != NULL && in != NULL);
	for (uint64_t i = 0; i < bytes; i++)
		out[i] = (unsigned char)(i * 7 + i / 251);
	open_with(&bench, BERTH_POOL_SUBALLOC, true, BERTH_PITCH_UNIT_BYTES);
	storage = pool_fixture_storage(bench.pool, bytes);
	for (int i = 0; i < 2; i++) {
		infos[i] = view_of(&bench, storage, &layouts[i]);
		ASSERT_INT(infos[i].geometry.bytes, bytes);
	}
	move(&bench, BERTH_OP_WRITE, &infos[0], out);
	move(&bench, BERTH_OP_READ, &infos[1], in);
	ASSERT_INT(memcmp(out, in, bytes), 0);
	free(out);
	free(in);
	close_bench(&bench);
}

static void views_of_one_storage(void)
{
	static const struct {
		const char *name;
		struct tensor written, read;
		uint64_t bytes;
	} cases[] = {
		{ "a texture",
		  { TEXTURE, F32, { 16, 16, 4 } },
		  { TEXTURE, F32, { 16, 16, 4 } },
		  4096 },
		{ "two shapes, buffers",
		  { LINEAR, F32, { 1, 16, 16, 8 } },
		  { LINEAR, F32, { 1, 8, 16, 16 } },
		  8192 },
		{ "buffer, texture",
		  { LINEAR, F32, { 1, 16, 16, 8, 4 } },
		  { TEXTURE, F32, { 1, 16, 16, 8, 4 } },
		  32768 },
		{ "texture, buffer",
		  { TEXTURE, F32, { 1, 16, 16, 8, 4 } },
		  { LINEAR, F32, { 1, 16, 16, 8, 4 } },
		  32768 },
		{ "two shapes, textures",
		  { TEXTURE, F32, { 1, 16, 16, 8, 4 } },
		  { TEXTURE, F32, { 1, 8, 16, 16, 4 } },
		  32768 },
		{ "as one axis", { LINEAR, F32, { 128, 128 } }, { LINEAR, F32, { 16384 } }, 65536 },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		test_case("%s", cases[i].name);
		assert_round_trip(&cases[i].written, &cases[i].read, cases[i].bytes);
	}
}

/* 256 x 1024 elements in texels of 64 and of 128 bits, against the buffer. */
static void texels_of_all_widths(void)
{
	static const int elements[] = { BERTH_ELEMENT_INT8, BERTH_ELEMENT_INT16,
					BERTH_ELEMENT_INT32, F16, F32 };

	for (size_t i = 0; i < COUNT(elements) * 2; i++) {
		const int element = elements[i / 2];
		const uint64_t element_bytes = berth_element_bytes((berth_element)element);
		const uint64_t channels = (i % 2 ? 16 : 8) / element_bytes;
		const struct tensor texture = { TEXTURE,
						element,
						{ 256, 1024 / channels, channels } };
		const struct tensor linear = { LINEAR, element, { 256, 1024 } };

		test_case("%s, %d channels", berth_element_string((berth_element)element),
			  (int)channels);
		assert_round_trip(&texture, &linear, 256 * 1024 * element_bytes);
		assert_round_trip(&linear, &texture, 256 * 1024 * element_bytes);
	}
}

/* Take and give back what a script says: see tensor_pool(). */
struct taken {
	berth_storage storages[16];
	size_t count;
	uint64_t gets, reclaims;
	uint64_t last_object; /* of what was given back last */
};

static void play(struct taken *taken, berth_pool *pool, char step)
{
	const uint64_t bytes = step == 'b' || step == 'B' ? 8 * KIB : 4 * KIB;
	berth_storage storage = 0;
	berth_storage_info info;

	switch (step) {
	case 'a':
	case 'b':
		taken->gets++;
		taken->storages[taken->count++] = pool_fixture_storage(pool, bytes);
		break;
	case 'A': /* refused */
		taken->gets++;
		ASSERT_INT(berth_storage_create(&storage, pool, bytes, NULL), BERTH_E_LIMIT);
		break;
	case '=': /* the latest is where the one given back last was */
		storage = taken->storages[taken->count - 1];
		ASSERT_OK(berth_storage_get_info(&info, pool, storage));
		ASSERT_INT(info.object, taken->last_object);
		break;
	case '-':
		taken->reclaims++;
		storage = taken->storages[--taken->count];
		ASSERT_OK(berth_storage_get_info(&info, pool, storage));
		taken->last_object = info.object;
		ASSERT_OK(berth_storage_release(pool, storage, NULL));
		break;
	case 'x': /* a clear */
		berth_pool_trim(pool);
		break;
	}
}

/*
 * Glow's TensorPool tests. A script: a and b take of two sizes, A is a that is refused, - gives
 * the latest back, = says that it is where the last was, x clears. What is reserved is taken and
 * given back before. Expected, as there: current (blocks that nobody has), allocs, those
 * of them after the reserve, gets, reclaims, and here frees.
 */
static void tensor_pool(void)
{
	static const struct {
		const char *name, *reserved, *script;
		uint64_t limit_bytes;
		uint64_t current, allocs, inline_allocs, gets, reclaims, frees;
	} cases[] = {
		{ "Basic", "a", "a", 0, 0, 1, 0, 1, 0, 0 },
		{ "Reclaim", "a", "a-a=", 0, 0, 1, 0, 2, 1, 0 },
		{ "Extends", "a", "aa", 0, 0, 2, 1, 2, 0, 0 },
		{ "DoesntExtend", "a", "aA-a", 4 * KIB, 0, 1, 0, 3, 1, 0 },
		{ "Noreserve", "", "aa", 0, 0, 2, 2, 2, 0, 0 },
		{ "MultiTypes", "ab", "aaaaabbbbb", 0, 0, 10, 8, 10, 0, 0 },
		{ "MultiTypes, back", "ab", "aaaaabbbbb----------", 0, 10, 10, 8, 10, 10, 0 },
		{ "MultiReclaim", "ab", "ab--ab--", 0, 2, 2, 0, 4, 4, 0 },
		{ "Clear", "a", "a-", 0, 1, 1, 0, 1, 1, 0 },
		{ "Clear, again", "", "a-xa-", 0, 1, 2, 2, 2, 2, 1 },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		berth_pool_options options = pool_fixture_options(BERTH_POOL_EXACT);
		struct taken reserved = { 0 }, taken = { 0 };
		berth_pool_stats stats;
		struct bench bench;
		uint64_t before;

		test_case("%s", cases[i].name);
		options.limit_bytes = cases[i].limit_bytes;
		bench.profile = sim_fixture_profile();
		bench.device = sim_fixture_device(&bench.profile);
		bench.pool = pool_fixture_create(bench.device, &options);
		for (const char *step = cases[i].reserved; *step; step++)
			play(&reserved, bench.pool, *step);
		while (reserved.count > 0)
			play(&reserved, bench.pool, '-');
		before = pool_fixture_stats(bench.pool).blocks_created;
		for (const char *step = cases[i].script; *step; step++)
			play(&taken, bench.pool, *step);
		stats = pool_fixture_stats(bench.pool);
		ASSERT_INT(stats.blocks - stats.storages, cases[i].current);
		ASSERT_INT(stats.blocks_created, cases[i].allocs);
		ASSERT_INT(stats.blocks_created - before, cases[i].inline_allocs);
		ASSERT_INT(taken.gets, cases[i].gets);
		ASSERT_INT(taken.reclaims, cases[i].reclaims);
		ASSERT_INT(stats.blocks_released, cases[i].frees);
		close_bench(&bench);
	}
}

int main(void)
{
	static const struct test tests[] = {
		{ "one after the other", one_after_the_other },
		{ "sides do not count", sides_do_not_count },
		{ "pools side by side", pools_side_by_side },
		{ "no textures", no_textures },
		{ "views of one storage", views_of_one_storage },
		{ "texels of all widths", texels_of_all_widths },
		{ "a pool of tensors", tensor_pool },
		{ NULL, NULL },
	};

	return test_main("pool: what TVM's tests do", tests);
}
