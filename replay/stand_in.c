/* SPDX-License-Identifier: Apache-2.0 */
#include "stand_in.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <CL/cl.h>

#define PAGE_BYTES UINT64_C(4096)

/*
 * All ops read from one random block, each from another place: making bytes anew
 * for each op would take longer than moving them. After WINDOWS ops they recur.
 */
#define WINDOWS UINT64_C(1021)
#define WINDOW_STEP_BYTES UINT64_C(64)
#define WINDOWS_BYTES (WINDOWS * WINDOW_STEP_BYTES)

void berth__stand_in_fini(struct berth__stand_in *stand_in)
{
	free(stand_in->source);
	free(stand_in->sink);
	memset(stand_in, 0, sizeof(*stand_in));
}

static berth_status out_of_memory(uint64_t bytes)
{
	return berth_error_set(BERTH_E_NOMEM, 0,
			       "%" PRIu64 " bytes of host memory for one op cannot be had; "
			       "a ghost replay needs none",
			       bytes);
}

/* splitmix64 of the word's number: any part of the block can be made on its own. */
static uint64_t random_word(uint64_t number)
{
	uint64_t word = (number + 1) * UINT64_C(0x9e3779b97f4a7c15);

	word = (word ^ (word >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	word = (word ^ (word >> 27)) * UINT64_C(0x94d049bb133111eb);
	return word ^ (word >> 31);
}

/* Sizes double, so that a trace of growing transfers is not quadratic. */
static berth_status grown_size(uint64_t *out, uint64_t have, uint64_t need)
{
	uint64_t bytes = have ? have : UINT64_C(1) << 20;

	while (bytes < need)
		if (__builtin_mul_overflow(bytes, 2, &bytes))
			return out_of_memory(need);
	if (bytes > SIZE_MAX / 2)
		return out_of_memory(need);
	*out = bytes;
	return BERTH_OK;
}

static berth_status source_grow(struct berth__stand_in *stand_in, uint64_t need)
{
	uint64_t bytes;
	uint8_t *source;
	berth_status st = grown_size(&bytes, stand_in->source_bytes, need);

	if (st != BERTH_OK)
		return st;
	source = realloc(stand_in->source, bytes);
	if (!source)
		return out_of_memory(need);
	for (uint64_t at = stand_in->source_bytes; at < bytes; at += sizeof(uint64_t)) {
		uint64_t word = random_word(at / sizeof(word));

		memcpy(source + at, &word, sizeof(word));
	}
	stand_in->source = source;
	stand_in->source_bytes = bytes;
	return BERTH_OK;
}

berth_status berth__stand_in_source(struct berth__stand_in *stand_in, uint64_t seq, uint64_t bytes,
				    void **out)
{
	uint64_t need;
	berth_status st;

	if (__builtin_add_overflow(bytes, WINDOWS_BYTES, &need))
		return out_of_memory(bytes);
	if (need > stand_in->source_bytes) {
		st = source_grow(stand_in, need);
		if (st != BERTH_OK)
			return st;
	}
	*out = stand_in->source + seq % WINDOWS * WINDOW_STEP_BYTES;
	return BERTH_OK;
}

berth_status berth__stand_in_sink(struct berth__stand_in *stand_in, uint64_t bytes, void **out)
{
	uint64_t grown;
	berth_status st;
	void *sink;

	if (!stand_in->sink || bytes > stand_in->sink_bytes) {
		st = grown_size(&grown, stand_in->sink_bytes, bytes);
		if (st != BERTH_OK)
			return st;
		sink = malloc(grown);
		if (!sink)
			return out_of_memory(bytes);
		free(stand_in->sink);
		stand_in->sink = sink;
		stand_in->sink_bytes = grown;
	}
	*out = stand_in->sink;
	return BERTH_OK;
}

berth_status berth__stand_in_keep(struct berth__stand_in *stand_in, uint64_t seq, uint64_t bytes,
				  uint64_t recorded_address, void **block, void **host)
{
	uint64_t misalignment = recorded_address % PAGE_BYTES, total;
	void *memory, *source;
	berth_status st = berth__stand_in_source(stand_in, seq, bytes, &source);

	if (st != BERTH_OK)
		return st;
	if (__builtin_add_overflow(bytes, misalignment, &total) || total > SIZE_MAX / 2 ||
	    posix_memalign(&memory, PAGE_BYTES, total) != 0)
		return out_of_memory(bytes);
	*block = memory;
	*host = (uint8_t *)memory + misalignment;
	memcpy(*host, source, bytes);
	return BERTH_OK;
}

void berth__stand_in_colour(uint32_t colour[4], uint64_t seq, uint32_t channel_type)
{
	bool integers = channel_type >= CL_SIGNED_INT8 && channel_type <= CL_UNSIGNED_INT32;
	uint64_t random = random_word(seq);

	for (unsigned i = 0; i < 4; i++) {
		float component = random >> i & 1 ? 1.0f : 0.0f;

		if (integers)
			colour[i] = random >> 8 * i & 0x7f;
		else
			memcpy(&colour[i], &component, sizeof(component));
	}
}
