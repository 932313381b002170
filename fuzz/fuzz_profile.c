/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Feeds damaged profiles to their reader; what it takes becomes a device that runs a
 * few ops, and text that is read again. Without arguments: copies of a valid one, damaged in
 * ways that are the same each time; else the files named.
 */
#include "mutate.h"

#include "scratch.h"

#include <berth/fault.h>
#include <berth/sim.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CL/cl.h>

static const char valid[] =
	"# all sections\n[profile]\nname = p\nsource = s\n[caps]\ncl_version = 2.0\n"
	"global_mem_bytes = 1 MiB\nmax_alloc_bytes = 512 KiB\nbase_addr_align_bits = 1024\n"
	"image_pitch_align = 4\nsvm_caps = coarse\n[formats]\nRGBA UNORM_INT8 = read write\n"
	"[memory]\ncapacity_bytes = 1 MiB\ncommit = first_use\nimage_rows_align = 4\n"
	"[deviations]\nR38 = accept\nR25 = CL_OUT_OF_RESOURCES\nR100.bounds read = accept\n"
	"R105.pattern = crash\nQ.zero_bytes = CL_INVALID_VALUE\n[order]\nfirst = R24 R37\n"
	"[behaviour]\nmap_pitch_align_bytes = 64\nfrom_buffer_pitch0 = round_up\n"
	"free_time = finish\nretain_parent = no\n[transfer]\nwrite_pageable_fixed_ns = 7\n"
	"read_pinned_bytes_per_second = 1 GiB\n";

static void execute_some(berth_device *device)
{
	static uint8_t bytes[64];
	const berth_op ops[] = {
		{ .kind = BERTH_OP_BUFFER_CREATE, .object = 1, .bytes = 4096 },
		{ .kind = BERTH_OP_SUBBUFFER_CREATE,
		  .object = 2,
		  .other = 1,
		  .offset_bytes = 3,
		  .bytes = 64 },
		{ .kind = BERTH_OP_WRITE,
		  .form = BERTH_FORM_LINEAR,
		  .object = 2,
		  .bytes = 64,
		  .host = bytes,
		  .host_address = (uintptr_t)bytes },
		{ .kind = BERTH_OP_READ,
		  .form = BERTH_FORM_LINEAR,
		  .object = 1,
		  .bytes = 0,
		  .host = bytes,
		  .host_address = (uintptr_t)bytes },
		{ .kind = BERTH_OP_IMAGE_CREATE,
		  .object = 3,
		  .other = 1,
		  .image = { .type = CL_MEM_OBJECT_IMAGE2D,
			     .order = CL_RGBA,
			     .channel_type = CL_UNORM_INT8,
			     .width = 5,
			     .height = 5 } },
		{ .kind = BERTH_OP_RELEASE, .object = 1 },
		{ .kind = BERTH_OP_SYNC },
	};
	berth_result result;

	for (size_t i = 0; i < sizeof(ops) / sizeof(ops[0]); i++)
		if (berth_device_execute(device, &ops[i], &result) == BERTH_E_LOST)
			return;
}

/* A text that is written must be read: anything else is a bug, found here. */
static void write_and_read(const berth_profile *profile)
{
	static berth_profile again;
	const char *path = scratch_path("again.ini");
	char *text;

	if (berth_profile_to_text(&text, profile) != BERTH_OK)
		return;
	file_write(path, text, strlen(text));
	free(text);
	if (berth_profile_load(&again, path) != BERTH_OK) {
		fprintf(stderr, "fuzz_profile: %s\n", berth_error_get()->message);
		abort();
	}
}

static void input(const unsigned char *content, size_t bytes)
{
	static berth_profile profile;
	const char *path = scratch_path("input.ini");
	berth_device *device;

	file_write(path, content, bytes);
	if (berth_profile_load(&profile, path) != BERTH_OK)
		return;
	write_and_read(&profile);
	if (berth_sim_create(&device, &profile, NULL) != BERTH_OK)
		return;
	execute_some(device);
	berth_device_destroy(device);
}

/* Specifications of faults are text as well. */
static void input_of_faults(const unsigned char *content, size_t bytes)
{
	berth_fault_spec spec;
	char *text = malloc(bytes + 1);

	if (!text)
		abort();
	memcpy(text, content, bytes);
	text[bytes] = '\0';
	if (berth_fault_parse(&spec, text) == BERTH_OK && spec.count > BERTH_FAULTS_MAX)
		abort();
	free(text);
}

int main(int argc, char **argv)
{
	static const char faults[] = "nth=5:buffer_create,rate=0.01:seed=7,budget=64M,"
				     "lost=100:CL_OUT_OF_RESOURCES";
	const struct fuzz_plan plan = { 0, sizeof(valid) - 1, 4096, 1000 };
	const struct fuzz_plan faults_plan = { 0, sizeof(faults) - 1, 4096, 1000 };

	scratch_make();
	if (argc > 1) {
		fuzz_files(argv + 1, argc - 1, input);
	} else {
		fuzz_mutations((const unsigned char *)valid, sizeof(valid) - 1, &plan, input);
		fuzz_mutations((const unsigned char *)faults, sizeof(faults) - 1, &faults_plan,
			       input_of_faults);
	}
	scratch_remove();
	return 0;
}
