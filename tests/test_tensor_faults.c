/* SPDX-License-Identifier: Apache-2.0 */
/* Each allocation and each command of a scene fails in turn: nothing is lost. */
#include "alloc_fault.h"
#include "tensor_fixture.h"

#define R world.residency

enum { BYTES = 256 };

static struct world world;

/* Room for two of the three; a second site, with padded rows elsewhere. */
struct scene {
	berth_tensor tensors[3];
	berth_tensor clone;
	unsigned char values[3]; /* what each holds */
};

static void scene_open(struct scene *scene)
{
	world_open_limit(&world, 2 * BYTES, BERTH_EVICT_LRU);
	for (int i = 0; i < 3; i++) {
		scene->tensors[i] = world_tensor(&world, BYTES, NULL);
		scene->values[i] = (unsigned char)(i + 1);
	}
	scene->clone = 0;
}

/* Two dirty tensors; the third evicts one; a host's write; a clone; all home. */
static berth_status scene_play(struct scene *scene)
{
	unsigned char content[BYTES];
	berth_status st = BERTH_OK;

	for (int i = 0; st == BERTH_OK && i < 3; i++) {
		struct filler filler = { .world = &world, .value = scene->values[i],
					 .bytes = 0 };
		const berth_run_arg arg = { scene->tensors[i], BERTH_ACCESS_READ };

		memset(content, scene->values[i], BYTES);
		st = berth_tensor_update(R, scene->tensors[i], content, BYTES);
		if (st == BERTH_OK)
			st = berth_residency_run(R, 0, &arg, 1, BERTH_OUTPUTS_STAY, filler_run,
						 &filler);
		if (st == BERTH_OK)
			st = berth_tensor_update(R, scene->tensors[i], content, BYTES);
	}
	if (st == BERTH_OK)
		st = berth_tensor_prefetch(R, scene->tensors[0], 0, NULL, NULL);
	if (st == BERTH_OK)
		st = berth_residency_complete(R, 0);
	if (st == BERTH_OK)
		st = berth_tensor_clone(&scene->clone, R, scene->tensors[1]);
	if (st == BERTH_OK)
		st = berth_tensor_ensure_on_host(R, scene->tensors, 3);
	return st;
}

/* Whatever failed: handles hold, counts are at rest, content is one of those that were given. */
static void scene_check(struct scene *scene)
{
	berth_site_stats stats = world_stats(&world);
	uint64_t resident = 0;

	for (int i = 0; i < 3; i++) {
		berth_tensor_info info = world_info(&world, scene->tensors[i]);

		ASSERT_INT(info.mapped + info.in_flight + info.pinned + info.in_working_set, 0);
		resident += info.storage ? info.device_bytes : 0;
		if (!info.has_content)
			continue;
		ASSERT_OK(berth_tensor_to_host(R, scene->tensors[i], true));
		ASSERT_BYTES(&world, scene->tensors[i], scene->values[i]);
	}
	if (!scene->clone)
		ASSERT_INT(stats.charged_bytes, resident);
	for (int i = 0; i < 3; i++)
		ASSERT_OK(berth_tensor_destroy(R, scene->tensors[i]));
	if (scene->clone)
		ASSERT_OK(berth_tensor_destroy(R, scene->clone));
	ASSERT_INT(world_stats(&world).charged_bytes, 0);
	ASSERT_INT(world_stats(&world).resident, 0);
	world_close(&world);
}

static void test_commands(void)
{
	static const struct {
		const char *name;
		uint32_t kinds;
	} cases[] = {
		{ "transfers", 1u << BERTH_OP_WRITE | 1u << BERTH_OP_READ | 1u << BERTH_OP_COPY },
		{ "allocations", 1u << BERTH_OP_BUFFER_CREATE | 1u << BERTH_OP_SUBBUFFER_CREATE },
		{ "the end of transfers", 1u << BERTH_OP_SYNC },
		{ "all", ~(1u << BERTH_OP_RELEASE) },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		for (unsigned n = 1;; n++) {
			struct scene scene;
			berth_status st;
			bool failed;

			test_case("%s: command %u", cases[i].name, n);
			scene_open(&scene);
			world.device->kinds = cases[i].kinds;
			world.device->countdown = n;
			st = scene_play(&scene);
			failed = world.device->failed > 0;
			world.device->countdown = 0;
			/* A failure is said, or was got over (a full device, a label). */
			if (st != BERTH_OK)
				CU_ASSERT(failed);
			scene_check(&scene);
			if (!failed) {
				CU_ASSERT(n > 1);
				break;
			}
		}
	}
}

static void test_allocations(void)
{
	bool failed = true;

	for (unsigned n = 1; failed; n++) {
		long live = alloc_fault_live();
		struct scene scene;
		berth_status st;

		test_case("allocation %u", n);
		scene_open(&scene);
		alloc_fault_arm(n);
		st = scene_play(&scene);
		failed = alloc_fault_disarm();
		if (st != BERTH_OK)
			CU_ASSERT(failed);
		scene_check(&scene);
		ASSERT_INT(alloc_fault_live(), live);
	}
}

/* What makes a residency, a site, tensors and views. */
static berth_status build(berth_residency **residency, berth_pool *pool)
{
	const berth_layout layout = linear(BERTH_ELEMENT_UINT8, BYTES);
	berth_site_options options = BERTH_SITE_OPTIONS_INIT;
	berth_tensor tensor, view;
	uint32_t site;
	berth_status st = berth_residency_create(residency, NULL);

	options.staging_bytes = 64;
	if (st == BERTH_OK)
		st = berth_residency_add_site(&site, *residency, pool, &options);
	if (st == BERTH_OK)
		st = berth_tensor_create(&tensor, *residency, &layout, NULL);
	if (st == BERTH_OK)
		st = berth_tensor_view(&view, *residency, tensor, &layout, 0);
	return st;
}

static void test_building(void)
{
	bool failed = true;

	for (unsigned n = 1; failed; n++) {
		berth_profile profile = sim_fixture_profile();
		long live = alloc_fault_live();
		berth_device *device = sim_fixture_device(&profile);
		berth_residency *residency = NULL;
		berth_pool *pool = NULL;
		berth_status st;

		test_case("allocation %u", n);
		ASSERT_OK(berth_pool_create(&pool, device, NULL));
		alloc_fault_arm(n);
		st = build(&residency, pool);
		failed = alloc_fault_disarm();
		ASSERT_INT(st, failed ? BERTH_E_NOMEM : BERTH_OK);
		berth_residency_destroy(residency);
		berth_pool_destroy(pool);
		berth_device_destroy(device);
		ASSERT_INT(alloc_fault_live(), live);
	}
}

static const struct test tests[] = {
	{ "commands", test_commands },
	{ "allocations", test_allocations },
	{ "building", test_building },
	{ NULL, NULL },
};

int main(void)
{
	return test_main("tensor_faults", tests);
}
