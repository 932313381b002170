/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a memory model must be, for so many buffers of each size to fit: each count bounds
 * the capacity from both sides, for a given granularity; the smallest granularity for which
 * one capacity lies between all bounds is it.
 */
#include <berth/probe.h>

#include <inttypes.h>

static const uint64_t granularities[] = { 1, 4096, 65536, 1 << 20, 2 << 20, 4 << 20, 16 << 20 };

struct bounds {
	uint64_t least, most; /* of the capacity */
};

/* Bytes of one object, as the simulator counts them. */
static uint64_t taken_bytes(uint64_t bytes, uint64_t granularity, uint64_t shared_up_to)
{
	if (bytes <= shared_up_to)
		return bytes;
	return (bytes + granularity - 1) / granularity * granularity;
}

/* That all counts allow; false when they contradict each other. */
static bool find_bounds(struct bounds *out, const berth_probe_filled *filled, size_t count,
			uint64_t granularity, uint64_t shared_up_to)
{
	*out = (struct bounds){ 0, UINT64_MAX };
	for (size_t i = 0; i < count; i++) {
		uint64_t each = taken_bytes(filled[i].bytes, granularity, shared_up_to);
		uint64_t least, most;

		if (__builtin_mul_overflow(each, filled[i].count, &least) ||
		    __builtin_add_overflow(least, each - 1, &most))
			return false;
		/* What shares is rounded up in sum. */
		if (each == filled[i].bytes && filled[i].bytes <= shared_up_to)
			most = (most + granularity - 1) / granularity * granularity;
		out->least = least > out->least ? least : out->least;
		if (filled[i].complete)
			out->most = most < out->most ? most : out->most;
	}
	return out->least <= out->most && out->most != UINT64_MAX;
}

berth_status berth_probe_fit_memory(berth_memory_model *model, const berth_probe_filled *filled,
				    size_t count)
{
	struct bounds bounds;

	for (size_t i = 0; i < sizeof(granularities) / sizeof(granularities[0]); i++) {
		uint64_t granularity = granularities[i];

		for (int shares = 0; shares < 2; shares++) {
			uint64_t shared_up_to = shares ? granularity / 2 : 0;

			if (!find_bounds(&bounds, filled, count, granularity, shared_up_to))
				continue;
			model->capacity_bytes = bounds.least;
			model->granularity_bytes = granularity;
			model->shared_up_to_bytes = shared_up_to;
			return BERTH_OK;
		}
	}
	return berth_error_set(BERTH_E_NOT_FOUND, 0,
			       "no granularity explains how many buffers of these %zu sizes fit",
			       count);
}
