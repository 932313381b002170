/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Faults: every call to the device and every allocation of host memory fails in
 * turn, in each step of a pool's life. Live storages and views stay as they were,
 * and the step succeeds when it is tried again. (A sanitizer or valgrind sees leaks.)
 */
#include "alloc_fault.h"
#include "pool_fixture.h"

#include <berth/workspace.h>

/* A device that refuses, or has no answer to, the n-th op that is not a release. */
struct faulty {
	berth_device base;
	berth_device *inner;
	unsigned countdown; /* 0: never */
	bool no_answer;
	bool hit;
};

static berth_status faulty_execute(berth_device *base, const berth_op *op, berth_result *result)
{
	struct faulty *faulty = (struct faulty *)base;

	if (op->kind != BERTH_OP_RELEASE && faulty->countdown > 0 && --faulty->countdown == 0) {
		faulty->hit = true;
		if (faulty->no_answer)
			return berth_error_set(BERTH_E_NOMEM, 0, "made to fail");
		result->cl_status = CL_OUT_OF_RESOURCES;
		berth_error_set(BERTH_OK, CL_OUT_OF_RESOURCES, "made to be refused");
		return BERTH_OK;
	}
	return berth_device_execute(faulty->inner, op, result);
}

static void faulty_memory(const berth_device *base, berth_memory *out)
{
	berth_device_memory(((const struct faulty *)base)->inner, out);
}

static void faulty_destroy(berth_device *base)
{
	berth_device_destroy(((struct faulty *)base)->inner);
}

static const berth_device_ops faulty_ops = {
	.version = BERTH_DEVICE_OPS_VERSION,
	.execute = faulty_execute,
	.memory = faulty_memory,
	.destroy = faulty_destroy,
};

static void faulty_init(struct faulty *faulty, uint32_t pitch_align)
{
	berth_profile profile = sim_fixture_profile();

	profile.caps.image2d_from_buffer = pitch_align > 0;
	profile.caps.image_pitch_align = profile.caps.image_base_align = pitch_align;
	*faulty = (struct faulty){ .inner = sim_fixture_device(&profile) };
	faulty->base = (berth_device){ &faulty_ops, berth_device_caps(faulty->inner), "faulty" };
}

/* What a scenario made so far. */
struct scene {
	berth_pool *pool;
	berth_workspace *workspace;
	berth_storage storages[4];
	berth_view views[4];
	berth_storage temporary;
};

static const berth_layout image_layout = { .scope = BERTH_SCOPE_TEXTURE_WEIGHT,
					   .element = BERTH_ELEMENT_FLOAT16,
					   .lanes = 1,
					   .axis_count = 3,
					   .shape = { 7, 10, 4 } };
static const berth_layout linear_layout = { .scope = BERTH_SCOPE_LINEAR,
					    .element = BERTH_ELEMENT_UINT8,
					    .lanes = 1,
					    .axis_count = 1,
					    .shape = { 1000 } };

static berth_status small_storage(struct scene *scene)
{
	return berth_storage_create(&scene->storages[0], scene->pool, 100000, NULL);
}

static berth_status second_storage(struct scene *scene)
{
	return berth_storage_create(&scene->storages[1], scene->pool, 3 * MIB, NULL);
}

static berth_status large_storage(struct scene *scene)
{
	return berth_storage_create(&scene->storages[2], scene->pool, 100 * MIB, NULL);
}

static berth_status image_view(struct scene *scene)
{
	return berth_view_create(&scene->views[0], scene->pool, scene->storages[0], &image_layout,
				 0);
}

static berth_status linear_view(struct scene *scene)
{
	return berth_view_create(&scene->views[1], scene->pool, scene->storages[0], &linear_layout,
				 4096);
}

static berth_status load(struct scene *scene)
{
	return berth_view_load(scene->pool, scene->views[0]);
}

static berth_status make_workspace(struct scene *scene)
{
	return berth_workspace_create(&scene->workspace, scene->pool, 0);
}

static berth_status take_temporary(struct scene *scene)
{
	return berth_workspace_alloc(&scene->temporary, scene->workspace, 50000);
}

static berth_status free_temporary(struct scene *scene)
{
	return berth_workspace_free(scene->workspace, scene->temporary);
}

static berth_status release_view(struct scene *scene)
{
	return berth_view_release(scene->pool, scene->views[0]);
}

static berth_status release_large(struct scene *scene)
{
	static const berth_in_flight in_flight = { .queue = 3 };

	return berth_storage_release(scene->pool, scene->storages[2], &in_flight);
}

static void ignore_span(const berth_span *span, void *userdata)
{
	(void)span;
	(void)userdata;
}

static berth_status walk(struct scene *scene)
{
	return berth_pool_walk(scene->pool, ignore_span, NULL);
}

static const struct step {
	const char *name;
	berth_status (*perform)(struct scene *scene);
} steps[] = {
	{ "small storage", small_storage },
	{ "image view", image_view },
	{ "second storage", second_storage },
	{ "linear view", linear_view },
	{ "load", load },
	{ "large storage", large_storage },
	{ "workspace", make_workspace },
	{ "temporary", take_temporary },
	{ "walk", walk },
	{ "free temporary", free_temporary },
	{ "release view", release_view },
	{ "release large", release_large },
};

/* What must not change: what the caller has. */
static void assert_unchanged(const berth_pool_stats *before, berth_pool *pool)
{
	berth_pool_stats after = pool_fixture_stats(pool);

	ASSERT_INT(after.requested_bytes, before->requested_bytes);
	ASSERT_INT(after.in_use_bytes, before->in_use_bytes);
	ASSERT_INT(after.in_flight_bytes, before->in_flight_bytes);
	ASSERT_INT(after.storages, before->storages);
	ASSERT_INT(after.views, before->views);
}

/* One way to fail: arm it for the n-th time, and ask whether it happened. */
struct fault {
	const char *name;
	void (*arm)(struct faulty *faulty, unsigned n);
	bool (*disarm)(struct faulty *faulty);
};

static void arm_refusal(struct faulty *faulty, unsigned n)
{
	faulty->countdown = n;
	faulty->no_answer = faulty->hit = false;
}

static void arm_no_answer(struct faulty *faulty, unsigned n)
{
	arm_refusal(faulty, n);
	faulty->no_answer = true;
}

static bool disarm_device(struct faulty *faulty)
{
	faulty->countdown = 0;
	return faulty->hit;
}

static void arm_allocation(struct faulty *faulty, unsigned n)
{
	(void)faulty;
	alloc_fault_arm(n);
}

static bool disarm_allocation(struct faulty *faulty)
{
	(void)faulty;
	return alloc_fault_disarm();
}

static const struct fault faults[] = {
	{ "the device refuses", arm_refusal, disarm_device },
	{ "the device has no answer", arm_no_answer, disarm_device },
	{ "no host memory", arm_allocation, disarm_allocation },
};

/* Fail the step in every place, then let it succeed. A fault may also be got over. */
static void sweep(const struct fault *fault, struct faulty *faulty, struct scene *scene,
		  const struct step *step)
{
	for (unsigned n = 1; n < 1000; n++) {
		berth_pool_stats before = pool_fixture_stats(scene->pool);
		berth_status st;
		bool hit;

		fault->arm(faulty, n);
		st = step->perform(scene);
		hit = fault->disarm(faulty);
		if (st == BERTH_OK)
			return;
		CU_ASSERT(hit);
		CU_ASSERT(st == BERTH_E_NOMEM || st == BERTH_E_LIMIT);
		assert_unchanged(&before, scene->pool);
	}
	CU_FAIL("never succeeded");
}

static void run_scenario(const struct fault *fault, berth_pool_policy policy, uint32_t pitch_align)
{
	berth_pool_options options = pool_fixture_options(policy);
	struct scene scene = { 0 };
	struct faulty faulty;

	options.copied_images = true;
	faulty_init(&faulty, pitch_align);
	scene.pool = pool_fixture_create(&faulty.base, &options);
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		test_case("%s, %s, pitch %d, %s", fault->name, berth_pool_policy_string(policy),
			  (int)pitch_align, steps[i].name);
		sweep(fault, &faulty, &scene, &steps[i]);
	}
	berth_workspace_destroy(scene.workspace);
	berth_pool_destroy(scene.pool);
	ASSERT_INT(sim_fixture_in_use(faulty.inner), 0);
	berth_device_destroy(&faulty.base);
}

static void sweep_all(const struct fault *fault)
{
	for (unsigned policy = 0; policy < BERTH_POOL_POLICY_END; policy++) {
		run_scenario(fault, (berth_pool_policy)policy, 64);
		run_scenario(fault, (berth_pool_policy)policy, 0);
	}
}

static void device_refuses(void)
{
	sweep_all(&faults[0]);
}

static void device_has_no_answer(void)
{
	sweep_all(&faults[1]);
}

static void no_host_memory(void)
{
	sweep_all(&faults[2]);
}

/* Creating a pool, also where it tries how images can be made. */
static void creation(void)
{
	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
		for (unsigned n = 1; n < 40; n++) {
			berth_profile profile = sim_fixture_profile();
			berth_pool *pool = NULL;
			struct faulty faulty;
			berth_status st;

			test_case("%s, %u", faults[i].name, n);
			profile.caps.host_unified = true;
			profile.caps.image2d_from_buffer = false;
			profile.caps.image_pitch_align = profile.caps.image_base_align = 0;
			faulty = (struct faulty){ .inner = sim_fixture_device(&profile) };
			faulty.base = (berth_device){ &faulty_ops, berth_device_caps(faulty.inner),
						      "faulty" };
			faults[i].arm(&faulty, n);
			st = berth_pool_create(&pool, &faulty.base, NULL);
			faults[i].disarm(&faulty);
			CU_ASSERT(st == BERTH_OK || (st == BERTH_E_NOMEM && !pool));
			berth_pool_destroy(pool);
			ASSERT_INT(sim_fixture_in_use(faulty.inner), 0);
			berth_device_destroy(&faulty.base);
		}
	}
}

int main(void)
{
	static const struct test tests[] = {
		{ "the device refuses", device_refuses },
		{ "the device has no answer", device_has_no_answer },
		{ "no host memory", no_host_memory },
		{ "creation", creation },
		{ NULL, NULL },
	};

	return test_main("pool faults", tests);
}
