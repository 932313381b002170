/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading a profile's ini text: which keys there are, what each may be, and
 * where in the file each was found. doc/profile-format.md is the user's view.
 */
#ifndef BERTH_SIM_PROFILE_FILE_H
#define BERTH_SIM_PROFILE_FILE_H

#include <berth/sim.h>

/* libinih takes 200 bytes a line with its ending NUL; a longer one is refused, not cut. */
#define BERTH__PROFILE_LINE_BYTES 200

/* Where a value stands, for messages. */
struct berth__profile_place {
	const char *file;
	int line;
	const char *key;
};

enum berth__profile_type {
	BERTH__PROFILE_NUMBER32,
	BERTH__PROFILE_NUMBER64,
	BERTH__PROFILE_TEXT,
	BERTH__PROFILE_CHOICE, /* one word of a list, stored in an enum, int32 or uint32 */
	BERTH__PROFILE_FLAGS,  /* words of a list, stored as bits in a uint64 */
	BERTH__PROFILE_BOOL,
};

/* What a device must have for a value to mean anything; without it the default is 0. */
enum berth__profile_need {
	BERTH__PROFILE_NEEDS_NOTHING,
	BERTH__PROFILE_NEEDS_IMAGES,
	BERTH__PROFILE_NEEDS_FROM_BUFFER,
};

struct berth__profile_word {
	const char *word;
	int64_t value;
};

/* One key: where its value goes in a berth_profile, and which values it may have. */
struct berth__profile_key {
	const char *section;
	const char *key;
	enum berth__profile_type type;
	enum berth__profile_need need; /* numbers */
	bool required;
	bool power_of_two; /* numbers: or 0 where the minimum allows it */
	size_t offset;	   /* in berth_profile */
	size_t room_bytes; /* texts */
	uint64_t minimum;
	const struct berth__profile_word *words;
};

#define AT(field) .offset = offsetof(berth_profile, field)
#define TEXT(field)                                                                                \
	.type = BERTH__PROFILE_TEXT, AT(field), .room_bytes = sizeof(((berth_profile *)0)->field)
#define NUMBER32(field) .type = BERTH__PROFILE_NUMBER32, AT(field)
#define NUMBER64(field) .type = BERTH__PROFILE_NUMBER64, AT(field)
#define IMAGE_NUMBER(field) NUMBER64(field), .need = BERTH__PROFILE_NEEDS_IMAGES
#define FROM_BUFFER_NUMBER(field)                                                                  \
	NUMBER32(field), .power_of_two = true, .need = BERTH__PROFILE_NEEDS_FROM_BUFFER
#define BOOL(field) .type = BERTH__PROFILE_BOOL, AT(field)
#define CHOICE(field, list) .type = BERTH__PROFILE_CHOICE, AT(field), .words = list
#define FLAGS(field, list) .type = BERTH__PROFILE_FLAGS, AT(field), .words = list

#define BERTH__PROFILE_KEYS_MAX 96

/* Every key, in the order in which they are set; NULL past the last. */
const struct berth__profile_key *berth__profile_key_at(size_t index);

/* Those of [behaviour] and [transfer]. */
extern const struct berth__profile_key berth__profile_behaviour_keys[];
extern const size_t berth__profile_behaviour_key_count;

/*
 * Store @p text as the value of @p key in @p profile.
 * BERTH_E_FORMAT: the detail names the place, the value and what is allowed.
 */
berth_status berth__profile_set(berth_profile *profile, const struct berth__profile_key *key,
				const char *text, const struct berth__profile_place *place);

/* Add the format "ORDER TYPE" (the key) with its accesses (the value) to @p caps. */
berth_status berth__profile_add_format(berth_caps *caps, const char *text,
				       const struct berth__profile_place *place);

/* A whole profile; @p file names it in messages. BERTH_E_FORMAT, BERTH_E_NOMEM. */
berth_status berth__profile_parse(berth_profile *out, const char *file, const char *text);

/* The words of a format's accesses. */
extern const struct berth__profile_word berth__profile_accesses[];

/* Add the deviation "RULE KIND... FORM..." (the key) with its answer (the value). */
berth_status berth__profile_add_deviation(berth_deviations *deviations, const char *text,
					  const struct berth__profile_place *place);

/* Add the value of a key of [order]: rules that are checked before all others. */
berth_status berth__profile_add_order(berth_deviations *deviations, const char *text,
				      const struct berth__profile_place *place);

/* The built-in profiles: generated from profiles/ by build-aux/embed-profiles. */
struct berth__profile_builtin {
	const char *name;
	const char *text;
};

extern const struct berth__profile_builtin berth__profile_builtins[];
extern const size_t berth__profile_builtin_count;

#endif
