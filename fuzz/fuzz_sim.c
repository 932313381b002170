/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random ops, the same ones in each run, on simulated devices that accept whatever breaks
 * any rule, each with another behaviour: nothing may be touched that is not theirs, and every
 * op has an answer. The argument is the number of ops a device; 2000 when absent.
 */
#include <berth/sim.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CL/cl.h>

#define DEVICES 24
#define HOST_BYTES 65536
#define CAPACITY_BYTES (UINT64_C(1) << 20)

static uint64_t state = 1;

static uint64_t random_number(void)
{
	uint64_t z = state += UINT64_C(0x9E3779B97F4A7C15);

	z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
	z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
	return z ^ z >> 31;
}

static uint64_t below(uint64_t end)
{
	return random_number() % end;
}

/* Mostly small, sometimes at the end of some range. */
static uint64_t size(void)
{
	static const uint64_t ends[] = { 4096,
					 UINT64_C(1) << 20,
					 UINT32_MAX,
					 UINT64_C(1) << 32,
					 UINT64_C(1) << 62,
					 UINT64_C(1) << 63,
					 UINT64_MAX };

	if (below(8))
		return below(300);
	return ends[below(sizeof(ends) / sizeof(ends[0]))] - below(2);
}

static uint64_t id(void)
{
	return below(20) ? 1 + below(8) : below(2) * BERTH_ID_UNKNOWN;
}

static void random_region(berth_region *region)
{
	for (int axis = 0; axis < 3; axis++) {
		region->origin[axis] = below(3) ? 0 : size();
		region->other_origin[axis] = below(3) ? 0 : size();
		region->extent[axis] = below(3) ? 1 + below(8) : size();
	}
	if (below(3) == 0) {
		region->row_pitch_bytes = size();
		region->other_row_pitch_bytes = size();
	}
	if (below(5) == 0) {
		region->slice_pitch_bytes = size();
		region->other_slice_pitch_bytes = size();
	}
}

static void random_image(berth_image *image)
{
	*image = (berth_image){
		.type = CL_MEM_OBJECT_BUFFER + (uint32_t)below(8),
		.order = below(8) ? CL_RGBA : CL_R + (uint32_t)below(16),
		.channel_type = CL_SNORM_INT8 + (uint32_t)below(16),
		.width = size(),
		.height = size(),
		.depth = size(),
		.array_size = size(),
		.row_pitch_bytes = below(3) ? 0 : size(),
		.slice_pitch_bytes = below(5) ? 0 : size(),
	};
}

static uint64_t random_flags(void)
{
	return below(2) ? 0 : UINT64_C(1) << below(12) | UINT64_C(1) << below(26);
}

static void random_op(berth_op *op, berth_object_use uses[4], uint8_t *host)
{
	uint64_t bytes;

	*op = (berth_op){
		.kind = (berth_op_kind)(1 + below(BERTH_OP_KIND_END - 1)),
		.form = (berth_op_form)below(BERTH_FORM_END),
		.bits = (uint32_t)below(2),
		.absent = below(20) ? 0 : 1u << below(11),
		.object = id(),
		.other = below(2) ? id() : BERTH_ID_NONE,
		.mapping = 1 + below(6),
		.flags = random_flags(),
		.offset_bytes = below(3) ? 0 : size(),
		.other_offset_bytes = below(3) ? 0 : size(),
		.bytes = size(),
		.pattern_bytes = below(2) ? 4 : below(140),
		.packet_bytes = (uint32_t)size(),
		.packet_count = (uint32_t)size(),
		.alignment_bytes = below(2) ? 0 : size(),
		.use_count = (uint32_t)below(5),
		.uses = below(30) ? uses : NULL,
		.name = "k",
	};
	random_region(&op->region);
	random_image(&op->image);
	for (int i = 0; i < 4; i++)
		uses[i] = (berth_object_use){ .object = id(), .access = (uint32_t)below(4) };
	if (below(4) && berth_op_host_bytes(&bytes, op, 16) == BERTH_OK && bytes <= HOST_BYTES)
		berth_op_set_host(op, host);
	else
		op->host_address = below(3) * 4097;
}

static void accept_everything(berth_profile *profile)
{
	berth_deviation item = { .answer = BERTH_DEVIATION_ACCEPT };

	for (size_t i = 0; (item.rule = berth_rules_at(i)); i++)
		if (berth_deviations_add(&profile->deviations, &item) != BERTH_OK)
			abort();
}

static void random_behaviour(berth_profile *profile, bool ghost)
{
	profile->behaviour = (berth_behaviour){
		.subbuffer_align_enforced_bytes = (uint32_t)below(2) << below(8),
		.max_alloc_enforced = (berth_max_alloc_rule)below(3),
		.max_alloc_enforced_bytes = below(2) * size(),
		.from_buffer_pitch0 = (berth_pitch0_rule)below(3),
		.from_buffer_size = (berth_from_buffer_size)below(2),
		.pitch_unit_enforced = (berth_enforced_unit)below(3),
		.map_pitch_align_bytes = (uint32_t)below(2) << below(10),
		.slice_pitch_2d = (berth_slice_pitch_rule)below(2),
		.free_time = (berth_free_time)below(4),
		.retain_parent = (berth_retain_parent)below(3),
		.zero_copy_ptr_align_bytes = (uint32_t)below(2) << below(13),
		.zero_copy_size_align_bytes = (uint32_t)below(2) << below(13),
	};
	/* The later two stage what is transferred, of any size, in memory of this program. */
	profile->memory.commit = (berth_commit)below(ghost ? 4 : 2);
	profile->memory.granularity_bytes = 1 + below(5000);
	profile->memory.image_rows_align = (uint32_t)below(5);
	profile->transfer.lines[below(BERTH_TRANSFER_KIND_END)].fixed_ns = below(2);
}

static berth_device *random_device(bool ghost)
{
	static const uint32_t versions[] = { 100, 110, 120, 200, 300, 310 };
	const berth_sim_options options = { .size = sizeof(options), .ghost = ghost };
	static berth_profile profile;
	berth_device *device;
	berth_caps caps;

	berth_caps_init_minimum(&caps, versions[below(sizeof(versions) / sizeof(versions[0]))]);
	berth_profile_init_reference(&profile, &caps);
	profile.memory.capacity_bytes = CAPACITY_BYTES;
	random_behaviour(&profile, ghost);
	if (below(4))
		accept_everything(&profile);
	if (berth_sim_create(&device, &profile, &options) != BERTH_OK) {
		fprintf(stderr, "fuzz_sim: %s\n", berth_error_get()->message);
		abort();
	}
	return device;
}

/* The memory of objects with CL_MEM_USE_HOST_PTR is @host, which outlives the device. */
static void run(berth_device *device, uint64_t ops, uint8_t *host)
{
	berth_object_use uses[4];
	berth_result result;
	berth_memory memory;
	berth_op op;

	for (uint64_t i = 0; i < ops; i++) {
		random_op(&op, uses, host);
		if (berth_device_execute(device, &op, &result) == BERTH_E_LOST)
			abort();
		berth_device_memory(device, &memory);
		if (memory.in_use_bytes > CAPACITY_BYTES)
			abort();
	}
}

int main(int argc, char **argv)
{
	uint64_t ops = argc > 1 ? strtoull(argv[1], NULL, 10) : 2000;
	uint8_t *host = calloc(1, HOST_BYTES);

	if (!host)
		return 99;
	for (int i = 0; i < DEVICES; i++) {
		berth_device *device = random_device(i & 1);

		run(device, ops, host);
		berth_device_destroy(device);
	}
	free(host);
	return 0;
}
