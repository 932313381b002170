/* SPDX-License-Identifier: Apache-2.0 */
/* The keys of [behaviour] and [transfer]. */
#include "profile_file.h"

static const struct berth__profile_word max_alloc_rules[] = {
	{ "strict", BERTH_MAX_ALLOC_STRICT },
	{ "none", BERTH_MAX_ALLOC_NONE },
	{ "flag", BERTH_MAX_ALLOC_FLAG },
	{ NULL, 0 },
};

static const struct berth__profile_word pitch0_rules[] = {
	{ "error", BERTH_PITCH0_ERROR },
	{ "tight", BERTH_PITCH0_TIGHT },
	{ "round_up", BERTH_PITCH0_ROUND_UP },
	{ NULL, 0 },
};

static const struct berth__profile_word from_buffer_sizes[] = {
	{ "padded", BERTH_FROM_BUFFER_PADDED },
	{ "tight", BERTH_FROM_BUFFER_TIGHT },
	{ NULL, 0 },
};

static const struct berth__profile_word enforced_units[] = {
	{ "as_reported", BERTH_ENFORCED_AS_REPORTED },
	{ "pixels", BERTH_ENFORCED_PIXELS },
	{ "bytes", BERTH_ENFORCED_BYTES },
	{ NULL, 0 },
};

static const struct berth__profile_word slice_pitch_rules[] = {
	{ "zero", BERTH_SLICE_PITCH_ZERO },
	{ "rows", BERTH_SLICE_PITCH_ROWS },
	{ NULL, 0 },
};

static const struct berth__profile_word free_times[] = {
	{ "release", BERTH_FREE_RELEASE },
	{ "finish", BERTH_FREE_FINISH },
	{ "context", BERTH_FREE_CONTEXT },
	{ "process", BERTH_FREE_PROCESS },
	{ NULL, 0 },
};

static const struct berth__profile_word retain_parents[] = {
	{ "yes", BERTH_RETAIN_PARENT_YES },
	{ "no", BERTH_RETAIN_PARENT_NO },
	{ "leak", BERTH_RETAIN_PARENT_LEAK },
	{ NULL, 0 },
};

/* Words store into 32 bits, whatever their enum. */
_Static_assert(sizeof(berth_max_alloc_rule) == 4 && sizeof(berth_pitch0_rule) == 4 &&
		       sizeof(berth_from_buffer_size) == 4 && sizeof(berth_enforced_unit) == 4 &&
		       sizeof(berth_slice_pitch_rule) == 4 && sizeof(berth_free_time) == 4 &&
		       sizeof(berth_retain_parent) == 4,
	       "enums are 32 bits");

#define ALIGNMENT(field) NUMBER32(behaviour.field), .power_of_two = true
#define BEHAVIOUR(field, list) CHOICE(behaviour.field, list)

#define LINE(name, index)                                                                          \
	{ "transfer", name "_fixed_ns", NUMBER64(transfer.lines[index].fixed_ns) },                \
	{                                                                                          \
		"transfer", name "_bytes_per_second",                                              \
			NUMBER64(transfer.lines[index].bytes_per_second)                           \
	}

const struct berth__profile_key berth__profile_behaviour_keys[] = {
	{ "behaviour", "subbuffer_align_enforced_bytes",
	  ALIGNMENT(subbuffer_align_enforced_bytes) },
	{ "behaviour", "max_alloc_enforced", BEHAVIOUR(max_alloc_enforced, max_alloc_rules) },
	{ "behaviour", "max_alloc_enforced_bytes", NUMBER64(behaviour.max_alloc_enforced_bytes) },
	{ "behaviour", "from_buffer_pitch0", BEHAVIOUR(from_buffer_pitch0, pitch0_rules) },
	{ "behaviour", "from_buffer_size", BEHAVIOUR(from_buffer_size, from_buffer_sizes) },
	{ "behaviour", "pitch_unit_enforced", BEHAVIOUR(pitch_unit_enforced, enforced_units) },
	{ "behaviour", "map_pitch_align_bytes", ALIGNMENT(map_pitch_align_bytes) },
	{ "behaviour", "slice_pitch_2d", BEHAVIOUR(slice_pitch_2d, slice_pitch_rules) },
	{ "behaviour", "free_time", BEHAVIOUR(free_time, free_times) },
	{ "behaviour", "retain_parent", BEHAVIOUR(retain_parent, retain_parents) },
	{ "behaviour", "zero_copy_ptr_align_bytes", ALIGNMENT(zero_copy_ptr_align_bytes) },
	{ "behaviour", "zero_copy_size_align_bytes", ALIGNMENT(zero_copy_size_align_bytes) },
#define X(name, value, string) LINE(string, name),
	BERTH_TRANSFER_KIND_MAP(X)
#undef X
};

const size_t berth__profile_behaviour_key_count =
	sizeof(berth__profile_behaviour_keys) / sizeof(berth__profile_behaviour_keys[0]);
