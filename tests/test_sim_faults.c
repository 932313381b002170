/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Host memory that runs out: every allocation of every kind of op fails in turn.
 * The op must say so, leave everything as it was, and leak nothing.
 */
#include "alloc_fault.h"
#include "sim_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <berth/fault.h>
#include <berth/open.h>

#define LARGE (UINT64_C(4) << 20)

static uint8_t host[8192];
static const berth_object_use uses[] = {
	{ .object = 1, .access = BERTH_ACCESS_WRITE },
	{ .object = 3, .access = BERTH_ACCESS_WRITE },
	{ .object = 4, .access = 0 },
};

/*
 * Before each op: buffer 1 with a known middle, buffer 2 with gaps, sub-buffer 3
 * of 1, image 4 with a known part, buffer 5 that is large and untouched, a mapping
 * of buffer 2. Content is spread so that the op needs room for new ranges.
 */
static void prepare(berth_device *device)
{
	ok(device, BUFFER(1, 4096));
	ok(device, BUFFER(2, 4096));
	ok(device, .kind = BERTH_OP_SUBBUFFER_CREATE, .object = 3, .other = 1, .bytes = 1024);
	ok(device, IMAGE(4, 20, 10));
	ok(device, BUFFER(5, LARGE), .flags = CL_MEM_ALLOC_HOST_PTR);
	ok(device, WRITE(1, 1000, 100), HOST(host));
	for (uint64_t at = 0; at < 4096; at += 512)
		ok(device, WRITE(2, at, 100), HOST(host));
	ok(device, .kind = BERTH_OP_WRITE, .form = BERTH_FORM_IMAGE, .bits = BERTH_OP_BLOCKING,
	   .object = 4, .region = { .origin = { 3, 3 }, .extent = { 5, 5, 1 } }, HOST(host));
	ok(device, .kind = BERTH_OP_MAP, .form = BERTH_FORM_LINEAR, .bits = BERTH_OP_BLOCKING,
	   .object = 2, .flags = CL_MAP_WRITE, .mapping = 1, .offset_bytes = 50, .bytes = 1000);
}

/* A device that accepts what leaves its object, has a pitch of its own for maps, and takes time. */
static berth_profile departing_profile(void)
{
	static const char *const accepted[] = { "R100.bounds", "R102.overlap", "R106.bounds" };
	berth_profile profile = sim_fixture_profile();

	for (size_t i = 0; i < sizeof(accepted) / sizeof(accepted[0]); i++) {
		const berth_deviation item = { .rule = berth_rules_find(accepted[i]) };

		ASSERT_OK(berth_deviations_add(&profile.deviations, &item));
	}
	profile.behaviour.map_pitch_align_bytes = 64;
	profile.transfer.lines[BERTH_TRANSFER_MAP].fixed_ns = 1;
	return profile;
}

static const struct {
	const char *name;
	berth_op op;
	bool allocates; /* so that a sweep over nothing is seen */
	bool departs;	/* only a device that departs accepts it */
} cases[] = {
	{ "buffer", { BUFFER(9, 100) }, true, false },
	{ "buffer with content", { BUFFER(9, 100), .flags = CL_MEM_COPY_HOST_PTR, HOST(host) },
	  true, false },
	{ "large buffer", { BUFFER(9, LARGE) }, true, false },
	{ "buffer on host memory", { BUFFER(9, 100), .flags = CL_MEM_USE_HOST_PTR, HOST(host) },
	  true, false },
	{ "sub-buffer",
	  { .kind = BERTH_OP_SUBBUFFER_CREATE, .object = 9, .other = 1, .bytes = 128 }, false, false },
	{ "image", { IMAGE(9, 4, 4) }, true, false },
	{ "image on a buffer", { .other = 1, IMAGE(9, 4, 4) }, false, false },
	{ "write", { WRITE(1, 50, 50), HOST(host) }, true, false },
	{ "first write to a large buffer", { WRITE(5, 50, 50), HOST(host) }, true, false },
	{ "write of bytes not here", { WRITE(1, 1020, 50), HOST_NOT_HERE }, true, false },
	{ "rect write",
	  { .kind = BERTH_OP_WRITE, .form = BERTH_FORM_RECT, .bits = BERTH_OP_BLOCKING, .object = 1,
	    .region = { .extent = { 5, 20, 1 }, .row_pitch_bytes = 100 }, HOST(host) }, true, false },
	{ "image write",
	  { .kind = BERTH_OP_WRITE, .form = BERTH_FORM_IMAGE, .bits = BERTH_OP_BLOCKING,
	    .object = 4, .region = { .origin = { 1, 0 }, .extent = { 5, 10, 1 } }, HOST(host) },
	  true, false },
	{ "read", { READ(1, 0, 4096), HOST(host) }, true, false },
	{ "image read",
	  { .kind = BERTH_OP_READ, .form = BERTH_FORM_IMAGE, .bits = BERTH_OP_BLOCKING, .object = 4,
	    .region = { .extent = { 5, 10, 1 } }, HOST(host) }, true, false },
	{ "copy",
	  { .kind = BERTH_OP_COPY, .form = BERTH_FORM_LINEAR, .object = 2, .other = 1,
	    .bytes = 4096 }, true, false },
	{ "copy to a large buffer",
	  { .kind = BERTH_OP_COPY, .form = BERTH_FORM_LINEAR, .object = 2, .other = 5,
	    .bytes = 4096 }, true, false },
	{ "copy of an image",
	  { .kind = BERTH_OP_COPY, .form = BERTH_FORM_IMAGE_TO_BUFFER, .object = 4, .other = 1,
	    .region = { .extent = { 10, 10, 1 } } }, true, false },
	{ "fill",
	  { .kind = BERTH_OP_FILL, .form = BERTH_FORM_LINEAR, .object = 1, .offset_bytes = 2000,
	    .bytes = 48, .pattern_bytes = 4, HOST(host) }, true, false },
	{ "map",
	  { .kind = BERTH_OP_MAP, .form = BERTH_FORM_LINEAR, .object = 1, .flags = CL_MAP_READ,
	    .mapping = 2, .bytes = 4096 }, true, false },
	{ "map of a large buffer",
	  { .kind = BERTH_OP_MAP, .form = BERTH_FORM_LINEAR, .object = 5, .flags = CL_MAP_READ,
	    .mapping = 2, .bytes = 4096 }, true, false },
	{ "map that discards",
	  { .kind = BERTH_OP_MAP, .form = BERTH_FORM_LINEAR, .object = 2, .mapping = 2,
	    .flags = CL_MAP_WRITE_INVALIDATE_REGION, .offset_bytes = 2000, .bytes = 1000 }, true, false },
	{ "first map of an object, which discards",
	  { .kind = BERTH_OP_MAP, .form = BERTH_FORM_LINEAR, .object = 1, .mapping = 2,
	    .flags = CL_MAP_WRITE_INVALIDATE_REGION, .bytes = 500 }, true, false },
	{ "unmap", { .kind = BERTH_OP_UNMAP, .object = 2, .mapping = 1 }, true, false },
	{ "use", { .kind = BERTH_OP_USE, .uses = uses, .use_count = 3 }, true, false },
	{ "migrate without content",
	  { .kind = BERTH_OP_MIGRATE, .uses = uses, .use_count = 3,
	    .flags = CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED }, true, false },
	{ "retain", { .kind = BERTH_OP_RETAIN, .object = 1 }, false, false },
	{ "release", { RELEASE(5) }, false, false },
	{ "map with a pitch of its own",
	  { .kind = BERTH_OP_MAP, .form = BERTH_FORM_IMAGE, .object = 4, .flags = CL_MAP_READ,
	    .mapping = 2, .region = { .extent = { 5, 10, 1 } } }, true, true },
	{ "map of pinned memory",
	  { .kind = BERTH_OP_MAP, .form = BERTH_FORM_LINEAR, .object = 5, .flags = CL_MAP_READ,
	    .mapping = 2, .bytes = 4096 }, true, true },
	{ "write past the end", { WRITE(3, 1000, 50), HOST(host) }, true, true },
	{ "overlapping copy",
	  { .kind = BERTH_OP_COPY, .form = BERTH_FORM_LINEAR, .object = 2, .other = 2,
	    .other_offset_bytes = 10, .bytes = 1000 }, true, true },
	{ "map past the end",
	  { .kind = BERTH_OP_MAP, .form = BERTH_FORM_LINEAR, .object = 1, .flags = CL_MAP_WRITE,
	    .mapping = 2, .bytes = 5000 }, true, true },
};

/* What can be seen of the device: accounting, content and what is known of it. */
struct view {
	berth_memory memory;
	uint64_t unknown[3];
	uint8_t bytes[3][4096];
};

static void look(struct view *view, berth_device *device)
{
	memset(view, 0, sizeof(*view));
	berth_device_memory(device, &view->memory);
	view->memory.peak_bytes = 0; /* reading commits nothing, yet the peak is not state */
	for (uint64_t id = 1; id <= 2; id++)
		view->unknown[id - 1] =
			ok(device, READ(id, 0, 4096), HOST(view->bytes[id - 1])).unknown_bytes;
	view->unknown[2] = ok(device, .kind = BERTH_OP_READ, .form = BERTH_FORM_IMAGE,
			      .bits = BERTH_OP_BLOCKING, .object = 4,
			      .region = { .extent = { 20, 10, 1 } }, HOST(view->bytes[2]))
				   .unknown_bytes;
}

/* @return whether the op got through without meeting its failing allocation */
static bool try_case(size_t index, unsigned allocation)
{
	static struct view before, after;
	berth_profile profile =
		cases[index].departs ? departing_profile() : sim_fixture_profile();
	berth_device *device = sim_fixture_device(&profile);
	berth_status st;
	berth_result result;
	bool failed;

	prepare(device);
	look(&before, device);
	test_case("%s, allocation %u", cases[index].name, allocation);
	alloc_fault_arm(allocation);
	st = berth_device_execute(device, &cases[index].op, &result);
	failed = alloc_fault_disarm();
	ASSERT_INT(st, failed ? BERTH_E_NOMEM : BERTH_OK);
	if (failed) {
		look(&after, device);
		test_case("%s, allocation %u", cases[index].name, allocation);
		CU_ASSERT_EQUAL(memcmp(&before, &after, sizeof(before)), 0);
		/* and nothing is in the way of trying again */
		sim_fixture_run(device, &cases[index].op, CL_SUCCESS, __FILE__, __LINE__);
	} else {
		ASSERT_INT(result.cl_status, CL_SUCCESS);
	}
	berth_device_destroy(device);
	return !failed;
}

static void every_op(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		long before = alloc_fault_live();
		unsigned allocation = 1;

		while (!try_case(i, allocation) && allocation < 1000)
			allocation++;
		test_case("%s", cases[i].name);
		ASSERT_INT(alloc_fault_live(), before);
		if (cases[i].allocates)
			CU_ASSERT(allocation > 1);
		CU_ASSERT(allocation < 1000);
	}
}

static void every_creation(void)
{
	static const char *const names[] = { "sim:spec-minimum", "sim:nvidia-h200" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		long before = alloc_fault_live();
		unsigned allocation = 1;
		bool through = false;

		for (; !through && allocation < 1000; allocation++) {
			berth_device *device = NULL;
			berth_status st;
			bool failed;

			test_case("%s, allocation %u", names[i], allocation);
			alloc_fault_arm(allocation);
			st = berth_device_open(&device, names[i], NULL);
			failed = alloc_fault_disarm();
			ASSERT_INT(st, failed ? BERTH_E_NOMEM : BERTH_OK);
			CU_ASSERT_EQUAL(device == NULL, failed);
			through = !failed;
			berth_device_destroy(device);
		}
		CU_ASSERT(through && allocation > 3);
		ASSERT_INT(alloc_fault_live(), before);
	}
}

static void profile_from_a_file(void)
{
	char path[] = "/tmp/berth-test-XXXXXX.ini";
	int file = mkstemps(path, 4);
	const char *text = berth_profile_builtin_text("adreno-650");
	long before = alloc_fault_live();
	bool through = false;

	CU_ASSERT_FATAL(file >= 0);
	ASSERT_INT(write(file, text, strlen(text)), strlen(text));
	close(file);
	for (unsigned allocation = 1; !through && allocation < 100; allocation++) {
		static berth_profile profile;
		berth_status st;
		bool failed;

		test_case("allocation %u", allocation);
		alloc_fault_arm(allocation);
		st = berth_profile_load(&profile, path);
		failed = alloc_fault_disarm();
		ASSERT_INT(st, failed ? BERTH_E_NOMEM : BERTH_OK);
		through = !failed;
	}
	CU_ASSERT(through);
	ASSERT_INT(alloc_fault_live(), before);
	unlink(path);
}

static void a_profile_as_text(void)
{
	static berth_profile profile;
	bool through = false;

	ASSERT_OK(berth_profile_load(&profile, "adreno-650"));
	for (unsigned allocation = 1; !through && allocation < 100; allocation++) {
		char *text = NULL;
		berth_status st;
		bool failed;

		test_case("allocation %u", allocation);
		alloc_fault_arm(allocation);
		st = berth_profile_to_text(&text, &profile);
		failed = alloc_fault_disarm();
		ASSERT_INT(st, failed ? BERTH_E_NOMEM : BERTH_OK);
		CU_ASSERT_EQUAL(text == NULL, failed);
		through = !failed;
		free(text);
	}
	/* The text itself is the C library's allocation, which the sweep does not see. */
	CU_ASSERT(through);
}

static void a_fault_device(void)
{
	static const char *const specs[] = { "nth=5", "budget=1000" };

	for (size_t i = 0; i < sizeof(specs) / sizeof(specs[0]); i++) {
		berth_profile profile = sim_fixture_profile();
		long before = alloc_fault_live();
		berth_fault_spec spec;
		bool through = false;
		unsigned allocation;

		ASSERT_OK(berth_fault_parse(&spec, specs[i]));
		for (allocation = 1; !through && allocation < 100; allocation++) {
			berth_device *inner = sim_fixture_device(&profile), *device = NULL;
			berth_status st;
			bool failed;

			test_case("%s, allocation %u", specs[i], allocation);
			alloc_fault_arm(allocation);
			st = berth_fault_create(&device, &spec, inner);
			failed = alloc_fault_disarm();
			ASSERT_INT(st, failed ? BERTH_E_NOMEM : BERTH_OK);
			through = !failed;
			berth_device_destroy(device ? device : inner);
		}
		CU_ASSERT(through && allocation > 3);
		ASSERT_INT(alloc_fault_live(), before);
	}
}

/* The table of a budget has no room for an object that the inner device has made. */
static void an_object_that_a_budget_has_no_room_for(void)
{
	long before = alloc_fault_live();
	bool through = false;

	for (unsigned allocation = 1; !through && allocation < 100; allocation++) {
		berth_profile profile = sim_fixture_profile();
		const berth_op buffer = { BUFFER(1, 100) };
		berth_fault_spec spec;
		berth_device *device;
		berth_result result;
		berth_status st;
		bool failed;

		test_case("allocation %u", allocation);
		ASSERT_OK(berth_fault_parse(&spec, "budget=1000"));
		ASSERT_OK(berth_fault_create(&device, &spec, sim_fixture_device(&profile)));
		alloc_fault_arm(allocation);
		st = berth_device_execute(device, &buffer, &result);
		failed = alloc_fault_disarm();
		ASSERT_INT(st, failed ? BERTH_E_NOMEM : BERTH_OK);
		ASSERT_INT(sim_fixture_in_use(device), failed ? 0 : 100);
		through = !failed;
		berth_device_destroy(device);
	}
	CU_ASSERT(through);
	ASSERT_INT(alloc_fault_live(), before);
}

int main(void)
{
	static const struct test tests[] = {
		{ "every op", every_op },
		{ "every creation of a device", every_creation },
		{ "a profile from a file", profile_from_a_file },
		{ "a profile as text", a_profile_as_text },
		{ "a fault device", a_fault_device },
		{ "an object that a budget has no room for", an_object_that_a_budget_has_no_room_for },
		{ NULL, NULL },
	};

	return test_main("sim_faults", tests);
}
